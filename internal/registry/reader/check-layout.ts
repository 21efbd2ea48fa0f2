/** Looks for signs in the layout that rows were split or joined at the wrong places [documents 13.6]. */
import type { HorizontalLine } from '../page-content.ts'
import { type Finding, finding } from '../schema/document.ts'
import { gridPoint } from '../tables/columns.ts'
import { cellOf, type Row, rightBorder } from '../tables/row.ts'
import type { BodyPage } from './body-page.ts'
import { type PageNumber, readPageNumber } from './page-number.ts'
import type { SummaryPage } from './read-pages.ts'
import { type Piece, type TextLine, textOf } from './text-line.ts'

/** Points by which text may extend over the border of its column. */
const OVERLAP = 4
/** The minimum distance of baselines in a column, in font sizes. In print it is 1.2. */
const CLOSEST = 0.75

const isCrossing = (row: Row): boolean =>
  row.lines.some(({ cells }) =>
    cells.some((pieces, column) =>
      pieces.some(({ right }) => right > rightBorder(row, column) + OVERLAP),
    ),
  )

/** Whether texts of one line overlap by more than half of the shorter one. */
const isOverlaid = (row: Row): boolean =>
  row.lines.some(({ cells }) => {
    const pieces = cells.flat().toSorted((a, b) => a.left - b.left)
    return pieces.slice(1).some((piece, at) => {
      const before = pieces[at] ?? piece
      const shared = Math.min(before.right, piece.right) - piece.left
      const shorter = Math.min(before.right - before.left, piece.right - piece.left)
      return shared > Math.max(3, shorter / 2)
    })
  })

const isCrowded = (row: Row): boolean =>
  row.columns.borders.slice(1).some((_, column) => {
    const lines = cellOf(row, column)
    return lines.some((line, at) => {
      const before = lines[at - 1]
      const size = line.pieces[0]?.size ?? 10
      return before?.page === line.page && before.baseline - line.baseline < size * CLOSEST
    })
  })

/** Reports text outside of the columns and lines of its table, which was split or joined at the wrong places. */
const checkRows = (rows: readonly Row[]): readonly Finding[] => {
  const uneven = rows.filter((row) => isCrossing(row) || isCrowded(row) || isOverlaid(row))
  const page = uneven[0]?.parts[0]?.page
  if (page === undefined) return []
  const message = `Text of ${uneven.length} rows leaves its column or line, first on page ${page}.`
  return [finding('LAYOUT_UNEVEN', message)]
}

/** Where rules of a table begin: at its left edge, at the left of the purposes, or at the left of the rights. */
const RULE_STARTS = [0, 10, 62].map(gridPoint)
const RULE_END = 540

const isRule = ({ left, right }: HorizontalLine): boolean =>
  right >= RULE_END && RULE_STARTS.some((start) => Math.abs(left - start) < 2)

/** Maximum number of rules to check on a page, which usually has about 50. It limits the time for hostile files. */
const MOST_RULES = 500
/** Maximum distance between baselines of a paragraph, in font sizes. A rule between two rows keeps them farther apart. */
const PITCH = 1.35

/** One piece of each line that extends right of where the rule begins, from top to bottom. */
const baselinesBeside = (rule: HorizontalLine, lines: readonly TextLine[]): readonly Piece[] =>
  lines.flatMap(({ pieces }) => pieces.find(({ right }) => right > rule.left) ?? [])

/** Whether a rule cuts a paragraph. A real rule of the form is always between two rows. */
const cutsParagraph = (rule: HorizontalLine, lines: readonly TextLine[]): boolean => {
  const beside = baselinesBeside(rule, lines)
  const at = beside.findIndex(({ baseline }) => baseline < rule.y)
  const [above, below] = [beside[at - 1], beside[at]]
  if (above === undefined || below === undefined) return false
  return above.baseline - below.baseline <= below.size * PITCH
}

const checkRules = (page: BodyPage): readonly Finding[] => {
  const rules = page.rules.filter(isRule).slice(0, MOST_RULES)
  const cut = rules.filter((rule) => cutsParagraph(rule, page.tables))
  if (cut.length === 0) return []
  const message = `${cut.length} rules on page ${page.number} run through a paragraph.`
  return [finding('RULE_IN_PARAGRAPH', message)]
}

type LinesOfPage = readonly TextLine[]

/** The number of each page, or null. */
const numbersOf = (pages: readonly LinesOfPage[]): readonly (PageNumber | null)[] =>
  pages.map((lines) => {
    const texts = lines.flatMap((line) => line.pieces.map((piece) => piece.text))
    const found = [...texts, ...lines.map((line) => textOf(line.pieces))].map(readPageNumber)
    return found.find((number) => number !== null) ?? null
  })

/** Whether pages are numbered from 1 to the last. Pages without a number are not checked. */
const isCounted = (pages: readonly LinesOfPage[]): boolean =>
  numbersOf(pages).every(
    (number, at) => number === null || (number.page === at + 1 && number.of === pages.length),
  )

/** Checks page numbers, such as `2/9`. Those of the summary count separately or continue those of the register. */
const checkNumbers = (
  register: readonly LinesOfPage[],
  summary: readonly LinesOfPage[],
): readonly Finding[] => {
  const all = [...register, ...summary]
  if (isCounted(all) || (isCounted(register) && isCounted(summary))) return []
  const numbers = numbersOf(all).filter((number) => number !== null)
  const printed = numbers.map(({ page, of }) => `${page}/${of}`).join(', ')
  return [finding('PAGES_INCOMPLETE', `Pages are missing or out of order: ${printed}.`)]
}

type Checked = Readonly<{
  body: readonly BodyPage[]
  summary: readonly SummaryPage[]
  rows: readonly Row[]
  summaryRows: readonly Row[]
}>

export const checkLayout = ({ body, summary, rows, summaryRows }: Checked): readonly Finding[] => {
  const register = body.map(({ above, tables, below }) => [...above, ...tables, ...below])
  const isAssumed = summaryRows.some((row) => !row.columns.isMeasured)
  return [
    ...checkNumbers(
      register,
      summary.map(({ lines }) => lines),
    ),
    ...body.flatMap(checkRules),
    ...checkRows(rows),
    ...checkRows(summaryRows),
    ...(isAssumed
      ? [finding('COLUMNS_ASSUMED', 'The column heads of the summary were not found.')]
      : []),
  ]
}
