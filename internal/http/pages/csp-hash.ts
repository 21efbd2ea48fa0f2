import { createHash } from 'node:crypto'

/** Returns the source expression of a Content-Security-Policy that allows an inline script or style with this text. */
export const cspHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`
