/** Draws glyphs by their outlines as grey pixels, for OCR of a PDF that does not map glyphs to letters. */
import { CUBIC, LINE, MOVE, QUADRATIC } from '#pdf/path-data.ts'
import type { Outline } from '#pdf/read-glyphs.ts'
import type { GreyImage } from './engine.ts'

/** A glyph's outline and its start, in font sizes from the left of the picture. */
export type PlacedOutline = Readonly<{ outline: Outline; x: number }>

/** Pixels per font size, which equals print at 300 DPI, the size that suits the engine best. */
const EM = 44
/** Font sizes above and below the baseline, and of white at each end. */
const ASCENT = 1.25
const DESCENT = 0.55
const MARGIN = 0.5
const STEPS = 6

type Point = readonly [x: number, y: number]
type AddEdge = (from: Point, to: Point) => void

const walkOutline = (
  outline: Outline,
  toPixel: (x: number, y: number) => Point,
  add: AddEdge,
): void => {
  let start: Point = [0, 0]
  let at: Point = start
  const point = (index: number): Point => toPixel(outline[index] ?? 0, outline[index + 1] ?? 0)
  const go = (to: Point): void => {
    add(at, to)
    at = to
  }
  const curve = (of: (t: number) => Point): void => {
    for (let step = 1; step <= STEPS; step += 1) go(of(step / STEPS))
  }
  for (let index = 0; index < outline.length; ) {
    const word = outline[index]
    const next = index + 1
    if (word === MOVE) {
      if (at !== start) go(start)
      start = point(next)
      at = start
      index += 3
    } else if (word === LINE) {
      go(point(next))
      index += 3
    } else if (word === CUBIC) {
      const [a, b, c, d] = [at, point(next), point(next + 2), point(next + 4)]
      curve((t) => [cubic(a[0], b[0], c[0], d[0], t), cubic(a[1], b[1], c[1], d[1], t)])
      index += 7
    } else if (word === QUADRATIC) {
      const [a, b, c] = [at, point(next), point(next + 2)]
      curve((t) => [quadratic(a[0], b[0], c[0], t), quadratic(a[1], b[1], c[1], t)])
      index += 5
    } else {
      if (at !== start) go(start)
      index += 1
    }
  }
  if (at !== start) go(start)
}

const quadratic = (a: number, b: number, c: number, t: number): number =>
  a * (1 - t) ** 2 + 2 * b * t * (1 - t) + c * t ** 2

const cubic = (a: number, b: number, c: number, d: number, t: number): number =>
  a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t ** 2 * (1 - t) + d * t ** 3

/** Adds to each pixel the signed area to the right of the edge. Summed from the left, this is how much ink covers the pixel. */
const coverBy =
  (cover: Float32Array, width: number, height: number): AddEdge =>
  (from, to) => {
    if (from[1] === to[1]) return
    const isDown = from[1] < to[1]
    const [top, bottom] = isDown ? [from, to] : [to, from]
    const slope = (bottom[0] - top[0]) / (bottom[1] - top[1])
    const last = Math.min(height, Math.ceil(bottom[1]))
    for (let row = Math.max(0, Math.floor(top[1])); row < last; row += 1) {
      const [y0, y1] = [Math.max(row, top[1]), Math.min(row + 1, bottom[1])]
      const x = top[0] + ((y0 + y1) / 2 - top[1]) * slope
      const column = Math.floor(x)
      if (y1 <= y0 || column < 0 || column + 1 >= width) continue
      const area = (y1 - y0) * (isDown ? 1 : -1)
      const at = row * width + column
      cover[at] = (cover[at] ?? 0) + area * (column + 1 - x)
      cover[at + 1] = (cover[at + 1] ?? 0) + area * (x - column)
    }
  }

/** Draws a line of glyphs, black on white. @param width font sizes from the first glyph to the end of the last */
export const drawGlyphs = (placed: readonly PlacedOutline[], width: number): GreyImage => {
  const columns = Math.ceil((width + 2 * MARGIN) * EM) + 2
  const rows = Math.ceil((ASCENT + DESCENT) * EM)
  const cover = new Float32Array(columns * rows)
  const add = coverBy(cover, columns, rows)
  for (const { outline, x: left } of placed) {
    const toPixel = (x: number, y: number): Point => [(MARGIN + left + x) * EM, (ASCENT - y) * EM]
    walkOutline(outline, toPixel, add)
  }
  const grey = new Uint8Array(columns * rows)
  for (let row = 0; row < rows; row += 1) {
    let sum = 0
    for (let column = 0; column < columns; column += 1) {
      const at = row * columns + column
      sum += cover[at] ?? 0
      grey[at] = 255 - Math.round(Math.min(1, Math.abs(sum)) * 255)
    }
  }
  return { width: columns, height: rows, grey }
}
