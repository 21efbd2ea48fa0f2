/** Cuts parts out of a page, with white around them and in forms that the engine reads best. */
import type { GreyImage } from './engine.ts'
import type { Raster } from './raster.ts'
import type { Box } from './segments.ts'

const WHITE = 255
const DARKER = 1.8
const NARROWER = 0.88

/** @param margin pixels of white on every side */
export const crop = ({ width, grey }: Raster, box: Box, margin: number): GreyImage => {
  const [columns, rows] = [box.right - box.left + 1, box.bottom - box.top + 1]
  const across = columns + 2 * margin
  const image = new Uint8Array(across * (rows + 2 * margin)).fill(WHITE)
  for (let row = 0; row < rows; row += 1) {
    const from = (box.top + row) * width + box.left
    image.set(grey.subarray(from, from + columns), (row + margin) * across + margin)
  }
  return { width: across, height: rows + 2 * margin, grey: image }
}

/** Doubles the size in both directions, smoothly, which gives finer strokes for a second look. */
export const enlarge = ({ width, height, grey }: GreyImage): GreyImage => {
  const [across, down] = [width * 2, height * 2]
  const image = new Uint8Array(across * down)
  const at = (x: number, y: number): number =>
    grey[Math.min(height - 1, y) * width + Math.min(width - 1, x)] ?? WHITE
  for (let y = 0; y < down; y += 1) {
    for (let x = 0; x < across; x += 1) {
      const [left, top] = [x >> 1, y >> 1]
      const [right, low] = [left + (x & 1), top + (y & 1)]
      image[y * across + x] = (at(left, top) + at(right, top) + at(left, low) + at(right, low)) >> 2
    }
  }
  return { width: across, height: down, grey: image }
}

/** Darkens the pale edges of strokes, which closes thin gaps. */
export const darken = (image: GreyImage): GreyImage => ({
  ...image,
  grey: image.grey.map((value) => Math.round(WHITE * (value / WHITE) ** DARKER)),
})

/** Makes the image slightly narrower, smoothly, so that the letters fall elsewhere on the engine's grid. */
export const narrow = ({ width, height, grey }: GreyImage): GreyImage => {
  const across = Math.round(width * NARROWER)
  const image = new Uint8Array(across * height)
  for (let x = 0; x < across; x += 1) {
    const from = Math.max(0, Math.min(width - 1, (x + 0.5) / NARROWER - 0.5))
    const left = Math.floor(from)
    const right = Math.min(width - 1, left + 1)
    for (let row = 0; row < height * width; row += width) {
      const [one, other] = [grey[row + left] ?? WHITE, grey[row + right] ?? WHITE]
      image[(row / width) * across + x] = Math.round(one + (other - one) * (from - left))
    }
  }
  return { width: across, height, grey: image }
}
