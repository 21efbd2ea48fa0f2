/** Cuts strikes that cross several cells into the strikes of their texts. */
import type { HorizontalLine, PageContent, TextPiece } from '../page-content.ts'

/** The share of the page's width above which a line is a rule, unless it is red and crosses texts. */
const LONG = 0.55
/** The height of a strike above the baseline, in font sizes. A rule of a table is between the lines of text. */
const LOWEST = 0.12
const HIGHEST = 0.6
/** Parts of a point. Lines closer than this are one, because a hostile file may have thousands in one place. */
const PER_POINT = 4

const isCrossed = (line: HorizontalLine, { left, right, baseline, size }: TextPiece): boolean => {
  const rise = line.y - baseline
  const isAtHeight = rise >= size * LOWEST && rise <= size * HIGHEST
  return isAtHeight && left < line.right && right > line.left
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
  const cut = [...byHeight.values()].flatMap((line) => {
    const crossed = page.texts.filter((piece) => isCrossed(line, piece))
    if (crossed.length === 0) return [line]
    return crossed.map((piece) => ({
      ...line,
      left: Math.max(line.left, piece.left),
      right: Math.min(line.right, piece.right),
    }))
  })
  return { ...page, lines: [...page.lines.filter((line) => !isLong(line)), ...cut] }
}
