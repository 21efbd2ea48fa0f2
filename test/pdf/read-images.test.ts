/** Scanned PDFs as pages of pixels. Either all pages are read or none. */
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readPdfImages, type ScannedPage } from '#pdf/read-images.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import { CATALOG, content, latin1, type PdfObject, pdfOf } from '../support/raw-pdf.ts'

const SIDE = 8

const image = (filter: string, stream: Uint8Array, side = SIDE): PdfObject => ({
  dictionary: `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /${filter}`,
  stream,
})
const GOOD = image('FlateDecode', deflateSync(Buffer.alloc(SIDE * SIDE, 200)))
const DAMAGED = image('DCTDecode', latin1('no picture'))
const TOO_LARGE = image('FlateDecode', deflateSync(Buffer.alloc(64)), 9_000)

const WHOLE = '100 0 0 100 0 0 cm /I Do'
const STRIPS = 'q 100 0 0 40 0 0 cm /I Do Q q 100 0 0 40 0 50 cm /I Do Q'

/** A PDF with one page for each image. */
const scanOf = (images: readonly PdfObject[], drawn = WHOLE, turn = 0): Uint8Array => {
  const kids = images.map((_, at) => `${4 + 2 * at} 0 R`).join(' ')
  const pages = images.flatMap((one, at) => [
    `<</Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Rotate ${turn} /Contents 3 0 R /Resources <</XObject <</I ${5 + 2 * at} 0 R>>>>>>`,
    one,
  ])
  const drawing = content(drawn)
  const tree = `<</Type /Pages /Kids [${kids}] /Count ${images.length}>>`
  return new Uint8Array(pdfOf([CATALOG, tree, drawing, ...pages]))
}

const read = async (pdf: Uint8Array): Promise<readonly ScannedPage[]> => {
  const pages: ScannedPage[] = []
  for await (const page of readPdfImages(pdf, PDF_BOUNDS)) pages.push(page)
  return pages
}

test('each page is the image that covers it', async () => {
  const pages = await read(scanOf([GOOD, GOOD]))
  expect(pages.map(({ image: { width, height } }) => [width, height])).toEqual([
    [SIDE, SIDE],
    [SIDE, SIDE],
  ])
})

test.each([
  { what: 'damaged', bad: DAMAGED, failure: 'broken' },
  { what: 'too large', bad: TOO_LARGE, failure: 'too_big' },
])('a page whose image is $what is not left out: nothing is read', async ({ bad, failure }) => {
  await expect(read(scanOf([GOOD, bad]))).rejects.toMatchObject({ failure })
})

/** The upper rows of the image are dark. */
const DARK_TOP = image('FlateDecode', deflateSync(Buffer.alloc(SIDE * SIDE, 200).fill(0, 0, 16)))

test.each([
  ['upright', WHOLE, 0, 'top'],
  ['on a page turned by 90 degrees', WHOLE, 90, 'right'],
  ['on a page turned by 180 degrees', WHOLE, 180, 'bottom'],
  ['turned itself, and back by its page', '0 100 -100 0 100 0 cm /I Do', 90, 'top'],
  ['mirrored', '100 0 0 -100 0 100 cm /I Do', 0, 'bottom'],
])('an image %s is read as the page shows it', async (_, drawn, turn, dark) => {
  const [page] = await read(scanOf([DARK_TOP], drawn, turn))
  const { width = 0, channels = 1, data = [] } = page?.image ?? {}
  const at = (row: number, column: number) => data[(row * width + column) * channels]
  const middle = SIDE / 2
  const edges = { top: at(0, middle), right: at(middle, SIDE - 1), bottom: at(SIDE - 1, middle) }
  expect(edges).toEqual({ top: 200, right: 200, bottom: 200, [dark]: 0 })
})

test('strips are put together to the page', async () => {
  const [page] = await read(scanOf([GOOD], STRIPS))
  const { image, dpi } = page ?? {}
  // eight pixels across a hundred points, white between the strips
  expect(dpi).toBeCloseTo((SIDE * 72) / 100)
  expect([image?.width, image?.height, image?.channels]).toEqual([SIDE, SIDE, 3])
  const rows = Array.from({ length: SIDE }, (_, row) => image?.data[row * SIDE * 3])
  expect(rows).toEqual([255, 200, 200, 200, 255, 200, 200, 200])
})

test('two halves are one page, and no part is lost', async () => {
  const halves = 'q 100 0 0 50 0 0 cm /I Do Q q 100 0 0 50 0 50 cm /I Do Q'
  const [page] = await read(scanOf([GOOD], halves))
  expect([...(page?.image.data ?? [])].every((part) => part === 200)).toBe(true)
})

test('a page of more images than strips of a scan is refused with that reason', async () => {
  const tiny = Array.from({ length: 201 }, (_, at) => `q 100 0 0 ${1 + at / 100} 0 0 cm /I Do Q`)
  await expect(read(scanOf([GOOD], tiny.join(' 0 g ')))).rejects.toMatchObject({
    failure: 'in_pieces',
    message: 'Page 1 consists of images that do not join.',
  })
})
