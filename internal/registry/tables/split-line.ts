/** Assigns the pieces of a line to the columns of a table. */
import { halfWidths } from '../fields/normal-text.ts'
import { type Piece, partsOf, pitchOf, type TextLine } from '../reader/text-line.ts'
import type { Columns } from './columns.ts'

/** Points by which text may begin left of its column's border. */
const SLACK = 1.5

const columnAt = (left: number, borders: readonly number[]): number => {
  let column = 0
  for (const [index, border] of borders.slice(0, -1).entries()) {
    if (left >= border - SLACK) column = index
  }
  return column
}

/** The words of a piece, placed by the fixed pitch. Some PDF writers draw a whole line of a table as one text. */
const words = (piece: Piece): readonly Piece[] => partsOf(piece, /\S+(?: \S+)*/g)

/** Points by which a text must extend over a border to belong to both columns. */
const OVERHANG = 3

/** The index of the blank nearest to x, or null if the text has none. */
const blankNearest = (piece: Piece, x: number): number | null => {
  const pitch = pitchOf(piece)
  let nearest: number | null = null
  let least = Number.POSITIVE_INFINITY
  let units = 0
  let index = 0
  for (const sign of piece.text) {
    const off = Math.abs(piece.left + (units + 0.5) * pitch - x)
    if (sign === ' ' && off < least) {
      nearest = index
      least = off
    }
    units += halfWidths(sign)
    index += sign.length
  }
  return nearest
}

/** Splits a text at the border between two cells, because PDF readers join the texts of cells that are close together. */
const partAtBorder = (piece: Piece, columns: Columns): readonly Piece[] => {
  const border = columns.borders
    .slice(1, -1)
    .find((x) => piece.left < x - OVERHANG && piece.right > x + OVERHANG)
  const blank = border === undefined || !columns.isMeasured ? null : blankNearest(piece, border)
  if (border === undefined || blank === null) return [piece]
  const before = piece.text.slice(0, blank).trimEnd()
  const after = piece.text.slice(blank).trimStart()
  if (before === '' || after === '') return [piece]
  const left = { ...piece, text: before, right: Math.min(piece.right, border - 1) }
  const right = { ...piece, text: after, left: border + 1 }
  return [left, ...partAtBorder(right, columns)]
}

/** Only a piece with a wide gap can belong to two columns. */
const crossesBorder = (piece: Piece, borders: readonly number[]): boolean =>
  /\S {2,}\S/.test(piece.text) &&
  columnAt(piece.left, borders) !== columnAt(piece.right - 6, borders)

/** Assigns the pieces of a line to columns, each to the one where it begins. */
export const splitLine = (line: TextLine, columns: Columns): Piece[][] => {
  const { borders } = columns
  const cells: Piece[][] = borders.slice(1).map(() => [])
  const pieces = line.pieces.flatMap((piece) =>
    crossesBorder(piece, borders) ? words(piece) : partAtBorder(piece, columns),
  )
  for (const piece of pieces) cells[columnAt(piece.left, borders)]?.push(piece)
  return cells
}
