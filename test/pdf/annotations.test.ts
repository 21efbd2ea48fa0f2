/** Notes, stamps and fields over text, by which a viewer shows another text than the parser reads [documents 13.8]. */
import { expect, it } from 'vitest'
import { readPdf } from '#pdf/read-pdf.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import { CATALOG, content, FONT, latin1, PAGES, pageWith, pdfOf } from '../support/raw-pdf.ts'

const WORD = 'BT /F 10 Tf 100 600 Td (word) Tj ET'
const OVER = '/Rect [90 595 190 615]'
const BESIDE = '/Rect [300 595 390 615]'
const AP = '/AP <</N 7 0 R>>'

const isCovered = async (annotation: string, page = ''): Promise<boolean> => {
  const file = pdfOf([
    CATALOG,
    PAGES,
    pageWith(`/Resources <</Font <</F 5 0 R>>>> /Annots [6 0 R] ${page}`),
    content(WORD),
    FONT,
    `<</Type /Annot ${annotation}>>`,
    {
      dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 100 20]',
      stream: latin1('1 1 1 rg 0 0 100 20 re f'),
    },
  ])
  const { pages } = await readPdf(new Uint8Array(file), PDF_BOUNDS)
  expect(pages[0]?.texts.map(({ text }) => text).join('')).toBe('word')
  return pages[0]?.hasCoveredText === true
}

it.each([
  ['a note with text', `/Subtype /FreeText /Contents (other) ${OVER} ${AP}`],
  ['a note that is only printed', `/Subtype /FreeText /F 36 ${OVER} ${AP}`],
  ['a rectangle', `/Subtype /Square /IC [1 1 1] ${OVER}`],
  ['a strike', `/Subtype /StrikeOut /QuadPoints [90 615 190 615 90 595 190 595] ${OVER}`],
  ['a stamp', `/Subtype /Stamp ${OVER} ${AP}`],
  ['a field of a form', `/Subtype /Widget /FT /Tx /T (a) /V (other) /F 4 ${OVER} ${AP}`],
])('text below %s is reported', async (_, annotation) => {
  expect(await isCovered(annotation)).toBe(true)
})

it('the place of an annotation is turned with its page', async () => {
  const note = (place: string) => `/Subtype /FreeText ${place} ${AP}`
  expect(await isCovered(note(OVER), '/Rotate 90')).toBe(true)
  expect(await isCovered(note(BESIDE), '/Rotate 90')).toBe(false)
})

it.each([
  ['a note next to it', `/Subtype /FreeText ${BESIDE} ${AP}`],
  ['a note that is hidden', `/Subtype /FreeText /F 2 ${OVER} ${AP}`],
  ['a note that is neither shown nor printed', `/Subtype /FreeText /F 32 ${OVER} ${AP}`],
  ['a link', `/Subtype /Link ${OVER}`],
  ['a highlight', `/Subtype /Highlight /QuadPoints [90 615 190 615 90 595 190 595] ${OVER}`],
  ['an empty field', `/Subtype /Widget /FT /Tx /T (a) ${OVER}`],
  ['an annotation without a place', '/Subtype /FreeText'],
])('text with %s is not', async (_, annotation) => {
  expect(await isCovered(annotation)).toBe(false)
})
