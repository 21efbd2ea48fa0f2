/** Compares images with the letters below them: an image hides a letter where its pixels are opaque. */
import type { DrawnImage } from './page-drawing.ts'
import { apply, invert, type Point } from './page-geometry.ts'
import { type Pixels, rowBytes } from './png.ts'
import type { Ink } from './text-ink.ts'

export type ImageOverText = Readonly<{
  image: DrawnImage
  /** The letters that are in the frame of the image. */
  letters: readonly Ink[]
}>

const OPAQUE = 255

/** Whether the pixel at a point of the unit square, into which PDF paints an image, is opaque. */
const isOpaqueAt = (pixels: Pixels, isMask: boolean, { x, y }: Point): boolean => {
  const { width, height, kind, data } = pixels
  const column = Math.min(width - 1, Math.max(0, Math.floor(x * width)))
  const row = Math.min(height - 1, Math.max(0, Math.floor((1 - y) * height)))
  if (kind === 'rgba') return data[(row * width + column) * 4 + 3] === OPAQUE
  const bits = data[row * rowBytes(pixels) + (column >> 3)] ?? 0
  // a mask paints where its bits are 0
  return !isMask || (bits & (0x80 >> (column & 7))) === 0
}

/** Whether an image hides a letter. */
export const hidesLetter = (pixels: Pixels, { image, letters }: ImageOverText): boolean => {
  const toImage = invert(image.matrix)
  if (toImage === null) return false
  return letters.some((ink) =>
    ink.every((point) => isOpaqueAt(pixels, image.isMask, apply(toImage, point.x, point.y))),
  )
}
