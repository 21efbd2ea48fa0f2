import { createHash } from 'node:crypto'

export type BundledCode = Readonly<{ code: string; sourceMap: string }>

/** What a bundle is kept under. Of the map too: a comment moves lines without changing the code. */
export const hashBundle = ({ code, sourceMap }: BundledCode): string =>
  createHash('sha256').update(code).update('\0').update(sourceMap).digest('hex')
