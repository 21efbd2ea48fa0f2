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
  '/Half <</ca 0.5>> /Through <</BM /Multiply>> /Masked <</SMask <</S /Luminosity /G 6 0 R>>>> /Broad <</LW 12>>'
const GRAPHICS = `/Resources <</Font <</F 5 0 R>> /ExtGState <<${STATES}>> /XObject <</Form 6 0 R /Image 7 0 R /Clear 8 0 R>>>>`
const image = (more: string): PdfObject => ({
  dictionary: `/Type /XObject /Subtype /Image /Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray ${more}`,
  stream: Buffer.alloc(4, 255),
})
const FORM: PdfObject = {
  dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 600 842] /Group <</S /Transparency>>',
  stream: latin1('1 g 95 595 100 20 re f'),
}
const WORD = 'BT /F 10 Tf 100 600 Td (word) Tj ET'
const BOX = '95 595 100 20 re f'

const hidesByPaint = async (drawing: string): Promise<boolean> => {
  const objects = [FORM, image(''), image('/SMask 7 0 R')]
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
  ['below a mask', `${WORD} q /Masked gs 1 g ${BOX} Q`],
  ['outside of the clip of a rectangle', `${WORD} q 300 300 10 10 re W n 1 g ${BOX} Q`],
  ['below a transparent image', `${WORD} q 100 0 0 20 95 595 cm /Clear Do Q`],
  ['of which a part of a letter is covered', `${WORD} 1 g 100 595 3 20 re f`],
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
