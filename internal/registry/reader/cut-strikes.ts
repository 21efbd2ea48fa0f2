/** Cuts strikes that cross several cells into the strikes of their texts. */
import type { HorizontalLine, PageContent, TextPiece } from '../page-content.ts'
import { linesThrough } from './lines-through.ts'
import { SHEET_WIDTH } from './page-frame.ts'
import { LARGEST_TEXT } from './text-line.ts'

/** The share of the page's width above which a line is a rule, unless it is red and crosses texts. */
const LONG = 0.55
/** Parts of a point. Lines closer than this are one, because a hostile file may have thousands in one place. */
const PER_POINT = 4

/** The part of a text that lines strike, as one line: two lines of such a length overlap. Null if there is none. */
const strikeOf = (
  { left, right }: TextPiece,
  crossing: readonly HorizontalLine[],
): HorizontalLine | null => {
  const [first] = crossing
  if (first === undefined) return null
  return {
    ...first,
    left: Math.max(left, Math.min(...crossing.map((line) => line.left))),
    right: Math.min(right, Math.max(...crossing.map((line) => line.right))),
  }
}

/**
 * Some programs draw the strike of a cancelled entry as one red line over all cells. It would be taken for a rule, which
 * is never red.
 */
export const cutStrikes = (page: PageContent): PageContent => {
  const isLong = (line: HorizontalLine): boolean =>
    line.isRed && line.right - line.left > page.width * LONG
  const long = page.lines.filter(isLong)
  if (long.length === 0) return page
  const byHeight = new Map(long.map((line) => [Math.round(line.y * PER_POINT), line]))
  const lines = [...byHeight.values()].sort((a, b) => a.y - b.y)
  const uncut = new Set(lines)
  const cut = page.texts.flatMap((piece) => {
    // a line crosses a watermark by chance, which would have as many strikes as a hostile page has lines
    if (piece.size * SHEET_WIDTH >= LARGEST_TEXT * page.width) return []
    const crossing = linesThrough(piece, lines).filter(
      (line) => piece.left < line.right && piece.right > line.left,
    )
    for (const line of crossing) uncut.delete(line)
    return strikeOf(piece, crossing) ?? []
  })
  return { ...page, lines: [...page.lines.filter((line) => !isLong(line)), ...uncut, ...cut] }
}
