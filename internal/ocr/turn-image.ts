/** Turns an image upright that a camera or scanner stored in another direction. */
import type { ColourImage } from './raster.ts'

type Place = (x: number, y: number) => readonly [column: number, row: number]

/** For each EXIF orientation, where the pixel at x and y of the upright image is stored. `right` and `low` are the last column and row stored. */
const placeOf = (orientation: number, right: number, low: number): Place | null => {
  if (orientation === 2) return (x, y) => [right - x, y]
  if (orientation === 3) return (x, y) => [right - x, low - y]
  if (orientation === 4) return (x, y) => [x, low - y]
  if (orientation === 5) return (x, y) => [y, x]
  if (orientation === 6) return (x, y) => [y, low - x]
  if (orientation === 7) return (x, y) => [right - y, low - x]
  return orientation === 8 ? (x, y) => [right - y, x] : null
}

/** @param orientation by the numbers of EXIF, 1 to 8; an image with another number is returned as it is */
export const turnImage = (image: ColourImage, orientation: number): ColourImage => {
  const { channels, data } = image
  const place = placeOf(orientation, image.width - 1, image.height - 1)
  if (place === null) return image
  const [width, height] =
    orientation >= 5 ? [image.height, image.width] : [image.width, image.height]
  const turned = new Uint8Array(width * height * channels)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [column, row] = place(x, y)
      const from = (row * image.width + column) * channels
      const to = (y * width + x) * channels
      for (let part = 0; part < channels; part += 1) turned[to + part] = data[from + part] ?? 0
    }
  }
  return { width, height, channels, data: turned }
}
