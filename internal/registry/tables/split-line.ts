/** Assigns the pieces of a line to the columns of a table. */
import { halfWidths } from '../fields/normal-text.ts'
import type { Piece, TextLine } from '../reader/text-line.ts'
import type { Columns } from './columns.ts'

/** Text may begin a little left of its column's border. */
const SLACK = 1.5

const columnAt = (left: number, borders: readonly number[]): number => {
  let column = 0
  for (const [index, border] of borders.slice(0, -1).entries()) {
    if (left >= border - SLACK) column = index
  }
  return column
}

/** The words of a piece where the fixed pitch puts them: some writers draw a whole line of a table as one text. */
const words = (piece: Piece): readonly Piece[] => {
  const pitch = (piece.right - piece.left) / Math.max(1, halfWidths(piece.text))
  const found: Piece[] = []
  for (const match of piece.text.matchAll(/\S+(?: \S+)*/g)) {
    const left = piece.left + halfWidths(piece.text.slice(0, match.index)) * pitch
    found.push({ ...piece, text: match[0], left, right: left + halfWidths(match[0]) * pitch })
  }
  return found
}

/** Only a piece with a wide gap in it can belong to two columns. */
const crossesBorder = (piece: Piece, borders: readonly number[]): boolean =>
  /\S {2,}\S/.test(piece.text) &&
  columnAt(piece.left, borders) !== columnAt(piece.right - 6, borders)

/** The pieces of a line by column: each belongs where it begins. */
export const splitLine = (line: TextLine, columns: Columns): Piece[][] => {
  const { borders } = columns
  const cells: Piece[][] = borders.slice(1).map(() => [])
  const pieces = line.pieces.flatMap((piece) =>
    crossesBorder(piece, borders) ? words(piece) : [piece],
  )
  for (const piece of pieces) cells[columnAt(piece.left, borders)]?.push(piece)
  return cells
}
