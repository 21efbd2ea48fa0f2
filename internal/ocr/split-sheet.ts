/** Splits the scan of a sheet on which two pages are printed side by side, because the size of text follows from the width of a page. */
import { GUTTER, isWideSheet } from '#registry/reader/split-sheets.ts'
import { DARK, type Raster } from './raster.ts'

/** The share of the gutter that dust, or the shadow of a fold, may darken. */
const MOST_DARK = 0.02

/** Whether ink crosses the middle of the sheet, as the rules and the text of a single page do. */
const isWhole = ({ width, height, grey }: Raster): boolean => {
  const [from, to] = [Math.floor(width * (0.5 - GUTTER / 2)), Math.ceil(width * (0.5 + GUTTER / 2))]
  let dark = 0
  for (let y = 0; y < height; y += 1) {
    for (let x = from; x < to; x += 1) if ((grey[y * width + x] ?? 255) < DARK) dark += 1
  }
  return dark > MOST_DARK * (to - from) * height
}

const cutOut = ({ width, height, grey, red }: Raster, from: number, to: number): Raster => {
  const columns = (plane: Uint8Array): Uint8Array => {
    const part = new Uint8Array((to - from) * height)
    for (let y = 0; y < height; y += 1) {
      part.set(plane.subarray(y * width + from, y * width + to), y * (to - from))
    }
    return part
  }
  return { width: to - from, height, grey: columns(grey), red: columns(red) }
}

/** The pages on the sheet, the left before the right, or the sheet itself [documents 3.9]. */
export const pagesOnSheet = (sheet: Raster): readonly Raster[] => {
  const { width } = sheet
  if (!isWideSheet(sheet) || isWhole(sheet)) return [sheet]
  const middle = width >> 1
  return [cutOut(sheet, 0, middle), cutOut(sheet, middle, width)]
}
