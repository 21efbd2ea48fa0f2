/** Decides which thin dark lines are strikes and rules. Strokes of letters and rows of stars look similar. */

import type { GreyImage } from './engine.ts'
import { DARK, PALE } from './raster.ts'
import type { Line } from './red-strikes.ts'

type Rows = Readonly<{ from: number; to: number }>
/** Pixels: the thickness of a line, and the length of a point. */
type Measure = Readonly<{ thickness: number; unit: number }>

/** Points. Longer lines are rules of tables. */
const LONGEST_STRIKE = 300
/** Points. Struck text extends farther than this above or below the strike. */
const WITHIN_STAR = 2.8
const WITHIN_LETTER = 6.5
/** The least share of a line's columns that letters cross. */
const CROSSED = 0.15
/** The least share of columns as thin as the line, in a line that crosses nothing. */
const EVEN = 0.8
/** The maximum number of columns without the strike, as a multiple of those with only the strike. */
const BROKEN = 0.5
/** Points: slightly more than from one line of text to the next. */
const NEXT_LINE = 13

const inkedRows = (plane: GreyImage, x: number, rows: Rows, palest: number): number => {
  const { width, height, grey } = plane
  let count = 0
  for (let y = Math.max(0, rows.from); y <= Math.min(height - 1, rows.to); y += 1) {
    if ((grey[y * width + x] ?? 255) < palest) count += 1
  }
  return count
}

type Columns = Readonly<{ all: number; crossed: number; thin: number; lone: number; blank: number }>

/** Counts the columns of a line by content: letters that cross it, the line alone, or nothing. */
const columnsOf = (plane: GreyImage, line: Line, { thickness, unit }: Measure): Columns => {
  const middle = Math.round(line.y)
  const [near, far] = [Math.ceil(WITHIN_STAR * unit), Math.floor(WITHIN_LETTER * unit)]
  const [above, below, beside, on] = [
    { from: middle - far, to: middle - near - 1 },
    { from: middle + near + 1, to: middle + far },
    { from: middle - near, to: middle + near },
    { from: middle - thickness, to: middle + thickness },
  ]
  const counts = { all: 0, crossed: 0, thin: 0, lone: 0, blank: 0 }
  for (let x = line.left; x <= line.right; x += 1) {
    const isCrossed = inkedRows(plane, x, above, DARK) > 0 || inkedRows(plane, x, below, DARK) > 0
    const isThin = inkedRows(plane, x, beside, DARK) <= thickness + 1
    const isInked = inkedRows(plane, x, on, PALE) > 0
    counts.all += 1
    if (isCrossed) counts.crossed += 1
    if (isThin) counts.thin += 1
    if (!isCrossed && isThin && isInked) counts.lone += 1
    if (!isCrossed && !isInked) counts.blank += 1
  }
  return counts
}

/**
 * Whether a line is a strike or a rule. A strike crosses letters and the gaps between them, and a rule
 * is thin everywhere. A row of stars, or of digits with strokes at one height, does neither.
 */
export const isStrikeOrRule = (plane: GreyImage, line: Line, measure: Measure): boolean => {
  const { all, crossed, thin, lone, blank } = columnsOf(plane, line, measure)
  if (thin >= all * EVEN && crossed < all * CROSSED) return true
  return crossed >= all * CROSSED && blank <= lone * BROKEN
}

/**
 * Removes strokes of letters. Cancelled text is struck line by line, and one of the strikes is long. So a
 * short line without a long strike on its own or the next line of text is a stroke of a letter.
 * @param long points; longer than any stroke of a letter
 */
export const withoutLetterStrokes = <Stroke extends Line>(
  lines: readonly Stroke[],
  unit: number,
  long: number,
): readonly Stroke[] => {
  const breadth = ({ left, right }: Line): number => (right - left) / unit
  const strikes = lines.filter((line) => breadth(line) >= long && breadth(line) <= LONGEST_STRIKE)
  return lines.filter(
    (line) =>
      breadth(line) >= long ||
      strikes.some((strike) => Math.abs(strike.y - line.y) <= NEXT_LINE * unit),
  )
}
