/** Text that is read and not visible, by which a file could say one thing on paper and another to the parser [documents 13.8]. */
import { expect, it } from 'vitest'
import { readPdf } from '#pdf/read-pdf.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import { parseRegistry } from '#registry/parse-registry.ts'
import { printRows } from '../registry/fixtures/certificate/from-rows.ts'
import {
  content,
  FONT,
  latin1,
  PAGES,
  type PdfObject,
  pageWith,
  pdfOf,
  withContent,
} from '../support/raw-pdf.ts'

const GRAPHICS =
  '/Resources <</Font <</F 5 0 R>> /ExtGState <</Clear <</ca 0>> /Half <</ca 0.5>> /Masked <</SMask <</S /Luminosity /G 7 0 R>>>>>> /XObject <</Form 6 0 R>>>>'
/** A circle around 250, 620 with a radius of 50. */
const CIRCLE = '200 620 m 200 687 300 687 300 620 c 300 553 200 553 200 620 c'
const FORM: PdfObject = {
  dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 50 50] /Resources <</Font <</F 5 0 R>>>>',
  stream: latin1('BT /F 10 Tf 100 600 Td (word) Tj ET'),
}
/** A soft mask that leaves the right half of the page. */
const RIGHT: PdfObject = {
  dictionary:
    '/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Group <</S /Transparency /CS /DeviceGray>>',
  stream: latin1('1 g 300 0 300 842 re f'),
}
const word = (text = 'word') => `BT /F 10 Tf 100 600 Td (${text}) Tj ET`
const hides = async (drawing: string): Promise<boolean> => {
  const file = withContent(content(`${word('visible')} ${drawing}`), GRAPHICS, [FORM, RIGHT])
  const { pages } = await readPdf(new Uint8Array(file), PDF_BOUNDS)
  return pages[0]?.hasHiddenText === true
}

it.each([
  ['without ink', `q 3 Tr ${word()} Q`],
  ['as a clip', `q 7 Tr ${word()} Q`],
  ['in white', `q 1 1 1 rg ${word()} Q`],
  ['in the white of another colour space', `q 0 0 0 0 k ${word()} Q`],
  ['transparent', `q /Clear gs ${word()} Q`],
  ['as a dot', 'BT /F 1 Tf 100 600 Td (word) Tj ET'],
  ['next to its clip', `q 100 620 50 20 re W n ${word()} Q`],
  ['partly next to its clip', `q 90 590 22 20 re W n ${word()} Q`],
  ['in a clip without a part', `q 90 590 50 20 re W n 90 700 50 20 re W n ${word()} Q`],
  ['between the parts of its clip', `q 80 590 9 40 re 200 590 9 40 re W n ${word()} Q`],
  ['in the hole of its clip', `q 80 580 90 60 re 90 590 60 40 re W* n ${word()} Q`],
  ['in the corner of a round clip', `q ${CIRCLE} W n BT /F 10 Tf 202 672 Td (w) Tj ET Q`],
  ['next to the box of a form', '/Form Do'],
  ['where its soft mask leaves nothing', `q /Masked gs ${word()} Q`],
])('text that is drawn %s is hidden', async (_, drawing) => {
  expect(await hides(drawing)).toBe(true)
})

it.each([
  ['after a state without ink', `q 3 Tr Q ${word()}`],
  ['in grey', `0.9 g ${word()}`],
  ['in white with an outline', `1 g 2 Tr ${word()}`],
  ['half transparent', `/Half gs ${word()}`],
  ['where its soft mask leaves it', `q /Masked gs 1 0 0 1 300 0 cm ${word()} Q`],
  ['as a blank', `3 Tr ${word('  ')}`],
  ['in its clip', `q 90 590 90 30 re W n ${word()} Q`],
  ['in a round clip', `q ${CIRCLE} W n BT /F 10 Tf 250 620 Td (word) Tj ET Q`],
  ['in one of the parts of its clip', `q 90 590 90 30 re 200 590 9 40 re W n ${word()} Q`],
  ['after a clip', `q 10 10 5 5 re W n Q ${word()}`],
  ['after a clip without a path', `q W n ${word()} Q`],
  ['at the edge of its clip', `q 97 598 90 30 re W n ${word()} Q`],
  ['with blanks next to its clip', `q 90 590 60 30 re W n ${word('word        ')} Q`],
])('text that is drawn %s is not', async (_, drawing) => {
  expect(await hides(drawing)).toBe(false)
})

it.each([
  ['', '/OFF [6 0 R]', 'word', true],
  ['', '/OFF [6 0 R]', '  ', false],
  ['', '', 'word', false],
  // shown in print only, as a watermark may be
  [
    '/Usage <</Print <</PrintState /ON>> /View <</ViewState /OFF>>>>',
    '/AS [<</Event /Print /Category [/Print] /OCGs [6 0 R]>> <</Event /View /Category [/View] /OCGs [6 0 R]>>]',
    'word',
    false,
  ],
])(
  'text in a layer %s%s is hidden if no program shows it: "%s"',
  async (usage, state, text, isHidden) => {
    const layers = `/OCProperties <</OCGs [6 0 R] /D <</Order [6 0 R] ${state}>>>>`
    const file = pdfOf([
      `<</Type /Catalog /Pages 2 0 R ${layers}>>`,
      PAGES,
      pageWith('/Resources <</Font <</F 5 0 R>> /Properties <</Layer 6 0 R>>>>'),
      content(`${word('visible')} /OC /Layer BDC /Span BMC EMC ${word(text)} EMC ${word('again')}`),
      FONT,
      `<</Type /OCG /Name (Layer) ${usage}>>`,
    ])
    const { pages } = await readPdf(new Uint8Array(file), PDF_BOUNDS)
    expect(pages[0]?.hasHiddenText === true).toBe(isHidden)
  },
)

/** pdftocairo names the blank of a font so, and clips to the ink of the letters before it. */
it('a blank that the font maps to a control character is not hidden', async () => {
  const map =
    '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <20> <0001> endbfchar endcmap'
  const file = pdfOf([
    '<</Type /Catalog /Pages 2 0 R>>',
    PAGES,
    pageWith('/Resources <</Font <</F 5 0 R>>>>'),
    content(`q 90 590 35 30 re W n ${word('word        ')} Q q 3 Tr ${word('  ')} Q`),
    '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R>>',
    content(map),
  ])
  const { pages } = await readPdf(new Uint8Array(file), PDF_BOUNDS)
  expect(pages[0]?.texts.map(({ text }) => text).join('')).toContain('\u0001')
  expect(pages[0]?.hasHiddenText === true).toBe(false)
})

it('a certificate with hidden text has a warning, and is not certain', () => {
  const source = printRows({})
  const pages = source.pages.map((page) => ({ ...page, hasHiddenText: true }))
  const parse = parseRegistry({ ...source, pages }, { parsedAt: '', documentId: null })
  if (parse.kind !== 'document') throw new Error(parse.code)
  expect(parse.document.diagnostics.warnings.map(({ code }) => code)).toEqual(['TEXT_HIDDEN'])
  expect(parse.confidence.level).toBe('보통')
})
