/** Which thin dark lines are strikes and rules: the stroke of a letter is one as well, and so looks a row of stars. */
import type { Line } from './red-strikes.ts'

type Rows = Readonly<{ from: number; to: number }>
/** Pixels: how thick a line is, and how long a point. */
type Measure = Readonly<{ thickness: number; unit: number }>
export type Plane = Readonly<{ width: number; height: number; grey: Uint8Array }>

const DARK = 150
const PALE = 205
/** Points: longer ones are rules of tables. */
const LONGEST_STRIKE = 300
/** Points: what is struck through is higher than that above the strike, or below it. */
const WITHIN_STAR = 2.8
const WITHIN_LETTER = 6.5
/** The minimum number of a line's columns over which letters rise. */
const CROSSED = 0.15
/** The share of columns that are as thin as the line, at least, in a line that crosses nothing. */
const EVEN = 0.8
/** The maximum of columns without the strike, as a multiple of those where it is alone. */
const BROKEN = 0.5
/** Points: from a line of text to the next, and a little. */
const NEXT_LINE = 13

const inkedRows = (plane: Plane, x: number, rows: Rows, palest: number): number => {
  const { width, height, grey } = plane
  let count = 0
  for (let y = Math.max(0, rows.from); y <= Math.min(height - 1, rows.to); y += 1) {
    if ((grey[y * width + x] ?? 255) < palest) count += 1
  }
  return count
}

type Columns = Readonly<{ all: number; crossed: number; thin: number; lone: number; blank: number }>

/** The content of the columns of a line: letters that rise over it, the line alone, or nothing at all. */
const columnsOf = (plane: Plane, line: Line, { thickness, unit }: Measure): Columns => {
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
 * A strike goes through letters and through what is between them; a rule is as thin everywhere. A row of stars, or of digits
 * with strokes at one height, does neither.
 */
export const isStrikeOrRule = (plane: Plane, line: Line, measure: Measure): boolean => {
  const { all, crossed, thin, lone, blank } = columnsOf(plane, line, measure)
  if (thin >= all * EVEN && crossed < all * CROSSED) return true
  return crossed >= all * CROSSED && blank <= lone * BROKEN
}

/**
 * What is cancelled is struck line by line, and one line of it is long: a short line with no long strike on its line of text
 * or on the next is a letter's stroke.
 * @param long points: no stroke of a letter is so long
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
