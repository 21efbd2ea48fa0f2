/**
 * Writes pages of text and lines as a PDF that needs no font. A table maps the characters, which are as wide as in a
 * certificate: Hangul one em, all others half an em. A PDF reader must find the same pages again.
 */
import { deflateSync } from 'node:zlib'
import type { PageContent, TextPiece } from '#registry/page-content.ts'
import { type PdfObject, pdfOf } from './raw-pdf.ts'

const hex = (value: number): string => value.toString(16).padStart(4, '0')
const utf16 = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex')
const isHalf = (character: string): boolean => (character.codePointAt(0) ?? 0) < 0x100

type Codes = ReadonlyMap<string, number>

const codesOf = (pages: readonly PageContent[]): Codes => {
  const codes = new Map<string, number>()
  for (const { text } of pages.flatMap(({ texts }) => texts)) {
    for (const character of text) if (!codes.has(character)) codes.set(character, codes.size + 1)
  }
  return codes
}

const toUnicode = (codes: Codes): Buffer => {
  const rows = [...codes].map(([character, code]) => `<${hex(code)}> <${utf16(character)}>`)
  return Buffer.from(
    `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange ${rows.length} beginbfchar\n${rows.join('\n')}\nendbfchar endcmap`,
    'latin1',
  )
}

const showText = ({ text, left, baseline, size }: TextPiece, codes: Codes): string => {
  const shown = [...text].map((character) => hex(codes.get(character) ?? 0)).join('')
  return `BT /F ${size} Tf ${left} ${baseline} Td <${shown}> Tj ET`
}

const drawPage = ({ texts, lines }: PageContent, codes: Codes, before: string): Buffer => {
  const drawn = lines.map(
    ({ left, right, y, isRed }) =>
      `${isRed ? '1 0 0' : '0 0 0'} RG ${left} ${y} m ${right} ${y} l S`,
  )
  const words = texts.map((piece) => showText(piece, codes)).concat(drawn)
  return deflateSync(Buffer.from(before + words.join('\n'), 'latin1'))
}

const BAR_CODE: PdfObject = {
  dictionary:
    '/Type /XObject /Subtype /Image /Width 8 /Height 2 /BitsPerComponent 1 /ColorSpace /DeviceGray',
  stream: Buffer.from([0xaa, 0x55]),
}

/**
 * @param picture whether the first page has a picture in the upper right
 * @param image that picture
 */
export const writePdf = (
  pages: readonly PageContent[],
  picture = false,
  image: PdfObject = BAR_CODE,
): Buffer => {
  const codes = codesOf(pages)
  const halves = [...codes].filter(([character]) => isHalf(character))
  const widths = halves.map(([, code]) => `${code} [500]`).join(' ')
  const first = 7
  const bars = picture ? 'q 60 0 0 60 500 760 cm /X Do Q\n' : ''
  return pdfOf([
    '<</Type /Catalog /Pages 2 0 R>>',
    `<</Type /Pages /Kids [${pages.map((_, at) => `${first + 2 * at} 0 R`).join(' ')}] /Count ${pages.length}>>`,
    '<</Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 5 0 R>>',
    `<</Type /Font /Subtype /CIDFontType2 /BaseFont /X /DW 1000 /W [${widths}] /CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>>>>`,
    { dictionary: '', stream: toUnicode(codes) },
    image,
    ...pages.flatMap((page, at) => {
      const stream = drawPage(page, codes, at === 0 ? bars : '')
      const size = `/MediaBox [0 0 ${page.width} ${page.height}]`
      const resources = '/Resources <</Font <</F 3 0 R>> /XObject <</X 6 0 R>>>>'
      const contents = first + 2 * at + 1
      return [
        `<</Type /Page /Parent 2 0 R ${size} ${resources} /Contents ${contents} 0 R>>`,
        { dictionary: '/Filter /FlateDecode', stream },
      ]
    }),
  ])
}
