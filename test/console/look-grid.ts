/**
 * A screenshot as a grid of mean brightness per square. Letters and times may differ between runs, but a moved column, a
 * lost style or a missing panel changes many squares.
 */
import { PNG } from 'pngjs'

/** The side of a square in pixels. */
const SQUARE = 8
/** Brightness levels, out of 255. Different text in a line of the same length differs by less. */
const MOST_APART = 10

export type Grid = Readonly<{ width: number; height: number; pixels: Uint8Array }>

/** @param screenshot a PNG of any format that pngjs reads */
export const toGrid = (screenshot: Buffer): Grid => {
  const picture = PNG.sync.read(screenshot)
  const width = Math.ceil(picture.width / SQUARE)
  const height = Math.ceil(picture.height / SQUARE)
  const sums = new Float64Array(width * height)
  const counts = new Uint32Array(width * height)
  for (let y = 0; y < picture.height; y += 1) {
    for (let x = 0; x < picture.width; x += 1) {
      const from = (y * picture.width + x) * 4
      const [red = 0, green = 0, blue = 0] = picture.data.subarray(from, from + 3)
      const square = Math.floor(y / SQUARE) * width + Math.floor(x / SQUARE)
      sums[square] = (sums[square] ?? 0) + 0.299 * red + 0.587 * green + 0.114 * blue
      counts[square] = (counts[square] ?? 0) + 1
    }
  }
  const pixels = Uint8Array.from(sums, (sum, at) => Math.round(sum / (counts[at] ?? 1)))
  return { width, height, pixels }
}

/** @param png with one byte per pixel, as pngFile writes it */
export const readGrid = (png: Buffer): Grid => {
  const { width, height, data } = PNG.sync.read(png)
  return {
    width,
    height,
    pixels: Uint8Array.from({ length: width * height }, (_, at) => data[at * 4] ?? 0),
  }
}

/** The share of squares that differ visibly, 0 to 1. It is 1 for grids of different sizes. */
export const differenceOf = (one: Grid, other: Grid): number => {
  if (one.width !== other.width || one.height !== other.height) return 1
  const apart = one.pixels.filter(
    (value, at) => Math.abs(value - (other.pixels[at] ?? 0)) > MOST_APART,
  )
  return apart.length / one.pixels.length
}
