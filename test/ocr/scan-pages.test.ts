/** The pages of a scan: their number, which is checked before the first is read, and those that are not an image. */
import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readScan } from '#ocr/read-scan.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import { checkEmpty } from '#registry/reader/check-pages.ts'
import { CATALOG, content, type PdfObject, pdfOf } from '../support/raw-pdf.ts'

const SIDE = 1_400
const WHITE: PdfObject = {
  dictionary: `/Type /XObject /Subtype /Image /Width ${SIDE} /Height ${SIDE} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode`,
  stream: deflateSync(Buffer.alloc(SIDE * SIDE, 255)),
}

/** A scan of blank pages at 200 DPI. */
const scanOf = (pages: number, without: readonly number[] = []): Uint8Array => {
  const kids = Array.from({ length: pages }, (_, at) => `${5 + at} 0 R`)
  const empty = `<</Type /Page /Parent 2 0 R /MediaBox [0 0 504 504]>>`
  const page = `<</Type /Page /Parent 2 0 R /MediaBox [0 0 504 504] /Contents 3 0 R /Resources <</XObject <</I 4 0 R>>>>>>`
  const tree = `<</Type /Pages /Kids [${kids.join(' ')}] /Count ${pages}>>`
  const drawing = content('504 0 0 504 0 0 cm /I Do')
  return new Uint8Array(
    pdfOf([
      CATALOG,
      tree,
      drawing,
      WHITE,
      ...kids.map((_, at) => (without.includes(at + 1) ? empty : page)),
    ]),
  )
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

it('pages that are not an image keep their place, and a warning names them', async () => {
  const openEngine = async () => ({ read: () => ({ text: '', confidence: 0 }) })
  const options = { type: 'pdf', accuracy: 'standard' } as const
  const { pages } = await readScan(openEngine, scanOf(5, [2, 3, 5]), options, PDF_BOUNDS)
  const empty = pages.filter(({ isWithoutImage }) => isWithoutImage === true)
  expect([pages.map(({ number }) => number), empty.map(({ number }) => number)]).toEqual([
    [1, 2, 3, 4, 5],
    [2, 3, 5],
  ])
  expect(checkEmpty(pages, false)).toMatchObject([
    { code: 'PAGE_WITHOUT_TEXT', message: 'No text was found on page 2, 3, 5.' },
  ])
  // the back of a scanned sheet
  expect(checkEmpty(pages.slice(0, 1), false)).toEqual([])
})
