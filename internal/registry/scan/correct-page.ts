/**
 * Prepares a page read by OCR for the parser of printed text: it corrects fixed lines, removes letters from
 * numbers, and adds what every print has. It changes no field that could be read in two ways.
 */
import type { PageContent, TextPiece } from '../page-content.ts'
import { correctText } from './correct-text.ts'
import { correctColumnHeads, correctHeading, type ScanLine } from './fixed-lines.ts'

const SAME_LINE = 3.5
/** Where the column of ranks and numbers ends, in points of the sheet. */
export const NUMBERS_RIGHT = 74
export const NUMBERS_LEFT = 24

const linesOf = (texts: readonly TextPiece[]): readonly ScanLine[] => {
  const lines: { baseline: number; pieces: TextPiece[] }[] = []
  for (const piece of texts.toSorted((one, other) => other.baseline - one.baseline)) {
    const line = lines.at(-1)
    if (line !== undefined && line.baseline - piece.baseline <= SAME_LINE) line.pieces.push(piece)
    else lines.push({ baseline: piece.baseline, pieces: [piece] })
  }
  for (const { pieces } of lines) pieces.sort((one, other) => one.left - other.left)
  return lines
}

const correctPiece = (piece: TextPiece): TextPiece => {
  const isNumber = piece.right <= NUMBERS_RIGHT && piece.left >= NUMBERS_LEFT
  return { ...piece, text: correctText(piece.text, isNumber) }
}

const correctLine = (line: ScanLine): readonly TextPiece[] => {
  const heading = correctHeading(line)
  if (heading !== null) return [heading]
  return correctColumnHeads(line) ?? line.pieces.map(correctPiece)
}

/** Returns the page with fixed lines corrected and numbers free of letters. */
export const correctPage = (page: PageContent): PageContent => ({
  ...page,
  texts: linesOf(page.texts).flatMap(correctLine),
})
