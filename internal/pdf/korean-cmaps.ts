/**
 * What the codes of fonts mean that a PDF names and does not carry: pdf.js asks for these tables by name. Nothing else
 * that it could ask for is here.
 */
import { Buffer } from 'node:buffer'
import { brotliDecompressSync } from 'node:zlib'
import { KOREAN_CMAPS } from './korean-cmaps.gen.ts'

export type Wanted = Readonly<{ kind: string; filename: string }>

const SUFFIX = '.bcmap'

/** In the place of pdf.js's own, which would look for files or addresses. */
export class KoreanCMaps {
  /** @throws {Error} pdf.js takes the font for one that cannot be read */
  async fetch({ kind, filename }: Wanted): Promise<Uint8Array> {
    const name = filename.endsWith(SUFFIX) ? filename.slice(0, -SUFFIX.length) : ''
    if (kind !== 'cMapUrl' || !Object.hasOwn(KOREAN_CMAPS, name)) {
      throw new Error(`There is no ${filename}.`)
    }
    return new Uint8Array(brotliDecompressSync(Buffer.from(KOREAN_CMAPS[name] ?? '', 'base64')))
  }
}
