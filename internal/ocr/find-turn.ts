/**
 * Finds how a scan must be turned to be upright, because many lie on their side or upside down. OCR reads a few stretches
 * of text: upright, most of them are Hangul of which it is sure, and in any other direction hardly any.
 */
import { isWideSheet } from '#registry/reader/split-sheets.ts'
import { type CleanPage, cleanPage } from './clean-page.ts'
import { crop } from './crop.ts'
import type { OcrEngine } from './engine.ts'
import { DARK, type Raster } from './raster.ts'
import { type Box, findSegments } from './segments.ts'
import { turnImage } from './turn-image.ts'

/** How an image is stored, by the numbers of EXIF: upright, on its right and left side, and upside down. */
const TURNS = [1, 6, 8, 3] as const
export type Turn = (typeof TURNS)[number]
export const UPRIGHT: Turn = 1

/** Points. A line of text that is long enough to tell, on a page or on a sheet of two. */
const LINE = { least: 4.5, most: 17 } as const
const STRETCH = { least: 28, most: 250 } as const
const MARGIN = 3

const MOST_READ = 12
/** So many stretches that are surely Hangul decide at once. */
const ENOUGH = 3
/** One could be an accident. */
const LEAST_SURE = 2
/** Percent. In a wrong direction, OCR is at most this sure of four letters or more. */
const SURE = 75
const LEAST_LETTERS = 4

/** A sheet that is wider than high shows two pages, or one that lies on its side: both are as broad as it is high, or nearly. */
const cleanSheet = (sheet: Raster): CleanPage =>
  cleanPage(sheet, isWideSheet(sheet) ? sheet.height : sheet.width)

/** Stretches from all parts of the page. */
const sampleOf = ({ raster, unit }: CleanPage): readonly Box[] => {
  const isIn = (pixels: number, { least, most }: typeof LINE | typeof STRETCH): boolean =>
    pixels >= least * unit && pixels <= most * unit
  const fit = findSegments(raster, unit).texts.filter(
    ({ left, right, top, bottom }) =>
      isIn(bottom - top + 1, LINE) && isIn(right - left + 1, STRETCH),
  )
  const step = Math.max(1, fit.length / MOST_READ)
  return fit.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}

const isBlank = ({ raster }: CleanPage): boolean => !raster.grey.some((level) => level < DARK)

/** How many stretches are surely Hangul, up to `ENOUGH`. */
const sureIn = (engine: OcrEngine, page: CleanPage): number => {
  let sure = 0
  for (const box of sampleOf(page)) {
    const image = crop(page.raster, box, Math.round(MARGIN * page.unit))
    const { text, confidence } = engine.read(image, { mode: 'line', signs: null })
    const letters = text.match(/[가-힣\d]/g) ?? []
    if (confidence >= SURE && letters.length >= LEAST_LETTERS && /[가-힣]/.test(text)) sure += 1
    if (sure === ENOUGH) break
  }
  return sure
}

export const turnRaster = (raster: Raster, turn: Turn): Raster => {
  if (turn === UPRIGHT) return raster
  const { width, height, grey, red } = raster
  const upright = turnImage({ width, height, channels: 1, data: grey }, turn)
  return {
    width: upright.width,
    height: upright.height,
    grey: upright.data,
    red: turnImage({ width, height, channels: 1, data: red }, turn).data,
  }
}

export type Turned = Readonly<{ turn: Turn; page: CleanPage }>

/**
 * Returns the page upright, and how it was turned. If OCR is sure in no direction, the first one counts.
 * @param first the direction that is tried first, which is that of the page before
 */
export const findTurn = (engine: OcrEngine, image: Raster, first: Turn): Turned => {
  const tryTurn = (turn: Turn) => {
    const page = cleanSheet(turnRaster(image, turn))
    return { turn, page, sure: sureIn(engine, page) }
  }
  let best = tryTurn(first)
  // each direction takes a second
  if (isBlank(best.page)) return best
  for (const turn of TURNS.filter((other) => other !== first)) {
    if (best.sure === ENOUGH) break
    const next = tryTurn(turn)
    if (next.sure > best.sure && next.sure >= LEAST_SURE) best = next
  }
  return best
}
