import { createHash } from 'node:crypto'

export type BundledCode = Readonly<{ code: string; sourceMap: string }>

/**
 * Returns the hash under which a bundle is stored, hex. It covers the map as well, because a comment moves lines without
 * changing the code.
 */
export const hashBundle = ({ code, sourceMap }: BundledCode): string =>
  createHash('sha256').update(code).update('\0').update(sourceMap).digest('hex')
