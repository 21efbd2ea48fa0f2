/** Rotates a skewed page upright. The rows of text and rules are densest when they are level. */
import type { Raster } from './raster.ts'

const MAX_DEGREES = 2.4
const COARSE = 0.2
const FINE = 0.04
/** Below this angle the rows are level enough. */
const NOT_WORTH = 0.05
const DARK = 128
/** Distance between the sampled pixels, in columns and rows. */
const STEP = 3
const RADIANS = Math.PI / 180

type Points = Readonly<{ xs: Float64Array; ys: Float64Array; height: number }>

const darkPoints = ({ width, height, grey }: Raster): Points => {
  const xs: number[] = []
  const ys: number[] = []
  for (let y = 0; y < height; y += 1) {
    for (let x = y % STEP; x < width; x += STEP) {
      if ((grey[y * width + x] ?? 255) >= DARK) continue
      xs.push(x - width / 2)
      ys.push(y)
    }
  }
  return { xs: Float64Array.from(xs), ys: Float64Array.from(ys), height }
}

/** How much the rows differ in darkness if the page is sheared by the given angle. */
const sharpness = ({ xs, ys, height }: Points, degrees: number): number => {
  const slope = Math.tan(degrees * RADIANS)
  const margin = Math.ceil(height * 0.05)
  const rows = new Float64Array(height + 2 * margin)
  for (const [at, x] of xs.entries()) {
    const row = Math.round((ys[at] ?? 0) - x * slope) + margin
    if (row >= 0 && row < rows.length) rows[row] = (rows[row] ?? 0) + 1
  }
  let sum = 0
  for (let at = 1; at < rows.length; at += 1) {
    const step = (rows[at] ?? 0) - (rows[at - 1] ?? 0)
    sum += step * step
  }
  return sum
}

const sharpest = (points: Points, around: number, reach: number, step: number): number => {
  let best = { degrees: around, value: -1 }
  for (let degrees = around - reach; degrees <= around + reach + 1e-9; degrees += step) {
    const value = sharpness(points, degrees)
    if (value > best.value) best = { degrees, value }
  }
  return best.degrees
}

/** The angle by which the lines fall to the right, in degrees. */
export const skewOf = (raster: Raster): number => {
  const points = darkPoints(raster)
  const coarse = sharpest(points, 0, MAX_DEGREES, COARSE)
  return sharpest(points, coarse, COARSE, FINE)
}

const rotatePlane = (
  plane: Uint8Array,
  { width, height }: Pick<Raster, 'width' | 'height'>,
  { degrees, outside }: Readonly<{ degrees: number; outside: number }>,
): Uint8Array => {
  const turned = new Uint8Array(plane.length).fill(outside)
  const [sine, cosine] = [Math.sin(degrees * RADIANS), Math.cos(degrees * RADIANS)]
  const [middleX, middleY] = [width / 2, height / 2]
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const fromX = middleX + (x - middleX) * cosine - (y - middleY) * sine
      const fromY = middleY + (x - middleX) * sine + (y - middleY) * cosine
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)]
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) continue
      const at = top * width + left
      const [partX, partY] = [fromX - left, fromY - top]
      const upper = (plane[at] ?? 0) * (1 - partX) + (plane[at + 1] ?? 0) * partX
      const lower = (plane[at + width] ?? 0) * (1 - partX) + (plane[at + width + 1] ?? 0) * partX
      turned[y * width + x] = upper * (1 - partY) + lower * partY
    }
  }
  return turned
}

/** @param degrees the result of `skewOf` */
export const straighten = (raster: Raster, degrees: number): Raster => {
  if (Math.abs(degrees) < NOT_WORTH) return raster
  return {
    ...raster,
    grey: rotatePlane(raster.grey, raster, { degrees, outside: 255 }),
    red: rotatePlane(raster.red, raster, { degrees, outside: 0 }),
  }
}
