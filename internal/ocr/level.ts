/** Turns paper to white and print to black, which removes grey paper, noise and the watermark before the search for text. */
import type { Raster } from './raster.ts'

/** Shares of the paper's brightness. Lighter pixels are paper or its watermark, and darker ones are print. */
const LIGHTEST_PRINT = 0.66
const DARKEST_PRINT = 0.16
/** Most of a page is paper. */
const PAPER_SHARE = 0.6

const paperOf = (grey: Uint8Array): number => {
  const counts = new Uint32Array(256)
  for (const value of grey) counts[value] = (counts[value] ?? 0) + 1
  let darker = 0
  for (const [value, count] of counts.entries()) {
    darker += count
    if (darker >= grey.length * PAPER_SHARE) return Math.max(64, value)
  }
  return 255
}

/** Stretches the grey values between print and paper to the full range, which turns the watermark white. */
export const level = (raster: Raster): Raster => {
  const paper = paperOf(raster.grey)
  const [dark, light] = [paper * DARKEST_PRINT, paper * LIGHTEST_PRINT]
  const table = Uint8Array.from({ length: 256 }, (_, value) =>
    Math.max(0, Math.min(255, Math.round((255 * (value - dark)) / (light - dark)))),
  )
  return { ...raster, grey: raster.grey.map((value) => table[value] ?? 255) }
}
