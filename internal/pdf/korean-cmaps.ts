/**
 * Character maps of fonts that a PDF names but does not embed. pdf.js requests these
 * tables by name; anything else that it might request is refused.
 */
import { Buffer } from 'node:buffer'
import { brotliDecompressSync } from 'node:zlib'
import { KOREAN_CMAPS } from './korean-cmaps.gen.ts'

export type Wanted = Readonly<{ kind: string; filename: string }>

const SUFFIX = '.bcmap'

/** Replaces pdf.js's own factory, which would look for files or URLs. */
export class KoreanCMaps {
  /** @throws {Error} the table is missing; pdf.js then treats the font as unreadable */
  async fetch({ kind, filename }: Wanted): Promise<Uint8Array> {
    const name = filename.endsWith(SUFFIX) ? filename.slice(0, -SUFFIX.length) : ''
    if (kind !== 'cMapUrl' || !Object.hasOwn(KOREAN_CMAPS, name)) {
      throw new Error(`There is no ${filename}.`)
    }
    return new Uint8Array(brotliDecompressSync(Buffer.from(KOREAN_CMAPS[name] ?? '', 'base64')))
  }
}
