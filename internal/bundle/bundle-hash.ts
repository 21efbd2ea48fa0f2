import { Buffer } from 'node:buffer'
import { hashParts } from './hash-files.ts'
import type { Steps } from './steps.ts'

export type BundledCode = Readonly<{ code: string; sourceMap: string }>

/**
 * Returns the hash under which a bundle is stored, hex. It covers the map as well, because a comment moves lines without
 * changing the code.
 */
export const hashBundle = ({ code, sourceMap }: BundledCode): Steps<string> =>
  hashParts([code, '\0', sourceMap].map((text) => Buffer.from(text)))
