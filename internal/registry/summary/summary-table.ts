/** Splits the summary pages into the rows of their three tables. */
import { squeeze } from '../fields/normal-text.ts'
import { isRank } from '../fields/number.ts'
import type { SummaryPage } from '../reader/read-pages.ts'
import { type TextLine, textOf } from '../reader/text-line.ts'
import { type Columns, columnsFromHeads, gridPoint } from '../tables/columns.ts'
import { joinHeads } from '../tables/head-lines.ts'
import type { Row, RowLine } from '../tables/row.ts'
import { splitLine } from '../tables/split-line.ts'
import type { TableHead } from '../tables/table-kind.ts'

type SummaryTableKind = 'owners' | 'ownership_rights' | 'other_rights'
export type SummaryRow = Row & Readonly<{ table: SummaryTableKind }>

const TITLES: readonly (readonly [RegExp, SummaryTableKind])[] = [
  [/^1\.소유지분현황/, 'owners'],
  [/^2\.소유지분을제외한소유권에관한사항/, 'ownership_rights'],
  [/^3\.\(근\)저당권및전세권등/, 'other_rights'],
]
const OWNER_HEADS = ['등기명의인', '(주민)등록번호', '최종지분', '주소', '순위번호']
const RIGHT_HEADS = ['순위번호', '등기목적', '접수정보', '주요등기사항', '대상소유자']
const HEADS: readonly TableHead[] = [OWNER_HEADS, RIGHT_HEADS].map((names) => ({
  columns: names.map((name) => ({ names: [name], unit: 0 })),
}))
const OWNER_UNITS = [0, 17, 33, 46, 99, 108]
const RIGHT_UNITS = [0, 10, 32, 47, 96, 108]
const END =
  /^\[(참고사항|주의사항)\]|^출력일시|^\d+\/\d+$|^-?기록사항없음$|^고유번호|^\[(토지|건물|집합건물)\]/

type State = {
  kind: SummaryTableKind | null
  columns: Columns
  rows: { row: Row; lines: RowLine[]; table: SummaryTableKind }[]
  rowOnPage: number
}

const gridColumns = (units: readonly number[]): Columns => ({
  borders: units.map(gridPoint),
  isMeasured: false,
})

/** Reads the heads of a summary table, if the line contains nothing else. */
const readHeads = (
  line: TextLine,
  names: readonly string[],
  verticals: SummaryPage['verticals'],
): Columns | null => {
  if (squeeze(textOf(line.pieces)) !== names.join('')) return null
  const spans: { left: number; right: number }[] = []
  let rest = [...line.pieces]
  for (const name of names) {
    let text = ''
    const taken = rest.findIndex((piece) => {
      text += squeeze(piece.text)
      return text === name
    })
    const first = rest[0]
    const last = rest[taken]
    if (first === undefined || last === undefined) return null
    const lefts = rest.slice(0, taken + 1).map((piece) => piece.left)
    const rights = rest.slice(0, taken + 1).map((piece) => piece.right)
    spans.push({ left: Math.min(...lefts), right: Math.max(...rights) })
    rest = rest.slice(taken + 1)
  }
  return columnsFromHeads(spans, line, verticals)
}

/** Whether an owner's name is complete. It ends with the kind of owner in brackets; until then the next line continues it. */
const isNameComplete = (lines: readonly RowLine[]): boolean => {
  const name = squeeze(lines.map((line) => textOf(line.cells[0] ?? [])).join(''))
  return /\([가-힣]*자\)$/.test(name)
}

const opensRow = (state: State, cells: RowLine['cells']): boolean => {
  const first = squeeze(textOf(cells[0] ?? []))
  if (state.kind !== 'owners') return isRank(first)
  const last = state.rows.at(-1)
  if (first === '') return false
  return last === undefined || last.table !== 'owners' || isNameComplete(last.lines)
}

const placeLine = (state: State, line: TextLine, { verticals }: SummaryPage): void => {
  const text = squeeze(textOf(line.pieces))
  const title = TITLES.find(([pattern]) => pattern.test(text))?.[1]
  if (title !== undefined) {
    // both tables of rights have the same columns, so the heads of one measure both
    const isKnown = state.kind === 'ownership_rights' && state.columns.isMeasured
    if (!isKnown) state.columns = gridColumns(title === 'owners' ? OWNER_UNITS : RIGHT_UNITS)
    state.kind = title
    return
  }
  if (END.test(text)) {
    if (/^\[참고사항\]/.test(text)) state.kind = null
    return
  }
  if (state.kind === null) return
  const names = state.kind === 'owners' ? OWNER_HEADS : RIGHT_HEADS
  const heads = readHeads(line, names, verticals)
  if (heads !== null) state.columns = heads
  else if (text !== names.join('')) addLine(state, state.kind, line)
}

const addLine = (state: State, kind: SummaryTableKind, line: TextLine): void => {
  const cells = splitLine(line, state.columns)
  const rowLine: RowLine = { page: line.page, baseline: line.baseline, cells, above: 'none' }
  if (opensRow(state, cells)) {
    state.rowOnPage += 1
    const number = squeeze(textOf(cells[0] ?? []))
    const box = [0, 0, 0, 0] as const
    const parts = [{ page: line.page, row: state.rowOnPage, box }]
    const lines: RowLine[] = []
    const row: Row = { kind: 'holders', columns: state.columns, number, parts, lines }
    state.rows.push({ row, lines, table: kind })
  }
  state.rows.at(-1)?.lines.push(rowLine)
}

/** Reads the rows of the three tables of a summary, page by page. */
export const readSummaryRows = (pages: readonly SummaryPage[]): readonly SummaryRow[] => {
  return rowsFrom(pages, null)
}

/** Reads the rows of a table of owners, which has no summary title. */
export const readHolderRows = (pages: readonly SummaryPage[]): readonly SummaryRow[] =>
  rowsFrom(pages, 'owners')

const rowsFrom = (
  pages: readonly SummaryPage[],
  kind: SummaryTableKind | null,
): readonly SummaryRow[] => {
  const state: State = { kind, columns: gridColumns(OWNER_UNITS), rows: [], rowOnPage: 0 }
  for (const page of pages) {
    state.rowOnPage = 0
    for (const line of joinHeads(page.lines, HEADS)) placeLine(state, line, page)
  }
  return state.rows.map(({ row, table }) => ({ ...row, table }))
}
