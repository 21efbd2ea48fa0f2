/** Finds the straight lines of a page: strokes, and filled shapes as thin as a line. */
import type { HorizontalLine, VerticalLine } from '#registry/page-content.ts'
import { isRed, isWhite } from './colour.ts'
import type { Path } from './page-drawing.ts'
import { type Box, boxOf, type Point } from './page-geometry.ts'

/** Points. */
const FLAT = 0.5
const THIN = 2.5
const SHORTEST = 3

/** The part of a box that a clip leaves. A line at the edge of the clip is half as wide, and visible. */
const clipped = ({ left, right, bottom, top }: Box, clip: Box): Box =>
  bottom > clip.top + FLAT ||
  top < clip.bottom - FLAT ||
  left > clip.right + FLAT ||
  right < clip.left - FLAT
    ? NOTHING
    : {
        left: Math.max(left, clip.left),
        right: Math.min(right, clip.right),
        bottom: Math.max(bottom, clip.bottom - FLAT),
        top: Math.min(top, clip.top + FLAT),
      }
const NOTHING: Box = { left: 0, bottom: 0, right: 0, top: 0 }

const toLine = (whole: Box, clip: Box, flatness: number, red: boolean): HorizontalLine | null => {
  if (whole.top - whole.bottom >= flatness || whole.right - whole.left === Infinity) return null
  const { left, right, bottom, top } = clipped(whole, clip)
  return right - left < SHORTEST ? null : { left, right, y: (bottom + top) / 2, isRed: red }
}

const segmentsOf = (points: readonly Point[]): readonly (readonly Point[])[] =>
  points.slice(1).map((point, at) => [points[at] ?? point, point])

const toVertical = (whole: Box, clip: Box, flatness: number): VerticalLine | null => {
  if (whole.right - whole.left >= flatness || whole.top - whole.bottom === Infinity) return null
  const { left, right, bottom, top } = clipped(whole, clip)
  return top - bottom < SHORTEST ? null : { x: (left + right) / 2, bottom, top }
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
  clip,
}: Path): Straight => {
  const stroked = isStroked && !isWhite(strokeColour) ? strokes.flatMap(segmentsOf).map(boxOf) : []
  const filled = isFilled && !isWhite(fillColour) ? strokes.map(boxOf) : []
  return {
    horizontals: [
      ...stroked.map((box) => toLine(box, clip, FLAT, isRed(strokeColour))),
      ...filled.map((box) => toLine(box, clip, THIN, isRed(fillColour))),
    ].filter(isThere),
    verticals: [
      ...stroked.map((box) => toVertical(box, clip, FLAT)),
      ...filled.map((box) => toVertical(box, clip, THIN)),
    ].filter(isThere),
  }
}
