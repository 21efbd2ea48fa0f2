/** Text that is painted over, by which a file could say one thing on paper and another to the parser [documents 13.8]. */
import { describe, expect, it } from 'vitest'
import { readPdf } from '#pdf/read-pdf.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import { parseRegistry } from '#registry/parse-registry.ts'
import { printRows } from '../registry/fixtures/certificate/from-rows.ts'
import { generateCertificate } from '../registry/fixtures/certificate/generate-certificate.ts'
import { certificatePdf } from '../registry/fixtures/certificate/write-pdf.ts'
import { pdfLayout } from '../registry/fixtures/printers/pdf-layout.ts'
import { content, latin1, type PdfObject, withContent } from '../support/raw-pdf.ts'

const STATES =
  '/Half <</ca 0.5>> /Through <</BM /Multiply>> /Masked <</SMask <</S /Luminosity /G 6 0 R>>>> /Alpha <</SMask <</S /Alpha /G 16 0 R>>>> /Faint <</SMask <</S /Luminosity /G 16 0 R>>>> /Elsewhere <</SMask <</S /Luminosity /G 17 0 R>>>> /Ground <</SMask <</S /Luminosity /G 17 0 R /BC [1]>>>> /Pictured <</SMask <</S /Luminosity /G 18 0 R>>>> /Inverse <</SMask <</S /Luminosity /G 6 0 R /TR 19 0 R>>>> /None <</SMask /None>> /Broad <</LW 12>>'
/** A rectangle with round corners. */
const ROUND =
  '100 595 m 190 595 l 193 595 195 597 195 600 c 195 610 l 195 613 193 615 190 615 c 100 615 l 97 615 95 613 95 610 c 95 600 l 95 597 97 595 100 595 c h'
const INLINE_MASK = 'BI /W 8 /H 2 /IM true /BPC 1 ID \0\0 EI'
const INLINE = 'BI /W 2 /H 2 /BPC 8 /CS /G ID ~~~~ EI'
const SHADING =
  '<</ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 1 0] /Function <</FunctionType 2 /Domain [0 1] /C0 [1] /C1 [1] /N 1>> /Extend [true true]>>'
const GRAPHICS = `/Resources <</Font <</F 5 0 R>> /ExtGState <<${STATES}>> /XObject <</Form 6 0 R /Image 7 0 R /Clear 8 0 R /Opaque 11 0 R /Mask 12 0 R /HalfMask 13 0 R /HalfClear 15 0 R>> /Shading <</Shade ${SHADING}>> /Pattern <</Shaded <</PatternType 2 /Shading ${SHADING}>> /Tiled 9 0 R>>>>`
const image = (more: string): PdfObject => ({
  dictionary: `/Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray ${more}`,
  stream: Buffer.alloc(4, 255),
})
/** @param bits the bytes of two rows of pixels, which are painted where a bit is 0 */
const mask = (bits: readonly number[]): PdfObject => ({
  dictionary:
    '/Type /XObject /Subtype /Image /Width 8 /Height 2 /BitsPerComponent 1 /ImageMask true',
  stream: Buffer.from(bits),
})
/** The opacity of an image of which the right half is clear. */
const HALF: PdfObject = {
  dictionary:
    '/Type /XObject /Subtype /Image /Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray',
  stream: Buffer.from([255, 0]),
}
const NOTHING: PdfObject = {
  dictionary:
    '/Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray',
  stream: Buffer.alloc(4),
}
const WORD = 'BT /F 10 Tf 100 600 Td (word) Tj ET'
const BOX = '95 595 100 20 re f'
const group = (drawing: string): PdfObject => ({
  dictionary:
    '/Type /XObject /Subtype /Form /BBox [0 0 600 842] /Group <</S /Transparency /CS /DeviceGray>> /Resources <</XObject <</Image 7 0 R>>>>',
  stream: latin1(drawing),
})
const PICTURED = 'q 100 0 0 20 95 595 cm /Image Do Q'
/** A function that swaps black and white. */
const NEGATIVE = '<</FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1>>'
const TILES: PdfObject = {
  dictionary:
    '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources <<>>',
  stream: latin1('1 g 0 0 1 1 re f'),
}

const hidesByPaint = async (drawing: string): Promise<boolean> => {
  const objects = [
    ...[
      group(`1 g ${BOX}`),
      image(''),
      image('/SMask 10 0 R'),
      TILES,
      NOTHING,
      image('/SMask 7 0 R'),
    ],
    ...[mask([0, 0]), mask([0x0f, 0x0f]), HALF, image('/SMask 14 0 R')],
    ...[group(`0.5 g ${BOX}`), group('1 g 300 300 9 9 re f'), group(PICTURED), NEGATIVE],
  ]
  const file = withContent(content(drawing), GRAPHICS, objects)
  const { pages } = await readPdf(new Uint8Array(file), PDF_BOUNDS)
  return pages[0]?.hasCoveredText === true
}

it.each([
  ['a white rectangle', `${WORD} 1 g ${BOX}`],
  ['a black one', `${WORD} ${BOX}`],
  ['one with a border', `${WORD} 1 g 95 595 100 20 re B`],
  ['several that touch', `${WORD} 1 g 95 595 10 20 re 105 595 10 20 re 115 595 90 20 re f`],
  ['one that hides a letter of the word', `${WORD} 1 g 99 597 8.5 12 re f`],
  ['a broad stroke', `${WORD} 1 G 12 w 95 604 m 200 604 l S`],
  ['a stroke whose width a state sets', `${WORD} 1 G /Broad gs 95 604 m 200 604 l S`],
  ['a form', `${WORD} /Form Do`],
  ['an image', `${WORD} q 100 0 0 20 95 595 cm /Image Do Q`],
  ['an image with a mask that is opaque', `${WORD} q 100 0 0 20 95 595 cm /Opaque Do Q`],
  ['the opaque half of an image', `${WORD} q 200 0 0 20 95 595 cm /HalfClear Do Q`],
  ['paint whose soft mask is white', `${WORD} q /Masked gs 1 g ${BOX} Q`],
  ['paint whose soft mask is opaque', `${WORD} q /Alpha gs 1 g ${BOX} Q`],
  ['paint whose soft mask is white by default', `${WORD} q /Ground gs 1 g ${BOX} Q`],
  ['paint after a faint soft mask', `${WORD} q /Faint gs /None gs 1 g ${BOX} Q`],
  ['an image whose soft mask is white', `${WORD} q /Masked gs 100 0 0 20 95 595 cm /Image Do Q`],
  ['a form whose soft mask is white', `${WORD} q /Masked gs /Form Do Q`],
  ['a mask', `${WORD} 1 g q 100 0 0 20 95 595 cm /Mask Do Q`],
  ['a mask upside down', `${WORD} 1 g q 100 0 0 -20 95 615 cm /Mask Do Q`],
  ['the half of a mask that paints', `${WORD} 1 g q 200 0 0 20 95 595 cm /HalfMask Do Q`],
  ['a mask in the content', `${WORD} 1 g q 100 0 0 20 95 595 cm ${INLINE_MASK} Q`],
  ['an image in the content', `${WORD} q 100 0 0 20 95 595 cm ${INLINE} Q`],
  ['a rectangle with round corners', `${WORD} 1 g ${ROUND} f`],
  ['a circle', `${WORD} 1 g 70 603 m 70 636 130 636 130 603 c 130 570 70 570 70 603 c f`],
  ['a slanted rectangle', `${WORD} 1 g q 0.99 0.1 -0.1 0.99 80 580 cm 0 0 100 40 re f Q`],
  ['a triangle', `${WORD} 1 g 90 590 m 200 590 l 90 700 l f`],
  ['a slanted stroke', `${WORD} 1 G 14 w 95 603 m 200 605 l S`],
  ['a stroke that bends', `${WORD} 1 G 14 w 95 603 m 120 604 160 604 200 603 c S`],
  ['a gradient', `${WORD} q ${BOX.replace('f', 'W n')} /Shade sh Q`],
  ['a rectangle that is filled by a gradient', `${WORD} /Pattern cs /Shaded scn ${BOX}`],
  ['a rectangle in a round clip', `${WORD} q ${ROUND} W n 1 g ${BOX} Q`],
  ['a rectangle below other text', `${WORD} 1 g ${BOX} 0 g BT /F 10 Tf 100 600 Td (next) Tj ET`],
])('text below %s is covered', async (_, drawing) => {
  expect(await hidesByPaint(drawing)).toBe(true)
})

it.each([
  ['on a ground', `1 g ${BOX} 0 g ${WORD}`],
  [
    'on a ground that follows other text',
    `BT /F 10 Tf 100 700 Td (one) Tj ET 1 g ${BOX} 0 g ${WORD}`,
  ],
  ['below a strike', `${WORD} 1 0 0 rg 95 602.5 100 1.5 re f`],
  ['below a stroke', `${WORD} 1 0 0 RG 2 w 95 603 m 200 603 l S`],
  ['above a rule', `${WORD} 95 595 100 2 re f`],
  ['in a frame', `${WORD} 1 g 95 595 100 20 re 97 596 96 18 re f*`],
  ['in a border', `${WORD} 95 595 100 20 re S`],
  ['below a marker', `${WORD} q /Half gs 1 1 0 rg ${BOX} Q`],
  ['below a marker that blends', `${WORD} q /Through gs 1 1 0 rg ${BOX} Q`],
  ['below a group that blends', `${WORD} q /Through gs /Form Do Q`],
  ['below a faint soft mask', `${WORD} q /Faint gs 1 g ${BOX} Q`],
  ['next to the paint of a soft mask', `${WORD} q /Elsewhere gs 1 g ${BOX} Q`],
  ['below a soft mask of an image', `${WORD} q /Pictured gs 1 g ${BOX} Q`],
  ['below a soft mask that a function changes', `${WORD} q /Inverse gs 1 g ${BOX} Q`],
  ['below a form under a faint soft mask', `${WORD} q /Faint gs /Form Do Q`],
  ['in a round frame', `${WORD} 1 g ${ROUND} 97 596 96 18 re f*`],
  ['in a ring', `${WORD} 1 g 95 595 100 20 re 97 596 m 97 614 l 193 614 l 193 596 l h f`],
  ['next to a triangle', `${WORD} 1 g 90 590 m 200 700 l 90 700 l f`],
  ['below a thin slanted stroke', `${WORD} 1 0 0 RG 2 w 95 602 m 200 606 l S`],
  [
    'in the corner of a round clip',
    `${WORD} q 130 650 m 130 720 230 720 230 650 c 230 580 130 580 130 650 c W n 1 g 90 595 150 110 re f Q`,
  ],
  ['below a pattern', `${WORD} /Pattern cs /Tiled scn ${BOX}`],
  ['outside of the clip of a rectangle', `${WORD} q 300 300 10 10 re W n 1 g ${BOX} Q`],
  ['below a transparent image', `${WORD} q 100 0 0 20 95 595 cm /Clear Do Q`],
  ['of which a part of a letter is covered', `${WORD} 1 g 100 595 3 20 re f`],
  ['below the clear half of an image', `${WORD} q 200 0 0 20 5 595 cm /HalfClear Do Q`],
  ['below the half of a mask that is a hole', `${WORD} 1 g q 200 0 0 20 5 595 cm /HalfMask Do Q`],
  ['below a mask of a pattern', `${WORD} /Pattern cs /Tiled scn q 100 0 0 20 95 595 cm /Mask Do Q`],
  ['next to a mask', `${WORD} 1 g q 100 0 0 20 300 595 cm /Mask Do Q`],
  ['above a mask', `1 g q 100 0 0 20 95 595 cm /Mask Do Q 0 g ${WORD}`],
  [
    'which is a blank',
    `BT /F 10 Tf 100 600 Td (   ) Tj ET 1 g ${BOX} 0 g BT /F 10 Tf 10 9 Td (x) Tj ET`,
  ],
])('text %s is not', async (_, drawing) => {
  expect(await hidesByPaint(drawing)).toBe(false)
})

it('a certificate with covered text has a warning, and is not certain', () => {
  const source = printRows({})
  const pages = source.pages.map((page) => ({ ...page, hasCoveredText: true }))
  const parse = parseRegistry({ ...source, pages }, { parsedAt: '', documentId: null })
  if (parse.kind !== 'document') throw new Error(parse.code)
  expect(parse.document.diagnostics.warnings.map(({ code }) => code)).toEqual(['TEXT_COVERED'])
  expect(parse.confidence.level).toBe('보통')
})

describe('a certificate', () => {
  const covers = async (file: Uint8Array): Promise<boolean> => {
    const { pages } = await readPdf(new Uint8Array(file), PDF_BOUNDS)
    return pages.some(({ hasCoveredText }) => hasCoveredText === true)
  }

  it('covers none of its text, however it is printed', async () => {
    for (let seed = 1; seed <= 4; seed += 1) {
      const certificate = generateCertificate(seed)
      expect(await covers(await certificatePdf(certificate))).toBe(false)
      expect(await covers(await pdfLayout(certificate))).toBe(false)
    }
  })
})
