/** The input of the PDF reader while the build makes its code cache: a certificate that uses most of the parser. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toFrame } from '../../internal/pdf/byte-reader.ts'
import type { ReaderRequest } from '../../internal/pdf/protocol.ts'
import { PDF_BOUNDS } from '../../internal/pdf/reading.ts'

/** Made by the generator of the tests (test/registry/fixtures); its content is invented. */
const SAMPLE = join(import.meta.dirname, 'sample-certificate.pdf')

/** The bytes that the reader gets on its standard input for the sample. */
export const sampleRequest = (): Uint8Array => {
  const file = readFileSync(SAMPLE)
  const request: ReaderRequest = {
    byteCount: file.length,
    bounds: PDF_BOUNDS,
    work: { kind: 'registry', parsedAt: '', documentId: null },
  }
  return new Uint8Array([...toFrame(JSON.stringify(request)), ...file])
}
