/** Converts coordinates of page content to points from the bottom left corner of the page as it is displayed. */

import { toArray, toNumber } from './operands.ts'

/** A matrix in the notation of PDF: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** Combines two matrices. `inner` is applied first. */
export const multiply = (outer: Matrix, inner: Matrix): Matrix => [
  outer[0] * inner[0] + outer[2] * inner[1],
  outer[1] * inner[0] + outer[3] * inner[1],
  outer[0] * inner[2] + outer[2] * inner[3],
  outer[1] * inner[2] + outer[3] * inner[3],
  outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
  outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
]

/** @returns null if the matrix maps everything to a line */
export const invert = ([a, b, c, d, e, f]: Matrix): Matrix | null => {
  const area = a * d - b * c
  if (area === 0) return null
  return toMatrix([d, -b, -c, a, c * f - d * e, b * e - a * f].map((part) => part / area))
}

export type Point = Readonly<{ x: number; y: number }>

/** Maps a point by a PDF matrix. */
export const apply = (matrix: Matrix, x: number, y: number): Point => ({
  x: matrix[0] * x + matrix[2] * y + matrix[4],
  y: matrix[1] * x + matrix[3] * y + matrix[5],
})

/** @returns null if the value is not six finite numbers */
export const toMatrix = (value: unknown): Matrix | null => {
  if (!Array.isArray(value) && !(value instanceof Float32Array)) return null
  const [a, b, c, d, e, f]: unknown[] = [...value]
  const isNumber = (part: unknown): part is number => Number.isFinite(part)
  return isNumber(a) && isNumber(b) && isNumber(c) && isNumber(d) && isNumber(e) && isNumber(f)
    ? [a, b, c, d, e, f]
    : null
}

export type Box = Readonly<{ left: number; bottom: number; right: number; top: number }>

/** Returns the smallest box around the points. Without points, its edges are infinite. */
export const boxOf = (points: readonly Point[]): Box => {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { x, y } of points) {
    left = Math.min(left, x)
    right = Math.max(right, x)
    bottom = Math.min(bottom, y)
    top = Math.max(top, y)
  }
  return { left, bottom, right, top }
}

/** Maps the corners of a box. */
export const corners = (matrix: Matrix, { left, bottom, right, top }: Box): readonly Point[] => [
  apply(matrix, left, bottom),
  apply(matrix, right, bottom),
  apply(matrix, left, top),
  apply(matrix, right, top),
]

export const WHOLE: Box = { left: -Infinity, bottom: -Infinity, right: Infinity, top: Infinity }

/** A box that the file states in the coordinates of the matrix, as it is on the page. @returns `WHOLE` if it is none */
export const boxIn = (matrix: Matrix, box: unknown): Box => {
  const [left, bottom, right, top] = box instanceof Float32Array ? box : toArray(box).map(toNumber)
  return left === undefined || bottom === undefined || right === undefined || top === undefined
    ? WHOLE
    : boxOf(corners(matrix, { left, bottom, right, top }))
}

/** The part that two boxes share. Its sides are reversed if there is none. */
export const overlapOf = (one: Box, other: Box): Box => ({
  left: Math.max(one.left, other.left),
  bottom: Math.max(one.bottom, other.bottom),
  right: Math.min(one.right, other.right),
  top: Math.min(one.top, other.top),
})

/** The box of an image, which PDF paints into the unit square. */
export const unitSquare = (matrix: Matrix): Box =>
  boxOf(corners(matrix, { left: 0, bottom: 0, right: 1, top: 1 }))

/** A viewport of pdf.js: rotation, offset and unit of the page, with y pointing down. */
export type Viewport = Readonly<{ width: number; height: number; transform: unknown }>

/** @returns null if the page has no size */
export const pageMatrix = ({ width, height, transform }: Viewport): Matrix | null => {
  const matrix = toMatrix(transform)
  if (matrix === null || !(width > 0 && height > 0 && width * height < Infinity)) return null
  return multiply([1, 0, 0, -1, 0, height], matrix)
}
