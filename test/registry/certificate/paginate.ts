import { gridX, LEFT, RULE_RIGHT, SIZE } from './grid.ts'
import type { Random } from './random.ts'
import { rowsOf, type TableRow } from './rows.ts'
import { createSheet, drawCentred, drawLine, drawRule, type Sheet } from './sheet.ts'
import type { Style } from './style.ts'
import { drawHeading, drawHeads, drawPreface, headHeight } from './table-heads.ts'
import type { Band } from './text.ts'
import type { Table } from './title-row.ts'

const FIRST_TOP = 663.689
const MIDDLE_TOP = 745.914
const LAST_TOP = 750.139
/** No table rule stands lower. */
const LOWEST_RULE = 147.914
/** End mark and office need this much below the last table. */
const TRAILER = 50

/** Where a band was printed, and whether a purpose was cut between two pages. */
export type BandPlace = { readonly pages: number[]; isPurposeCut: boolean }
export type Flow = {
  readonly sheets: Sheet[]
  readonly places: ReadonlyMap<Band, BandPlace>
  /** Below the last table. */
  readonly end: number
}
export type FlowPlan = {
  readonly lastPage: number
  /** Keeps the page before the last from taking everything. */
  readonly keptFree: number
}

type Cursor = {
  readonly sheets: Sheet[]
  readonly places: Map<Band, BandPlace>
  sheet: Sheet
  y: number
  limit: number
  readonly openPage: () => void
}

const createCursor = (style: Style, random: Random, plan: FlowPlan): Cursor => {
  const open = (number: number): { sheet: Sheet; y: number; limit: number } => {
    const isLast = number >= plan.lastPage
    const isEdge = number === 1 || isLast
    const sheet = createSheet(number, isEdge, style, random)
    const y = number === 1 ? FIRST_TOP : isLast ? LAST_TOP : MIDDLE_TOP
    const isBeforeLast = number === plan.lastPage - 1
    const limit = LOWEST_RULE + (isLast ? TRAILER : 0) + (isBeforeLast ? plan.keptFree : 0)
    return { sheet, y, limit: limit - 0.05 }
  }
  const first = open(1)
  const cursor: Cursor = {
    sheets: [first.sheet],
    places: new Map(),
    ...first,
    openPage: () => {
      Object.assign(cursor, open(cursor.sheets.length + 1))
      cursor.sheets.push(cursor.sheet)
    },
  }
  return cursor
}

const pitchesLeft = (cursor: Cursor): number =>
  Math.floor((cursor.y - cursor.limit) / cursor.sheet.pitch + 1e-6)

const drawVerticals = (cursor: Cursor, table: Table, top: number, isHeadless: boolean): void => {
  if (!cursor.sheet.style.hasVerticalRules || isHeadless) return
  for (const column of [...table.columns.map(({ from }) => from)]) {
    cursor.sheet.verticals.push({ x: gridX(column), bottom: cursor.y, top })
  }
  cursor.sheet.verticals.push({ x: RULE_RIGHT, bottom: cursor.y, top })
}

/** Rows that fit; a partial rule never stands at the edge of a page, where nobody could see it. */
const rowsThatFit = (rows: readonly TableRow[], room: number): number => {
  if (room >= rows.length) return rows.length
  let count = Math.max(0, room)
  const isRule = (index: number): boolean => (rows[index]?.ruleFrom ?? null) !== null
  while (count > 0 && (isRule(count - 1) || isRule(count))) count -= 1
  return count
}

const drawRows = (cursor: Cursor, table: Table, rows: readonly TableRow[]): void => {
  const { sheet } = cursor
  const top = cursor.y - sheet.toBaseline
  for (const [index, row] of rows.entries()) {
    const baseline = top - index * sheet.pitch
    for (const line of row.lines) {
      const column = table.columns[line.column]
      if (column !== undefined) drawLine(sheet, column, line, baseline)
    }
    if (row.ruleFrom !== null) {
      const from = table.columns[row.ruleFrom]?.from ?? 0
      // half way between the lines above and below, as between two bands
      drawRule(sheet, cursor.y - (index + 1) * sheet.pitch, gridX(from))
    }
  }
  cursor.y -= (rows.length + 1) * sheet.pitch
  drawRule(sheet, cursor.y)
}

const drawBand = (cursor: Cursor, table: Table, band: Band, tableTop: { y: number }): void => {
  const place: BandPlace = { pages: [], isPurposeCut: false }
  cursor.places.set(band, place)
  let rest: readonly TableRow[] = rowsOf(band, table.columns, table.centresLead)
  while (rest.length > 0) {
    const count = rowsThatFit(rest, pitchesLeft(cursor) - 1)
    if (count === 0) {
      drawVerticals(cursor, table, tableTop.y, false)
      cursor.openPage()
      tableTop.y = cursor.y
      cursor.y = drawHeads(cursor.sheet, table, cursor.y)
      continue
    }
    drawRows(cursor, table, rest.slice(0, count))
    place.pages.push(cursor.sheet.number)
    const hasPurpose = (row: TableRow | undefined): boolean =>
      row?.lines.some((line) => line.column === 1) ?? false
    if (count < rest.length && hasPurpose(rest[count - 1]) && hasPurpose(rest[count]))
      place.isPurposeCut = true
    rest = rest.slice(count)
  }
}

const drawEmpty = (cursor: Cursor, text: string): void => {
  drawCentred(cursor.sheet, text, [LEFT, gridX(108)], cursor.y - cursor.sheet.toBaseline, SIZE)
  cursor.y -= 2 * cursor.sheet.pitch
  drawRule(cursor.sheet, cursor.y)
}

const drawTable = (cursor: Cursor, table: Table, isFirst: boolean): void => {
  const needed = 2 + headHeight(table) + table.preface.length * 2 + 2
  if (!isFirst && table.heading.name !== null) cursor.y -= cursor.sheet.pitch
  if (pitchesLeft(cursor) < needed) cursor.openPage()
  cursor.y = drawHeading(cursor.sheet, table.heading, cursor.y, isFirst)
  cursor.y = drawPreface(cursor.sheet, table, cursor.y)
  const tableTop = { y: cursor.y }
  const isHeadless = table.emptyText !== null && !cursor.sheet.style.hasEmptySectionHeads
  if (isHeadless) drawRule(cursor.sheet, cursor.y)
  else cursor.y = drawHeads(cursor.sheet, table, cursor.y)
  if (table.emptyText !== null) drawEmpty(cursor, table.emptyText)
  for (const band of table.bands) drawBand(cursor, table, band, tableTop)
  drawVerticals(cursor, table, tableTop.y, isHeadless)
}

/** Lays tables below one another, over as many pages as they need. */
export const flow = (
  tables: readonly Table[],
  style: Style,
  random: Random,
  plan: FlowPlan,
): Flow => {
  const cursor = createCursor(style, random, plan)
  for (const [index, table] of tables.entries()) drawTable(cursor, table, index === 0)
  return { sheets: cursor.sheets, places: cursor.places, end: cursor.y }
}
