/** Finds the straight lines of a page: strokes, and filled shapes as thin as a line. */
import type { HorizontalLine, VerticalLine } from '#registry/page-content.ts'
import { isRed, isWhite } from './colour.ts'
import type { Path } from './page-drawing.ts'
import { boxOf, type Point } from './page-geometry.ts'

/** Points. */
const FLAT = 0.5
const THIN = 2.5
const SHORTEST = 3

const toLine = (
  points: readonly Point[],
  flatness: number,
  red: boolean,
): HorizontalLine | null => {
  const { left, right, bottom, top } = boxOf(points)
  const isFlat = right - left >= SHORTEST && top - bottom < flatness
  if (!isFlat || right - left === Infinity) return null
  return { left, right, y: (bottom + top) / 2, isRed: red }
}

const segmentsOf = (points: readonly Point[]): readonly (readonly Point[])[] =>
  points.slice(1).map((point, at) => [points[at] ?? point, point])

const toVertical = (points: readonly Point[], flatness: number): VerticalLine | null => {
  const { left, right, bottom, top } = boxOf(points)
  const isUpright = top - bottom >= SHORTEST && right - left < flatness
  if (!isUpright || top - bottom === Infinity) return null
  return { x: (left + right) / 2, bottom, top }
}

type Straight = Readonly<{
  horizontals: readonly HorizontalLine[]
  verticals: readonly VerticalLine[]
}>

const isThere = <T>(line: T | null): line is T => line !== null

/** Returns the straight lines of a drawn path: its stroked lines, and its filled shapes that are as thin as a line. */
export const linesOf = ({
  strokes,
  isStroked,
  isFilled,
  strokeColour,
  fillColour,
}: Path): Straight => {
  const stroked = isStroked && !isWhite(strokeColour) ? strokes.flatMap(segmentsOf) : []
  const filled = isFilled && !isWhite(fillColour) ? strokes : []
  return {
    horizontals: [
      ...stroked.map((points) => toLine(points, FLAT, isRed(strokeColour))),
      ...filled.map((points) => toLine(points, THIN, isRed(fillColour))),
    ].filter(isThere),
    verticals: [
      ...stroked.map((points) => toVertical(points, FLAT)),
      ...filled.map((points) => toVertical(points, THIN)),
    ].filter(isThere),
  }
}
