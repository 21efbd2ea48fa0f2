/** Separates the tables of a page from headers, footers and other text around them. */
import { squeeze } from '../fields/normal-text.ts'
import { isRank } from '../fields/number.ts'
import type { HorizontalLine, PageContent, VerticalLine } from '../page-content.ts'
import { readColumnHeads } from '../tables/columns.ts'
import { TABLE_KINDS, tableKindOf } from '../tables/table-kind.ts'
import { isFullRule, TABLE_LEFT } from './page-frame.ts'
import { readLines, type TextLine, textOf } from './text-line.ts'

/** A page in three parts: the lines in the tables, above them and below them. */
export type BodyPage = Readonly<{
  number: number
  width: number
  above: readonly TextLine[]
  tables: readonly TextLine[]
  below: readonly TextLine[]
  rules: readonly HorizontalLine[]
  verticals: readonly VerticalLine[]
}>

const FURNITURE = [
  /^(열람|발행|출력)일시?/,
  /^발행번호/,
  /^\d{1,4}\/\d{1,4}$/,
  /^관할등기소/,
  /^\*/,
  /^등기사항(전부|일부)증명서/,
  /^-(토지|건물|집합건물)-$/,
  /^고유번호\d/,
  /^이증명서는등기기록/,
  /^\[인터넷발급\]/,
  /^서기\d/,
  /^법원행정처/,
  /^입력하여위·변조여부/,
  /^수수료/,
  /^발행등기소/,
]

const squeezed = (line: TextLine): string =>
  squeeze(line.pieces.map((piece) => piece.text).join(''))

/** Whether a line is the end mark `-- 이 하 여 백 --`. */
export const isEndMark = (line: TextLine): boolean => /^-*이하여백-*$/.test(squeezed(line))

/** Finds the end mark `-- 이 하 여 백 --`. Lines below it on the page are not entries. */
const endOfRegister = (lines: readonly TextLine[]): number => {
  const found = lines.findIndex(isEndMark)
  return found === -1 ? lines.length : found
}

/** Whether a line is one that the registry prints around the tables. */
export const isFurniture = (line: TextLine): boolean => {
  const text = squeezed(line)
  const isPropertyLine =
    /^\[(토지|건물|집합건물)\]/.test(text) && (line.pieces[0]?.left ?? 100) < 40
  return isPropertyLine || FURNITURE.some((pattern) => pattern.test(text))
}

/** Points. Rows and headings of tables are closer together than this, and the foot of a page is farther away. */
const LARGEST_GAP = 45

/** Whether a line opens a table, or repeats its column heads at the top of a page. */
const isHeading = (line: TextLine): boolean =>
  tableKindOf(textOf(line.pieces)) !== null ||
  /^[【[]표제부/.test(squeezed(line)) ||
  TABLE_KINDS.some((kind) => readColumnHeads(line, kind) !== null)

/** The top of the tables. A table whose first rule is missing begins at its heading. */
const topOf = (lines: readonly TextLine[], highestRule: number): number => {
  const heading = lines.find(isHeading)
  return Math.max(highestRule, (heading?.baseline ?? 0) + 1)
}

/** Whether the line begins with a number in the place of ranks. It is then a row of a table at any distance. */
const isNumbered = (line: TextLine): boolean => {
  const first = line.pieces[0]
  return first !== undefined && first.left < 70 && isRank(squeeze(first.text))
}

/** Lines of a table whose last rules are missing. It continues while lines follow closely, or with a numbered row. */
const lostTail = (
  lines: readonly TextLine[],
  { top, bottom }: Readonly<{ top: number; bottom: number }>,
): ReadonlySet<TextLine> => {
  const rest = lines.filter((line) => line.baseline < top && !isFurniture(line))
  const lost = new Set<TextLine>()
  let above = bottom
  let hasNumber = false
  for (const line of rest) {
    if (line.baseline <= bottom) {
      hasNumber ||= isNumbered(line)
      if (!hasNumber && above - line.baseline > LARGEST_GAP) break
      lost.add(line)
    }
    above = Math.min(above, line.baseline)
  }
  return lost
}

/** Points from the table's left within which a row prints its number. A row continued from the previous page has none. */
const NUMBER_WIDTH = 35

/** Lines above the first rule that continue a row of the previous page. Some printers close no cells at the end of a page. */
const lostHead = (lines: readonly TextLine[], top: number): ReadonlySet<TextLine> => {
  const lost = new Set<TextLine>()
  let below = top
  for (const line of lines.filter(({ baseline }) => baseline >= top).toReversed()) {
    const left = line.pieces[0]?.left ?? 0
    const goesOn = left > TABLE_LEFT + NUMBER_WIDTH && line.baseline - below <= LARGEST_GAP
    if (!goesOn || isFurniture(line)) break
    lost.add(line)
    below = line.baseline
  }
  return lost
}

/** Reads the pages of the register. Everything after the end mark counts as below the tables. */
export const readBodyPages = (pages: readonly PageContent[]): readonly BodyPage[] => {
  const read = pages.map(readBodyPage)
  const last = read.findIndex(({ tables, below }) => [...tables, ...below].some(isEndMark))
  return read.map((page, index) =>
    last === -1 || index <= last
      ? page
      : { ...page, tables: [], below: [...page.tables, ...page.below] },
  )
}

/** Splits a page at its first and last table rule or, if rules are missing, by headings and the texts around the tables. */
const readBodyPage = (page: PageContent, index: number): BodyPage => {
  const lines = readLines(page)
  const heights = page.lines.filter(isFullRule).map((rule) => rule.y)
  const { number, width, lines: rules, verticals = [] } = page
  const base = { number, width, rules, verticals }
  const end = endOfRegister(lines)
  if (heights.length < 2) {
    const body = lines.slice(0, end)
    const outside = body.filter(isFurniture)
    const tables = body.filter((line) => !isFurniture(line))
    return { ...base, above: outside, tables, below: lines.slice(end) }
  }
  const top = topOf(lines.slice(0, end), Math.max(...heights))
  const bottom = Math.min(...heights)
  const tail = lostTail(lines.slice(0, end), { top, bottom })
  const head = index === 0 ? new Set() : lostHead(lines.slice(0, end), top)
  const isInside = (line: TextLine, at: number) =>
    tail.has(line) || head.has(line) || (at < end && line.baseline < top && line.baseline > bottom)
  const outside = lines.filter((line, at) => !isInside(line, at))
  return {
    ...base,
    above: outside.filter((line) => line.baseline >= top),
    tables: lines.filter(isInside),
    below: outside.filter((line) => line.baseline < top),
  }
}
