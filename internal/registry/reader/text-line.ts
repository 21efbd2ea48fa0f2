/** Joins pieces of text into lines, and detects which pieces are struck through. */
import { halfWidths, normaliseText, squeeze } from '../fields/normal-text.ts'
import type { HorizontalLine, PageContent, TextPiece } from '../page-content.ts'
import { linesThrough } from './lines-through.ts'
import { SHEET_WIDTH } from './page-frame.ts'

/** Points on a sheet of `SHEET_WIDTH`. A watermark is set in 52 points, the largest heading in 18. */
export const LARGEST_TEXT = 30
/** Baselines of one line differ by half a point, those of two lines by 11. */
const SAME_LINE = 2.5
/** The share of a text that a strike must cover, because strikes may be a little short. */
const STRUCK = 0.6

export type Piece = TextPiece & Readonly<{ isStruck: boolean }>
export type TextLine = Readonly<{
  page: number
  baseline: number
  pieces: readonly Piece[]
}>

/** The share of a text that lines strike through. @param lines no rules, from the lowest to the highest */
const struckShare = (piece: TextPiece, lines: readonly HorizontalLine[]): number => {
  const spans = linesThrough(piece, lines)
    .map((line) => [Math.max(line.left, piece.left), Math.min(line.right, piece.right)] as const)
    .filter(([left, right]) => right > left)
    .sort((a, b) => a[0] - b[0])
  let covered = 0
  let reached = piece.left
  for (const [left, right] of spans) {
    covered += Math.max(0, right - Math.max(left, reached))
    reached = Math.max(reached, right)
  }
  return covered / Math.max(1, piece.right - piece.left)
}

/** How many preceding pieces to search for a duplicate. It limits the time for hostile files. */
const NEIGHBOURS = 8

/** Removes duplicates: some printers draw bold text twice, slightly shifted. */
const withoutDoubles = (pieces: readonly Piece[]): Piece[] => {
  const kept: Piece[] = []
  for (const piece of pieces) {
    const isDouble = kept
      .slice(-NEIGHBOURS)
      .some(
        ({ left, right, text }) =>
          text === piece.text &&
          Math.abs(left - piece.left) < 1 &&
          Math.abs(right - piece.right) < 1,
      )
    if (!isDouble) kept.push(piece)
  }
  return kept
}

/**
 * Removes blanks at the ends. Some printers put the blank between two
 * pieces at the end of the first, where it is a gap like any other.
 */
const trimmed = (piece: TextPiece): TextPiece => {
  const text = piece.text.trim()
  if (text === '' || text === piece.text) return piece
  const pitch = (piece.right - piece.left) / halfWidths(piece.text)
  const before = piece.text.length - piece.text.trimStart().length
  const after = piece.text.length - piece.text.trimEnd().length
  return { ...piece, text, left: piece.left + before * pitch, right: piece.right - after * pitch }
}

/** Reads the text of a page as lines from top to bottom, each from left to right, with strikes detected and the watermark removed. */
export const readLines = (page: PageContent): readonly TextLine[] => {
  const short = page.lines
    .filter((line) => line.right - line.left <= SHEET_WIDTH * 0.6)
    .sort((a, b) => a.y - b.y)
  const pieces = page.texts
    .map((piece) => trimmed({ ...piece, text: normaliseText(piece.text) }))
    .filter((piece) => piece.size < LARGEST_TEXT && squeeze(piece.text) !== '')
    .map((piece): Piece => ({ ...piece, isStruck: struckShare(piece, short) >= STRUCK }))
    .sort((a, b) => b.baseline - a.baseline || a.left - b.left)
  const lines: { page: number; baseline: number; pieces: Piece[] }[] = []
  for (const piece of pieces) {
    const line = lines.at(-1)
    if (line !== undefined && line.baseline - piece.baseline <= SAME_LINE) line.pieces.push(piece)
    else lines.push({ page: page.number, baseline: piece.baseline, pieces: [piece] })
  }
  for (const line of lines) line.pieces.sort((a, b) => a.left - b.left)
  return lines.map((line) => ({ ...line, pieces: withoutDoubles(line.pieces) }))
}

/** Joins the text of a line. A gap of one blank or more becomes one blank, a gap of two becomes two. */
export const textOf = (pieces: readonly TextPiece[]): string => {
  let text = ''
  let reached: number | null = null
  for (const piece of pieces) {
    const gap = reached === null ? 0 : piece.left - reached
    const half = piece.size / 2
    if (text !== '' && gap > half * 0.4) text += gap > half * 1.5 ? '  ' : ' '
    text += piece.text.trim()
    reached = piece.right
  }
  return text
}

/** The width of a half-width sign of a piece, in points. */
export const pitchOf = ({ left, right, text }: Pick<Piece, 'left' | 'right' | 'text'>): number =>
  (right - left) / Math.max(1, halfWidths(text))

/** The parts of a piece that match the pattern, placed by the fixed pitch. */
export const partsOf = (piece: Piece, pattern: RegExp): readonly Piece[] => {
  const pitch = pitchOf(piece)
  const found: Piece[] = []
  let before = 0
  let from = 0
  for (const { 0: text, index } of piece.text.matchAll(pattern)) {
    before += halfWidths(piece.text.slice(from, index))
    from = index
    const left = piece.left + before * pitch
    found.push({ ...piece, text, left, right: left + halfWidths(text) * pitch })
  }
  return found
}
