/** Joins the images that make up a page, because scanners often write strips. */
import { type Matrix, unitSquare } from './page-geometry.ts'

export type Grid = Readonly<{
  width: number
  height: number
  channels: 1 | 3 | 4
  data: Uint8Array
}>
/** `matrix` maps the unit square, in which PDF paints each image, to points of the page. */
export type Piece = Readonly<{ image: Grid; matrix: Matrix }>
export type Sheet = Readonly<{ width: number; height: number }>

const POINTS_PER_INCH = 72
const WHITE = 255

/** The resolution of an image as painted, in dots per inch. */
export const dpiOf = ({ image, matrix }: Piece): number => {
  const { left, right } = unitSquare(matrix)
  const isUpright = Math.abs(matrix[0]) >= Math.abs(matrix[1])
  return ((isUpright ? image.width : image.height) * POINTS_PER_INCH) / (right - left)
}

const inverseOf = ([a, b, c, d, e, f]: Matrix): Matrix | null => {
  const area = a * d - b * c
  if (!Number.isFinite(1 / area)) return null
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area]
}

type Canvas = Grid & Readonly<{ unit: number; sheet: Sheet }>

const paint = ({ image, matrix }: Piece, canvas: Canvas): void => {
  const inverse = inverseOf(matrix)
  if (inverse === null) return
  const { unit, sheet, channels } = canvas
  const box = unitSquare(matrix)
  const clamp = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value)))
  const [left, right] = [
    clamp(box.left * unit, canvas.width),
    clamp(box.right * unit, canvas.width),
  ]
  const top = clamp((sheet.height - box.top) * unit, canvas.height)
  const bottom = clamp((sheet.height - box.bottom) * unit, canvas.height)
  for (let row = top; row < bottom; row += 1) {
    const y = sheet.height - (row + 0.5) / unit
    for (let column = left; column < right; column += 1) {
      const x = (column + 0.5) / unit
      const u = inverse[0] * x + inverse[2] * y + inverse[4]
      const v = inverse[1] * x + inverse[3] * y + inverse[5]
      if (u < 0 || u >= 1 || v <= 0 || v > 1) continue
      const from = Math.floor((1 - v) * image.height) * image.width + Math.floor(u * image.width)
      const to = row * canvas.width + column
      for (let part = 0; part < channels; part += 1) {
        // grey has the same value in each colour
        const source = image.channels === 1 ? from : from * image.channels + part
        canvas.data[to * channels + part] = image.data[source] ?? WHITE
      }
    }
  }
}

/**
 * Draws the page as one image, in the finest resolution of its pieces. Later pieces cover earlier ones.
 * @returns null if the image would have more pixels than `maxPixels`
 */
export const joinImages = (
  pieces: readonly Piece[],
  sheet: Sheet,
  maxPixels: number,
): Readonly<{ image: Grid; dpi: number }> | null => {
  const dpi = Math.max(...pieces.map(dpiOf))
  const unit = dpi / POINTS_PER_INCH
  const [width, height] = [Math.round(sheet.width * unit), Math.round(sheet.height * unit)]
  if (!(width * height <= maxPixels)) return null
  const channels = pieces.every(({ image }) => image.channels === 1) ? 1 : 3
  const data = new Uint8Array(width * height * channels).fill(WHITE)
  const canvas: Canvas = { width, height, channels, data, unit, sheet }
  for (const piece of pieces) paint(piece, canvas)
  return { image: { width, height, channels, data }, dpi }
}
