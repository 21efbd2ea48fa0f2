/** Lines that are drawn and not visible. As strikes they would cancel entries that are in force on paper [documents 10.3]. */
import { expect, it } from 'vitest'
import { readPdf } from '#pdf/read-pdf.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import { content, FONT, latin1, PAGES, pageWith, pdfOf } from '../support/raw-pdf.ts'

const WORD = 'BT /F 10 Tf 100 600 Td (word) Tj ET'
const STRIKE = '1 0 0 RG 0.5 w 100 603 m 125 603 l S'
const BAR = '1 0 0 rg 100 603 25 0.5 re f'
/** Two round arcs from 100, 590 to 100, 620: their ends alone have no width. */
const ROUND = '100 590 m 140 590 140 620 100 620 c h'

const linesIn = async (drawing: string) => {
  const resources =
    '/Font <</F 5 0 R>> /ExtGState <</Fills <</ca 0>> /Strokes <</CA 0>>>> /Properties <</Layer 6 0 R>> /XObject <</Form 7 0 R>>'
  const layers = '/OCProperties <</OCGs [6 0 R] /D <</Order [6 0 R] /OFF [6 0 R]>>>>'
  const file = pdfOf([
    `<</Type /Catalog /Pages 2 0 R ${layers}>>`,
    PAGES,
    pageWith(`/Resources <<${resources}>>`),
    content(`${WORD} ${drawing}`),
    FONT,
    '<</Type /OCG /Name (Layer)>>',
    {
      dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 110 842]',
      stream: latin1(STRIKE),
    },
  ])
  const { pages } = await readPdf(new Uint8Array(file), PDF_BOUNDS)
  return pages[0]?.lines.map(({ left, right }) => `${left} to ${right}`)
}

it.each([
  ['transparent', `q /Strokes gs ${STRIKE} Q`],
  ['filled and transparent', `q /Fills gs ${BAR} Q`],
  ['white', `q ${STRIKE.replace('1 0 0', '1 1 1')} Q`],
  ['below its clip', `q 90 610 50 20 re W n ${STRIKE} Q`],
  ['next to its clip', `q 130 590 50 20 re W n ${STRIKE} Q`],
  ['in a layer that is turned off', `/OC /Layer BDC /Span BMC EMC ${STRIKE} EMC`],
])('a line that is drawn %s does not count', async (_, drawing) => {
  expect(await linesIn(drawing)).toEqual([])
})

it.each([
  ['plainly', STRIKE, '100 to 125'],
  ['as a bar', BAR, '100 to 125'],
  ['with transparent fills', `/Fills gs ${STRIKE}`, '100 to 125'],
  ['after a transparent state', `q /Strokes gs Q ${STRIKE}`, '100 to 125'],
  ['in its clip', `q 90 590 50 20 re W n ${STRIKE} Q`, '100 to 125'],
  ['at the edge of its clip', `q 90 603 50 20 re W n ${STRIKE} Q`, '100 to 125'],
  ['in a round clip', `q ${ROUND} W n ${STRIKE} Q`, '100 to 125'],
  ['after a clip', `q 130 590 50 20 re W n Q ${STRIKE}`, '100 to 125'],
  ['partly in its clip', `q 90 590 20 20 re W n ${STRIKE} Q`, '100 to 110'],
  ['partly in the box of a form', '/Form Do', '100 to 110'],
  ['after a hidden layer', `/OC /Layer BDC EMC ${STRIKE}`, '100 to 125'],
])('a line that is drawn %s counts', async (_, drawing, line) => {
  expect(await linesIn(drawing)).toEqual([line])
})
