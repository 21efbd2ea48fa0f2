/** Reads the tables of the body pages as rows, including rows that continue on the next page. */
import { squeeze } from '../fields/normal-text.ts'
import { isRank } from '../fields/number.ts'
import type { BodyPage } from '../reader/body-page.ts'
import { TABLE_LEFT } from '../reader/page-frame.ts'
import { type TextLine, textOf } from '../reader/text-line.ts'
import { type Columns, defaultColumns, isListHead, readColumnHeads } from './columns.ts'
import { joinHeads } from './head-lines.ts'
import { type Break, NO_NUMBER, type Row, type RowLine, type RowPart } from './row.ts'
import { splitLine } from './split-line.ts'
import {
  LIST_KINDS,
  PURPOSE,
  RECEIPT,
  TABLE_HEADS,
  TABLE_KINDS,
  type TableKind,
  tableKindOf,
} from './table-kind.ts'

export type Table = Readonly<{
  kind: TableKind
  page: number
  rows: readonly Row[]
  /** Whether the print states that the section has no entries (기록사항 없음). */
  isStatedEmpty: boolean
}>

export type ReadTables = Readonly<{
  tables: readonly Table[]
  /** Lines between the first and last rule of a page that belong to no row, heading or column head. */
  unplaced: readonly TextLine[]
  /** Column heads in the middle of a table, or of another table, which show that the heading above them was not read. */
  strayHeads: readonly TextLine[]
  /** The table of the current owners (현재 소유현황), page by page. */
  holders: readonly HolderLines[]
}>

export type HolderLines = Readonly<{
  lines: readonly TextLine[]
  verticals: BodyPage['verticals']
}>

type OpenRow = {
  kind: TableKind
  columns: Columns
  number: string
  parts: RowPart[]
  lines: RowLine[]
}
type OpenTable = {
  kind: TableKind
  page: number
  columns: Columns
  rows: OpenRow[]
  isStatedEmpty: boolean
}

/** Kinds of which a document may have several tables, each with its number. */

/** Labels that open a row of a list without a number. */
const LIST_LABELS = new Set(['목록번호', '거래가액'])
const PARTIAL_REACH = 540

/** The number that opens an entry, such as `1`, `1-1` or `1 (전 2)`. `(전 2)` alone opens none. */
const openingNumber = (text: string): string | null => {
  const plain = text.replace(/\(\s*전.*$/, '').trim()
  if (LIST_LABELS.has(squeeze(plain))) return squeeze(plain)
  return isRank(plain) ? plain : null
}

/** Reads the tables of a document page by page. An entry that continues on the next page has no number there. */
export const readTables = (pages: readonly BodyPage[]): ReadTables => {
  const tables: OpenTable[] = []
  const unplaced: TextLine[] = []
  const strayHeads: TextLine[] = []
  const holders: HolderLines[] = []
  const part: Part = { isUnknown: false }
  for (const page of pages) {
    const ofHolders: TextLine[] = []
    const seen = new Map<TableKind, number>()
    let before: TextLine | null = null
    for (const line of joinHeads(page.tables)) {
      const use = placeLine(line, { page, before, tables, seen, part })
      before = use === 'row' ? line : null
      if (use === 'none') unplaced.push(line)
      if (use === 'stray_head') strayHeads.push(line)
      if (use === 'holder') ofHolders.push(line)
    }
    if (ofHolders.length > 0) holders.push({ lines: ofHolders, verticals: page.verticals })
  }
  return { tables, unplaced, strayHeads, holders }
}

/** How a line was used; `none` if nothing took it. */
type Use = 'row' | 'head' | 'stray_head' | 'holder' | 'none'

type Place = Readonly<{
  page: BodyPage
  /** The line above on the same page, if it was a line of data. */
  before: TextLine | null
  tables: OpenTable[]
  seen: Map<TableKind, number>
  part: Part
}>

/** Whether the lines follow the heading of a table that the reader does not know. They belong to no table before it. */
type Part = { isUnknown: boolean }

const openTable = (kind: TableKind, page: number, tables: OpenTable[]): void => {
  const current = tables.at(-1)
  // a heading on two lines names the same table twice; on a later page the table continues, but each list is separate
  const isSame = current?.kind === kind
  if (isSame && current.page === page && current.rows.length === 0) return
  if (isSame && !LIST_KINDS.has(kind) && current.page < page) return
  const columns = defaultColumns(TABLE_HEADS[kind])
  tables.push({ kind, page, columns, rows: [], isStatedEmpty: false })
}

const placeLine = (line: TextLine, place: Place): Use => {
  const { page, tables, seen } = place
  const text = textOf(line.pieces)
  const kind = tableKindOf(text)
  if (kind !== null) {
    openTable(kind, page.number, tables)
    place.part.isUnknown = false
    return 'head'
  }
  if (TITLE_HEADING.test(squeeze(text))) return 'head'
  if (HEADING.test(squeeze(text))) place.part.isUnknown = true
  const table = tables.at(-1)
  if (table === undefined || place.part.isUnknown) return 'none'
  if (STATED_EMPTY.test(squeeze(text))) {
    table.isStatedEmpty = true
    return 'head'
  }
  // its rows are those of the summary's first table
  if (table.kind === 'holders') return 'holder'
  const columns = readColumnHeads(line, table.kind, page.verticals)
  if (columns !== null) {
    table.columns = columns
    return isRunning(table, page.number) ? 'stray_head' : 'head'
  }
  if (isListHead(line, table.kind)) return 'head'
  if (TABLE_KINDS.some((other) => readColumnHeads(line, other) !== null)) return 'stray_head'
  return addLine(table, line, { ...place, seen }) ? 'row' : 'none'
}

/** Whether the page already shows rows of the table. Heads come before rows, or are repeated at the top of the next page. */
const isRunning = (table: OpenTable, page: number): boolean =>
  // number and amount of a list come before its heads
  !LIST_LABELS.has(table.rows.at(-1)?.number ?? '') &&
  table.rows.at(-1)?.lines.at(-1)?.page === page

const STATED_EMPTY = /^-?기록사항없음-?$/
/** A heading of any table, such as `【 공 장 저 당 목 록 】`. */
const HEADING = /^【[^【】]{1,30}】(\(.*\))?$/
const TITLE_HEADING = /^[【[]표제부[】\]]$/

/** @returns false for a line above the first row */
const addLine = (table: OpenTable, line: TextLine, place: Place): boolean => {
  const cells = splitLine(line, table.columns)
  let row = table.rows.at(-1)
  const isLost = row !== undefined && losesNumber(row, cells, { line, place })
  const number = openingNumber(textOf(cells[0] ?? [])) ?? (isLost ? NO_NUMBER : null)
  if (number !== null) {
    row = { kind: table.kind, columns: table.columns, number, parts: [], lines: [] }
    table.rows.push(row)
  }
  if (row === undefined) return false
  const isUnruled = number === null && beginsReceipt(row, cells)
  const above =
    number !== null ? 'none' : isUnruled ? 'purpose' : breakAbove(table.columns, line, place)
  row.lines.push({ page: line.page, baseline: line.baseline, cells, above })
  growPart(row, line, place.seen)
  return true
}

const IS_DATED = /^\d{4}년|\d월\d{1,2}일/
/** What a number looks like that was not read. The number before computerisation, `(전 2)`, continues an entry. */
const UNREAD_NUMBER = /^[^()]{1,6}$/

/** Lines over which the narrow column breaks a purpose. */
const PURPOSE_LINES = 6

/** Whether the main registration may follow in the same entry, with its own receipt and, in some prints, below a whole rule. */
const isProvisional = ({ lines }: OpenRow): boolean => {
  const purposes = lines.slice(0, PURPOSE_LINES).map(({ cells }) => textOf(cells[PURPOSE] ?? []))
  return /(?<![인허])가등기|청구권|假登記|請求權/.test(squeeze(purposes.join('')))
}

/** Whether a line begins an entry of a rights table although it has no number, which a scan may lose with the strike over it. */
const losesNumber = (
  row: OpenRow,
  cells: RowLine['cells'],
  { line, place: { page, before } }: Readonly<{ line: TextLine; place: Place }>,
): boolean => {
  if (row.kind !== 'section_a' && row.kind !== 'section_b') return false
  const [number = '', purpose = '', receipt = ''] = cells.map((pieces) => squeeze(textOf(pieces)))
  if (purpose === '' || !IS_DATED.test(receipt)) return false
  if (before === null || isProvisional(row)) return UNREAD_NUMBER.test(number)
  return page.rules.some(
    ({ y, left, right }) =>
      y < before.baseline &&
      y > line.baseline + 5 &&
      left < TABLE_LEFT + 8 &&
      right >= PARTIAL_REACH,
  )
}

/**
 * Whether a line begins a second receipt. It belongs to a second purpose in the same rank, such as the main
 * registration after a provisional one. Some printers draw a rule between the two, some do not. After a struck receipt it
 * is the corrected one.
 */
const beginsReceipt = (row: OpenRow, cells: RowLine['cells']): boolean => {
  if (row.kind !== 'section_a' && row.kind !== 'section_b') return false
  const textAt = (of: RowLine['cells']) =>
    squeeze(textOf((of[RECEIPT] ?? []).filter(({ isStruck }) => !isStruck)))
  return (
    /^\d{4}년/.test(textAt(cells)) && row.lines.some((line) => /^제.*호$/.test(textAt(line.cells)))
  )
}

/** The break above a line. A rule from the second column separates two purposes, one from the last column two blocks of text. */
const breakAbove = (columns: Columns, line: TextLine, place: Place): Break => {
  const { before, page } = place
  const ceiling = before?.baseline ?? Number.POSITIVE_INFINITY
  const second = columns.borders[1] ?? 0
  const last = columns.borders.at(-2) ?? 0
  let found: Break = 'none'
  for (const rule of page.rules) {
    if (rule.y >= ceiling || rule.y <= line.baseline + 5 || rule.right < PARTIAL_REACH) continue
    if (before === null && rule.y > line.baseline + 30) continue
    if (Math.abs(rule.left - second) < 6) return 'purpose'
    const isBlock = Math.abs(rule.left - last) < 6
    const isWhole = rule.left < TABLE_LEFT + 8 && before !== null
    if (isBlock || isWhole) found = 'block'
  }
  return found
}

const growPart = (row: OpenRow, line: TextLine, seen: Map<TableKind, number>): void => {
  const left = Math.min(...line.pieces.map((piece) => piece.left))
  const right = Math.max(...line.pieces.map((piece) => piece.right))
  const size = line.pieces[0]?.size ?? 10
  const part = row.parts.at(-1)
  if (part === undefined || part.page !== line.page) {
    const number = (seen.get(row.kind) ?? 0) + 1
    seen.set(row.kind, number)
    const box = [left, line.baseline - size * 0.3, right, line.baseline + size] as const
    row.parts.push({ page: line.page, row: number, box })
    return
  }
  const [l, , r, top] = part.box
  const box = [Math.min(l, left), line.baseline - size * 0.3, Math.max(r, right), top] as const
  row.parts[row.parts.length - 1] = { ...part, box }
}
