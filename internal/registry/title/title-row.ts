/** Facts that all rows of the title section share: number, date, and whether they are cancelled. */
import { findDate } from '../fields/date.ts'
import { findPreviousRank } from '../fields/number.ts'
import {
  type CellLine,
  inForce,
  joinLines,
  lineText,
  struckShareOf,
  withoutStruck,
} from '../tables/cell-text.ts'
import { cellOf, type Row, rightBorder, textIn } from '../tables/row.ts'

/** `1`, or `1 (전 2)` with the number from before the register was computerised. */
export const displayNumber = (row: Row): string => {
  const previous = findPreviousRank(cellOf(row, 0).map(lineText).join(''))
  return previous === null ? row.number : `${row.number} (전 ${previous})`
}

const DATE_COLUMN = 1

/** Returns the date of a row in the parser's format, or null. */
export const dateOf = (row: Row): string | null => findDate(textIn(row, DATE_COLUMN))?.date ?? null

/** Returns the text of a line with runs of blanks reduced to one. */
export const plainText = (line: CellLine): string => lineText(line).replace(/ {2,}/g, ' ').trim()

/** The lines of a cell that are in force, in a row that is not cancelled. */
export const liveLines = (row: Row, column: number): readonly CellLine[] =>
  withoutStruck(cellOf(row, column))

/** Returns the text of a cell that is in force, or what was struck if nothing else is printed. */
export const entryText = (row: Row, column: number, isCancelled: boolean): string => {
  const lines = cellOf(row, column)
  return joinLines(isCancelled ? lines : inForce(lines), rightBorder(row, column)).trim()
}

/** Whether a title row is cancelled: its number or most of its text is struck. Its last cell may contain a later note. */
export const isRowDead = (row: Row): boolean => {
  const number = cellOf(row, 0).slice(0, 1)
  if (struckShareOf(number) >= 0.5) return true
  const columns = row.columns.borders.length - 1
  const said = Array.from({ length: columns - 1 }, (_, column) => cellOf(row, column)).flat()
  return struckShareOf(said) >= 0.8
}
