/** Converts a scanned certificate, image or PDF, to the form that a text PDF has for the parser. */

import { limit } from '#core/limit.ts'
import type { OnPage, OnStep, ScanWork } from '#pdf/protocol.ts'
import { DECODE_MS, readPdfImages } from '#pdf/read-images.ts'
import { type PdfBounds, PdfError } from '#pdf/reading.ts'
import type { SourceContent } from '#registry/page-content.ts'
import { isWideSheet } from '#registry/reader/split-sheets.ts'
import { correctPage } from '#registry/scan/correct-page.ts'
import { cleanPage } from './clean-page.ts'
import { decodeImage, LEAST_DPI, requireResolution } from './decode-image.ts'
import { type OcrEngine, withinTime } from './engine.ts'
import { findTurn, type Turn, turnRaster, UPRIGHT } from './find-turn.ts'
import { type ColourImage, halve, type Raster, toRaster } from './raster.ts'
import { readUnnamed } from './read-unnamed.ts'
import { type RecognisedPage, recognisePage } from './recognise-page.ts'
import { pagesOnSheet } from './split-sheet.ts'

/** Opens the engine, or returns the open one. A file without pages to read does not need it. */
export type OpenEngine = () => Promise<OcrEngine>

export type ScanOptions = Pick<ScanWork, 'type' | 'accuracy'> &
  Readonly<{
    /** Called before the first page and after each. @default not called */
    onPage?: OnPage
    /** @default not called */
    onStep?: OnStep
  }>

/** More detail than this takes time without improving the result. */
const FINEST_WIDTH = 3_600
const MAX_PAGES = limit('document.scanned_pages', 30, 'items', 'Scanned pages that are read.')

/** A page of noise takes minutes, because each speck of it is read in several ways. A page of a certificate takes 3 to 12 s. */
const PAGE_MS = limit(
  'document.page_time',
  40_000,
  'ms',
  'Processor time of OCR for one page of a scan.',
)

const inDetail = (page: Raster, width: number): Raster =>
  width > FINEST_WIDTH ? halve(page) : page

/** How the image is turned to be upright, and the pages that it then shows. @throws {PdfError} `low_resolution`, `too_slow` */
const readSheet = (engine: OcrEngine, image: ColourImage, first: Turn) => {
  const sheet = toRaster(image)
  const breadth = Math.min(sheet.width, sheet.height)
  const { turn, page } = findTurn(engine, inDetail(sheet, breadth), first)
  if (!isWideSheet(page.raster)) return { turn, pages: [page] }
  const pages = pagesOnSheet(turnRaster(sheet, turn))
  if (pages.length > 1) for (const one of pages) requireResolution(one, LEAST_DPI)
  return { turn, pages: pages.map((one) => cleanPage(inDetail(one, one.width))) }
}

/** A page with its number in the file, and the number of pages. */
type PageImage = Readonly<{ image: ColourImage; number: number; count: number }>

async function* imagesOf(
  bytes: Uint8Array,
  { type, onStep }: ScanOptions,
  bounds: PdfBounds,
): AsyncIterable<PageImage> {
  if (type !== 'pdf') {
    onStep?.(DECODE_MS)
    const image = decodeImage(bytes, type)
    onStep?.(null)
    yield { image, number: 1, count: 1 }
    return
  }
  for await (const { dpi, ...page } of readPdfImages(new Uint8Array(bytes), bounds, onStep)) {
    requireResolution(page.image, dpi)
    yield page
  }
}

/** The place of a page that no image covers, so that the pages behind it keep their numbers. */
const pageWithoutImage = (number: number): RecognisedPage => ({
  content: { number, width: 595, height: 842, texts: [], lines: [], isWithoutImage: true },
  letters: { count: 0, doubtful: 0 },
})

const doubtOf = (pages: readonly RecognisedPage[]): number => {
  const sum = (part: 'count' | 'doubtful'): number =>
    pages.reduce((known, { letters }) => known + letters[part], 0)
  return sum('doubtful') / Math.max(1, sum('count'))
}

/** Reads the images of pages. For a PDF without images, it identifies glyphs whose letters its fonts do not map. @throws {PdfError} */
export const readScan = async (
  openEngine: OpenEngine,
  bytes: Uint8Array,
  options: ScanOptions,
  bounds: PdfBounds,
): Promise<SourceContent> => {
  const pages: RecognisedPage[] = []
  let images = 0
  let turn: Turn = UPRIGHT
  const report = options.onPage ?? (() => undefined)
  let all = 0
  const skipTo = (number: number): void => {
    for (; images < number; images += 1) pages.push(pageWithoutImage(pages.length + 1))
  }
  for await (const { image, number, count } of imagesOf(bytes, options, bounds)) {
    // before any page is read, because reading takes seconds per page
    if (count > MAX_PAGES) throw new PdfError('too_big', 'The scan has too many pages.')
    if (images === 0) report({ page: 0, pages: count })
    all = count
    skipTo(number - 1)
    const open = await openEngine()
    let engine = withinTime(open, PAGE_MS)
    const sheet = readSheet(engine, image, turn)
    turn = sheet.turn
    for (const clean of sheet.pages) {
      const asked = { number: pages.length + 1, accuracy: options.accuracy }
      const page = recognisePage(engine, clean, asked)
      engine = withinTime(open, PAGE_MS)
      // the last sheet may have one page only
      if (sheet.pages.length === 1 || page.content.texts.length > 0) pages.push(page)
    }
    images += 1
    report({ page: images, pages: count })
  }
  skipTo(all)
  const named =
    pages.length === 0 && options.type === 'pdf'
      ? await readUnnamed(openEngine, bytes, bounds)
      : null
  if (named !== null) return named
  const corrected = pages.map(({ content }) => correctPage(content))
  // without an image it is not a scan, but a PDF without text
  const isTextBased = pages.length === 0
  return { pages: corrected, picture: null, isTextBased, ocrDoubt: doubtOf(pages) }
}
