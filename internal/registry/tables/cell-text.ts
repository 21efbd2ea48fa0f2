/** Joins the lines of a table cell into one text. */
import { type TextLine, textOf } from '../reader/text-line.ts'

/** The distance between the border of a column and its text in the standard form, in points. */
export const TEXT_INSET = 5.149

/** One printed line of one cell. */
export type CellLine = TextLine

/** Returns the text of the line's pieces. */
export const lineText = (line: CellLine): string => textOf(line.pieces)

const widthOfFirst = (text: string, size: number): number => {
  const first = text.codePointAt(0) ?? 0
  return first < 0x80 ? size / 2 : size
}

/**
 * Whether a line was broken at a blank. Text is wrapped at blanks, and a word longer than its column anywhere. If
 * the first character of the next line would still have fitted, the break was not inside a word.
 */
const brokeAtBlank = (line: CellLine, next: CellLine, right: number): boolean => {
  const last = line.pieces.at(-1)
  const following = next.pieces[0]
  if (last === undefined || following === undefined) return true
  const room = right - TEXT_INSET - last.right
  return room >= widthOfFirst(following.text, following.size) - 0.5
}

/**
 * Joins the lines of a cell. If the space at the end of a line decides nothing, a line of one word counts as broken
 * inside the word, and any other line, or one that ends in the genitive, as broken at a blank [documents 3.6].
 */
export const joinLines = (lines: readonly CellLine[], right: number): string => {
  let joined = ''
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1]
    const text = lineText(line).replace(/ {2,}/g, ' ')
    if (before === undefined) joined = text
    else joined += `${needsBlank(before, line, right) ? ' ' : ''}${text}`
  }
  return joined
}

const needsBlank = (before: CellLine, line: CellLine, right: number): boolean => {
  if (brokeAtBlank(before, line, right)) return true
  const text = lineText(before).trim()
  return /\s/.test(text) || GENITIVE.test(text)
}

/** Matches the genitive `법원의`, and not a noun that ends alike, as in `공공용지의협의취득`. */
const GENITIVE = /(?<![협합명])의$/

/** The share of the text's width that is struck through, 0 to 1. */
export const struckShareOf = (lines: readonly CellLine[]): number => {
  let all = 0
  let struck = 0
  for (const piece of lines.flatMap((line) => line.pieces)) {
    const width = piece.right - piece.left
    all += width
    if (piece.isStruck) struck += width
  }
  return all === 0 ? 0 : struck / all
}

/** The lines that are not struck through. */
export const withoutStruck = (lines: readonly CellLine[]): readonly CellLine[] =>
  lines.filter((line) => struckShareOf([line]) < 0.5)

/** The lines in force, or those that are struck through if the cell has no others. */
export const inForce = (lines: readonly CellLine[]): readonly CellLine[] => {
  const live = withoutStruck(lines)
  return live.length === 0 ? lines : live
}
