/** Finds the column borders of a table from its heads, in points (1/72 inch). */
import { squeeze } from '../fields/normal-text.ts'
import { TABLE_LEFT } from '../reader/page-frame.ts'
import type { Piece, TextLine } from '../reader/text-line.ts'
import { SPANNING_HEADS, TABLE_HEADS, type TableHead, type TableKind } from './table-kind.ts'

const UNIT = 5.09855
const GRID_UNITS = 108
/** How far a derived border may lie from the grid, or the last one from the table's edge, and still be believed. */
const BELIEVED = 2.5

/** Borders between columns in points: one more than there are columns. */
export type Columns = Readonly<{ borders: readonly number[]; isMeasured: boolean }>

/** Returns the x of a grid line, in PDF points (1/72 inch) of the standard form. */
export const gridPoint = (unit: number): number => TABLE_LEFT + UNIT * unit

/** Returns the columns that the standard form has, for a table whose borders are not drawn. */
export const defaultColumns = (head: TableHead): Columns => {
  const borders = head.columns.map((column) => gridPoint(column.unit))
  return { borders: [...borders, gridPoint(GRID_UNITS)], isMeasured: false }
}

/** The heads are centred in their columns: each border follows from the one before it and the centre between. */
export const columnsFromCentres = (centres: readonly number[]): Columns | null => {
  const borders = [TABLE_LEFT]
  for (const centre of centres) {
    const right = 2 * centre - (borders.at(-1) ?? TABLE_LEFT)
    borders.push(gridPoint(Math.round((right - TABLE_LEFT) / UNIT)))
    if (Math.abs(right - (borders.at(-1) ?? 0)) > BELIEVED) return null
  }
  const isRising = borders.every(
    (border, index) => index === 0 || border > (borders[index - 1] ?? 0),
  )
  // heads that are a little off their centres move every border after them, and the last one most
  const closes = Math.abs((borders.at(-1) ?? 0) - gridPoint(GRID_UNITS)) < UNIT / 2
  return isRising && closes ? { borders, isMeasured: true } : null
}

/** Takes pieces from the left while their text begins one of the names. @returns how many make the longest name */
const takeHead = (pieces: readonly Piece[], names: readonly string[]): number => {
  let text = ''
  let taken = 0
  for (const [index, piece] of pieces.entries()) {
    text += squeeze(piece.text)
    if (names.includes(text)) taken = index + 1
    if (!names.some((name) => name.startsWith(text))) break
  }
  return taken
}

/** The centres of the column heads in one line; null when the line is anything else. */
const headCentres = (pieces: readonly Piece[], head: TableHead): readonly number[] | null => {
  const centres: number[] = []
  let rest = pieces
  for (const column of head.columns) {
    const count = takeHead(rest, column.names)
    const first = rest[0]
    const last = rest[count - 1]
    if (count === 0 || first === undefined || last === undefined) return null
    centres.push((first.left + last.right) / 2)
    rest = rest.slice(count)
  }
  return rest.length === 0 ? centres : null
}

/** Reads a line as the table's column heads. */
export const readColumnHeads = (line: TextLine, kind: TableKind): Columns | null => {
  const head = TABLE_HEADS[kind]
  const centres = headCentres(line.pieces, head)
  return centres === null ? null : (columnsFromCentres(centres) ?? defaultColumns(head))
}

/** The words of a list's two-row head, on up to three lines. */
export const isListHead = (line: TextLine, kind: TableKind): boolean => {
  let rest: readonly Piece[] = line.pieces
  const names = [...TABLE_HEADS[kind].columns.flatMap((column) => column.names), ...SPANNING_HEADS]
  while (rest.length > 0) {
    const count = takeHead(rest, names)
    if (count === 0) return false
    rest = rest.slice(count)
  }
  return true
}
