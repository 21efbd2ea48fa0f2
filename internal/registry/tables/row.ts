/** A row of a table, its lines, and functions that read its cells. */
import type { TextLine } from '../reader/text-line.ts'
import { type CellLine, joinLines } from './cell-text.ts'
import type { Columns } from './columns.ts'
import type { TableKind } from './table-kind.ts'

/** The kind of break between a line of a row and the line above it. */
export type Break = 'none' | 'purpose' | 'block'

export type RowLine = Readonly<{
  page: number
  baseline: number
  /** The pieces in each column. */
  cells: readonly TextLine['pieces'][]
  above: Break
}>

/** A part of a row on one page: the page, its number among that table's parts on the page, and its box in points of the sheet. */
export type RowPart = Readonly<{
  page: number
  row: number
  box: readonly [left: number, bottom: number, right: number, top: number]
}>

/** Converts the box of a part to `[left, top, right, bottom]` of the original page. */
export type ToPageBox = (part: RowPart) => number[]

/** The number of a row whose number was not read. */
export const NO_NUMBER = ''

/** One printed entry of a table: from its number to the next number, over all its pages. */
export type Row = Readonly<{
  kind: TableKind
  columns: Columns
  number: string
  parts: readonly RowPart[]
  lines: readonly RowLine[]
}>

/** The lines of one column that are not empty. */
export const cellOf = (
  row: Row,
  column: number,
  lines: readonly RowLine[] = row.lines,
): CellLine[] => {
  const cell: CellLine[] = []
  for (const line of lines) {
    const pieces = line.cells[column] ?? []
    if (pieces.length > 0) cell.push({ page: line.page, baseline: line.baseline, pieces })
  }
  return cell
}

/** Returns the x of the column's right border, in PDF points. */
export const rightBorder = (row: Row, column: number): number =>
  row.columns.borders[column + 1] ?? row.columns.borders.at(-1) ?? 0

/** Returns the x of the column's left border, in PDF points. */
export const leftBorder = (row: Row, column: number): number => row.columns.borders[column] ?? 0

/** The text of a cell on one line. */
export const textIn = (row: Row, column: number): string =>
  joinLines(cellOf(row, column), rightBorder(row, column)).trim()
