/** The outlines of paths as polygons, with their curves, by which paint and clips are compared with the text of a page. */
import { apply, type Box, type Matrix, type Point } from './page-geometry.ts'
import { CLOSE, CUBIC, MOVE, NUMBERS, QUADRATIC } from './path-data.ts'

/** Polygons that are closed implicitly, and the rule by which they have an inside. */
export type Outline = Readonly<{ polygons: readonly (readonly Point[])[]; isEvenOdd: boolean }>

/** Straight pieces by which a curve is replaced. A round corner of 30 points is then off by 0.1. */
const PIECES = 8

const mix = (one: Point, other: Point, part: number): Point => ({
  x: one.x + (other.x - one.x) * part,
  y: one.y + (other.y - one.y) * part,
})

/** The point of a Bézier curve at a part of its way. */
const along = (points: readonly Point[], part: number): Point => {
  let rest = points
  while (rest.length > 1)
    rest = rest.slice(1).map((point, at) => mix(rest[at] ?? point, point, part))
  return rest[0] ?? { x: 0, y: 0 }
}

/** The points of a curve after its first. */
const bend = (curve: readonly Point[]): readonly Point[] =>
  Array.from({ length: PIECES }, (_, at) => along(curve, (at + 1) / PIECES))

/** The polygons of a path's data. @param matrix maps the path to the page */
export const readPolygons = (data: unknown, matrix: Matrix): Outline['polygons'] => {
  if (!(data instanceof Float32Array)) return []
  const polygons: Point[][] = []
  let current: Point[] = []
  for (let at = 0; at < data.length; ) {
    const word = data[at] ?? CLOSE
    const count = NUMBERS[word]
    if (count === undefined) break
    const points = Array.from({ length: count / 2 }, (_, pair) =>
      apply(matrix, data[at + 1 + 2 * pair] ?? 0, data[at + 2 + 2 * pair] ?? 0),
    )
    if (word === MOVE) {
      current = points
      polygons.push(current)
    } else if (word === CLOSE) current.push(...current.slice(0, 1))
    else if (word === CUBIC || word === QUADRATIC)
      current.push(...bend([...current.slice(-1), ...points]))
    else current.push(...points)
    at += count + 1
  }
  return polygons
}

/** Where a polygon crosses a height: from left to right, 1 for an edge that rises and -1 for one that falls. */
type Crossing = Readonly<{ x: number; rise: 1 | -1 }>

const crossingsAt = ({ polygons }: Outline, y: number): readonly Crossing[] => {
  const crossings: Crossing[] = []
  for (const points of polygons) {
    let from = points.at(-1)
    for (const to of points) {
      if (from !== undefined && from.y <= y !== to.y <= y) {
        const x = from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x)
        crossings.push({ x, rise: to.y > from.y ? 1 : -1 })
      }
      from = to
    }
  }
  return crossings.toSorted((one, other) => one.x - other.x)
}

/** The stretches that are inside at a height, from left to right. */
export const insideAt = (
  outline: Outline,
  y: number,
): readonly Readonly<{ from: number; to: number }>[] => {
  const inside: { from: number; to: number }[] = []
  let winding = 0
  let from: number | null = null
  for (const { x, rise } of crossingsAt(outline, y)) {
    winding += rise
    const isInside = outline.isEvenOdd ? winding % 2 !== 0 : winding !== 0
    if (isInside) from ??= x
    else if (from !== null) {
      inside.push({ from, to: x })
      from = null
    }
  }
  return inside
}

/** Whether a point is inside. */
const hasInside = (outline: Outline, { x, y }: Point): boolean =>
  insideAt(outline, y).some(({ from, to }) => x >= from && x <= to)

/** A part of the page: what is in the box and inside all outlines. */
export type Part = Readonly<{ box: Box; outlines: readonly Outline[] }>

/** Counts the work on outlines. @throws {PdfError} if it is too much */
export type Spend = (units: number) => void

export const edgesOf = ({ polygons }: Outline): number =>
  polygons.reduce((sum, points) => sum + points.length, 0)

/** Whether a point is in a part of the page. */
export const isInPart = ({ box, outlines }: Part, point: Point, spend: Spend): boolean =>
  point.x > box.left &&
  point.x < box.right &&
  point.y > box.bottom &&
  point.y < box.top &&
  outlines.every((outline) => {
    spend(edgesOf(outline) + 1)
    return hasInside(outline, point)
  })

/** Points by which the sides of a rectangle may be off. */
const CROOKED = 0.5

/** Whether a polygon has four level sides. */
export const isRectangle = (points: readonly Point[]): boolean =>
  points.length >= 4 &&
  points.length <= 6 &&
  points.every(({ x, y }, at) => {
    const next = points[(at + 1) % points.length] ?? { x, y }
    return Math.abs(next.x - x) < CROOKED || Math.abs(next.y - y) < CROOKED
  })
