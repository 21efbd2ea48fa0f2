/** Small rasters drawn from rectangles, for tests of code that analyses shapes. */
import type { Raster } from '#ocr/raster.ts'

export type Drawn = Readonly<{
  left: number
  top: number
  width: number
  height: number
  grey?: number
}>

export const drawRaster = (
  { width, height }: Readonly<{ width: number; height: number }>,
  parts: readonly Drawn[],
): Raster => {
  const grey = new Uint8Array(width * height).fill(255)
  for (const part of parts) {
    for (let y = part.top; y < part.top + part.height; y += 1) {
      grey.fill(part.grey ?? 0, y * width + part.left, y * width + part.left + part.width)
    }
  }
  return { width, height, grey, red: new Uint8Array(width * height) }
}
