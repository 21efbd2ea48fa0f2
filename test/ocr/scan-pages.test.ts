/** The number of pages of a scan is checked before the first page is read, which takes seconds. */
import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readScan } from '#ocr/read-scan.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import { CATALOG, content, type PdfObject, pdfOf } from '../support/raw-pdf.ts'

const SIDE = 1_400
const WHITE: PdfObject = {
  dictionary: `/Type /XObject /Subtype /Image /Width ${SIDE} /Height ${SIDE} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode`,
  stream: deflateSync(Buffer.alloc(SIDE * SIDE, 255)),
}

/** A scan of blank pages at 200 DPI. */
const scanOf = (pages: number): Uint8Array => {
  const kids = Array.from({ length: pages }, (_, at) => `${5 + at} 0 R`)
  const page = `<</Type /Page /Parent 2 0 R /MediaBox [0 0 504 504] /Contents 3 0 R /Resources <</XObject <</I 4 0 R>>>>>>`
  const tree = `<</Type /Pages /Kids [${kids.join(' ')}] /Count ${pages}>>`
  const drawing = content('504 0 0 504 0 0 cm /I Do')
  return new Uint8Array(pdfOf([CATALOG, tree, drawing, WHITE, ...kids.map(() => page)]))
}

it.each([
  [30, 'the first page is read'],
  [31, 'The scan has too many pages.'],
])('of %i pages: %s', async (pages, message) => {
  const openEngine = () => Promise.reject(new Error('the first page is read'))
  const reading = readScan(
    openEngine,
    scanOf(pages),
    { type: 'pdf', accuracy: 'standard' },
    PDF_BOUNDS,
  )
  await expect(reading).rejects.toThrow(message)
})
