/** A page as pixels, with the brightness and redness of each. All functions of this folder work on these two planes. */
export type Raster = Readonly<{
  width: number
  height: number
  /** Brightness from 0 (black) to 255 (white), row by row from the top. */
  grey: Uint8Array
  /** Redness, 0 to 255: by how much red exceeds green and blue. */
  red: Uint8Array
}>

/** Brightness below which a pixel is ink. */
export const DARK = 150
/** The same in a rotated rule, of which each row of pixels has only pieces, with pale pixels between them. */
export const PALE = 205

export type ColourImage = Readonly<{
  width: number
  height: number
  /** Bytes per pixel: grey; red, green, blue; or those and opacity. */
  channels: 1 | 3 | 4
  data: Uint8Array
}>

/** Weights of the three colours in brightness, as the eye sees them, in 256ths. */
const [OF_RED, OF_GREEN, OF_BLUE] = [77, 150, 29]

/** Converts an image to grey values and values of `red`, both 0 to 255, one byte per pixel. */
export const toRaster = ({ width, height, channels, data }: ColourImage): Raster => {
  const count = width * height
  const grey = new Uint8Array(count)
  const red = new Uint8Array(count)
  if (channels === 1) {
    grey.set(data.subarray(0, count))
    return { width, height, grey, red }
  }
  for (let at = 0, from = 0; at < count; at += 1, from += channels) {
    const r = data[from] ?? 0
    const g = data[from + 1] ?? 0
    const b = data[from + 2] ?? 0
    grey[at] = (r * OF_RED + g * OF_GREEN + b * OF_BLUE) >> 8
    red[at] = Math.max(0, r - Math.max(g, b))
  }
  return { width, height, grey, red }
}

/** Halves the size in both directions, for images with more detail than reading needs. */
export const halve = ({ width, height, grey, red }: Raster): Raster => {
  const [half, rows] = [width >> 1, height >> 1]
  const shrink = (plane: Uint8Array): Uint8Array => {
    const small = new Uint8Array(half * rows)
    for (let y = 0; y < rows; y += 1) {
      for (let x = 0; x < half; x += 1) {
        const at = 2 * y * width + 2 * x
        const sum =
          (plane[at] ?? 0) +
          (plane[at + 1] ?? 0) +
          (plane[at + width] ?? 0) +
          (plane[at + width + 1] ?? 0)
        small[y * half + x] = sum >> 2
      }
    }
    return small
  }
  return { width: half, height: rows, grey: shrink(grey), red: shrink(red) }
}
