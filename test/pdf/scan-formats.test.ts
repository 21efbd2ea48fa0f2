/**
 * Scans in the formats of black-and-white scanners, and JPEG 2000. The files are one picture (scans/README.md), so each must give
 * the pixels that the lossless ones give, from which OCR reads the same.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPdfImages, type ScannedPage } from '#pdf/read-images.ts'
import { PDF_BOUNDS, PdfError } from '#pdf/reading.ts'
import { CATALOG, content, pdfOf } from '../support/raw-pdf.ts'
import { numbers, PAGE_INFO, pageInfo, segment } from './scans/jbig2.ts'

const fileOf = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, 'scans', `${name}.pdf`))

const read = async (pdf: Uint8Array): Promise<ScannedPage> => {
  for await (const page of readPdfImages(new Uint8Array(pdf), PDF_BOUNDS)) return page
  throw new Error('no page')
}
/** The failure, and not the image that was read, which is too large to print. */
const failureOf = (pdf: Uint8Array): Promise<unknown> =>
  read(pdf).then(
    ({ image }) => `read ${image.width}`,
    (error: unknown) => (error instanceof PdfError ? error.failure : error),
  )

const BILEVEL = [
  'ccitt-g3',
  'ccitt-g3-2d',
  'ccitt-g4',
  'jbig2-region',
  'jbig2-fax',
  'jbig2-letters',
]

test.each(BILEVEL)('%s gives the pixels of the picture', async (format) => {
  const [wanted, found] = [await read(fileOf('flate')), await read(fileOf(format))]
  expect(found.dpi).toBe(wanted.dpi)
  expect(found.image.width).toBe(wanted.image.width)
  expect(Buffer.compare(found.image.data, wanted.image.data)).toBe(0)
})

test('JPEG 2000 gives the greys of the picture, at its full size', async () => {
  const [wanted, found] = [await read(fileOf('flate-grey')), await read(fileOf('jpx-grey'))]
  expect(found).toMatchObject({ dpi: wanted.dpi, image: { width: 1_654, height: 2_339 } })
  let sum = 0
  for (const [at, one] of wanted.image.data.entries())
    sum += Math.abs(one - (found.image.data[at] ?? 0))
  expect(sum / wanted.image.data.length).toBeLessThan(2)
})

const IMAGE = /5 0 obj\n<<[^\n]*?\/Length (\d+)>>\nstream\n/

/** The file with half of the image's data. */
const halfOf = (pdf: Buffer): Buffer => {
  const text = pdf.toString('latin1')
  const [head = '', length = ''] = IMAGE.exec(text) ?? []
  const start = text.indexOf(head) + head.length
  const end = start + Number(length)
  const half = Math.floor(Number(length) / 2)
  const cut = head.replace(`/Length ${length}`, `/Length ${half}`)
  return Buffer.from(
    `${text.slice(0, start - head.length)}${cut}${text.slice(start, start + half)}${text.slice(end)}`,
    'latin1',
  )
}

test.each([...BILEVEL, 'jpx-grey'])('%s that is cut short is damaged', async (format) => {
  expect(await failureOf(halfOf(fileOf(format)))).toBe('broken')
})

/** A page with an image of these words and data. */
const scanOf = (image: string, stream: Uint8Array): Uint8Array =>
  pdfOf([
    CATALOG,
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    '<</Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources <</XObject <</I 5 0 R>>>>>>',
    content('100 0 0 100 0 0 cm /I Do'),
    { dictionary: `/Type /XObject /Subtype /Image ${image}`, stream },
  ])

const FAX = '/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode'
const JBIG2 = '/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode'

/** Where the length of a region is: behind the segment of the page, the region's number, its type and its page. */
const LENGTH_AT = pageInfo(1, 1).length + 7

/** The page and its region, which ends with a mark and the number of its rows in place of stating its length. */
const withoutLength = (page: Uint8Array, end: readonly number[]): Buffer => {
  const bytes = Buffer.concat([page, Buffer.from(end), numbers(2_339)])
  bytes.writeUInt32BE(2 ** 32 - 1, LENGTH_AT)
  return bytes
}

test.each([
  ['jbig2-region', []],
  ['jbig2-fax', [0, 0]],
])('%s that states no length gives the pixels of the picture', async (format, end) => {
  const pdf = fileOf(format)
  const [head = '', length] = IMAGE.exec(pdf.toString('latin1')) ?? []
  const start = pdf.indexOf(head) + head.length
  const page = withoutLength(pdf.subarray(start, start + Number(length)), end)
  const found = await read(scanOf(`/Width 1654 /Height 2339 ${JBIG2}`, page))
  const wanted = await read(fileOf('flate'))
  expect(Buffer.compare(found.image.data, wanted.image.data)).toBe(0)
})

/** No code of fax begins with so many zeros. */
const ENDLESS = Buffer.alloc(4_000)

test.each([
  ['a fax', '/Width 9000 /Height 9000', `${FAX} /DecodeParms <</K -1 /Columns 9000>>`],
  ['JBIG2', '/Width 30000 /Height 30000', JBIG2],
])('%s of more pixels than are read is too large', async (_, size, format) => {
  const scan = scanOf(`${size} ${format}`, ENDLESS)
  expect(await failureOf(scan)).toBe('too_big')
})

const HUGE = 2 ** 31
/** A page and a region of the largest size, and a dictionary of two billion letters. */
const bombs = {
  page: segment([1, PAGE_INFO, 1], Buffer.concat([numbers(HUGE, HUGE, 0, 0), Buffer.alloc(3)])),
  letters: segment([2, 0, 1], Buffer.concat([Buffer.alloc(10), numbers(HUGE, HUGE), ENDLESS])),
  region: segment([2, 38, 1], Buffer.concat([numbers(HUGE, HUGE, 0, 0), ENDLESS])),
}

test.each([
  [
    'a fax that states one pixel',
    '/Width 1 /Height 1',
    `${FAX} /DecodeParms <</K -1 /Columns 65535 /Rows 65535>>`,
    ENDLESS,
  ],
  [
    'a fax without end',
    '/Width 6000 /Height 6000',
    `${FAX} /DecodeParms <</K -1 /Columns 6000>>`,
    ENDLESS,
  ],
  [
    'JBIG2 of a page that is larger than stated',
    '/Width 1 /Height 1',
    JBIG2,
    Buffer.concat([bombs.page, bombs.region]),
  ],
  [
    'JBIG2 of a region that is larger than its page',
    '/Width 8 /Height 8',
    JBIG2,
    Buffer.concat([pageInfo(8, 8), bombs.region]),
  ],
  [
    'JBIG2 of a page that two hundred regions cover',
    '/Width 5000 /Height 8000',
    JBIG2,
    Buffer.concat([
      pageInfo(5_000, 8_000),
      ...Array.from({ length: 200 }, (_, at) =>
        segment([at + 2, 38, 1], Buffer.concat([numbers(5_000, 8_000, 0, 0), Buffer.alloc(30)])),
      ),
    ]),
  ],
  [
    'JBIG2 of a page that regions of unknown length cover as often',
    '/Width 5000 /Height 8000',
    JBIG2,
    Buffer.concat([
      pageInfo(5_000, 8_000),
      ...Array.from({ length: 40 }, (_, at) => {
        const data = Buffer.concat([numbers(5_000, 8_000, 0, 0), Buffer.alloc(30)])
        const region = segment([at + 2, 38, 1], data)
        region.writeUInt32BE(2 ** 32 - 1, 7)
        return Buffer.concat([region, Buffer.from([0xff, 0xac]), numbers(8_000)])
      }),
    ]),
  ],
  [
    'JBIG2 of more letters than memory',
    '/Width 8 /Height 8',
    JBIG2,
    Buffer.concat([pageInfo(8, 8), bombs.letters]),
  ],
  ['nothing at all', '/Width 8 /Height 8', JBIG2, Buffer.alloc(0)],
])('%s is damaged', async (_, size, format, stream) => {
  expect(await failureOf(scanOf(`${size} ${format}`, stream))).toBe('broken')
})

/** The start of a codestream, then the length and the abilities, before the width and height [T.800 A.5.1]. */
const SIZE_HEAD = Buffer.from([0xff, 0x4f, 0xff, 0x51])
const [SIDES, TILE_SIDES] = [8, 24]

test.each([10_000, 2 ** 32 - 1])(
  'JPEG 2000 whose data states one tile of %i pixels a side is damaged',
  async (side) => {
    const scan = Buffer.from(fileOf('jpx-grey'))
    const head = scan.indexOf(SIZE_HEAD)
    for (const at of [SIDES, TILE_SIDES]) numbers(side, side).copy(scan, head + at)
    expect(await failureOf(scan)).toBe('broken')
  },
)
