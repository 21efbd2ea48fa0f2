/** Finds the lines at the height of a strike through a text. */
import type { HorizontalLine, TextPiece } from '../page-content.ts'

/** The height of a strike above the baseline, in font sizes: it crosses the middle of the glyphs. A rule is between lines of text. */
const LOWEST = 0.12
const HIGHEST = 0.6

/** The index of the first line that is not below a height. @param lines from the lowest to the highest */
const firstFrom = (lines: readonly HorizontalLine[], height: number): number => {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.y ?? height) < height) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The lines at the height of a strike. A search through all lines for each text would take seconds for a hostile page.
 * @param lines from the lowest to the highest
 */
export const linesThrough = (
  { baseline, size }: TextPiece,
  lines: readonly HorizontalLine[],
): readonly HorizontalLine[] => {
  const start = firstFrom(lines, baseline + size * LOWEST)
  let end = start
  while ((lines[end]?.y ?? Number.POSITIVE_INFINITY) <= baseline + size * HIGHEST) end += 1
  return lines.slice(start, end)
}
