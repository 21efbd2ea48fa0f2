/** The pages of a scanned PDF: on each, the one image that covers it. Runs where read-pdf.ts does. */
import { getDocument } from 'unpdf/pdfjs'
import { type DrawnImage, walkDrawing } from './page-drawing.ts'
import { pageMatrix, unitSquare } from './page-geometry.ts'
import { areaOf, readPixels } from './page-picture.ts'
import type { Pixels } from './png.ts'
import { openOptions, toPdfError } from './read-pdf.ts'
import { type PdfBounds, PdfError } from './reading.ts'

type PdfPage = Awaited<ReturnType<Awaited<ReturnType<typeof getDocument>['promise']>['getPage']>>

export type ScannedPage = Readonly<{
  image: Readonly<{ width: number; height: number; channels: 1 | 3 | 4; data: Uint8Array }>
  dpi: number
}>

/** The least share of the page's area; a smaller image is a seal or a bar code. */
const COVERS = 0.5
const POINTS_PER_INCH = 72
const NO_ANNOTATIONS = 0
const MAX_PIXELS = 40_000_000
/** pdf.js takes what is larger than its bound off the page, without a word. */
const UNBOUNDED = -1
/** Decoding holds up everything else, this clock as well. */
const PATIENCE_MS = 20_000

/** Bits become bytes of grey. */
const toChannels = ({ width, height, kind, data }: Pixels): ScannedPage['image'] => {
  if (kind !== 'bit') return { width, height, channels: kind === 'rgb' ? 3 : 4, data }
  const grey = new Uint8Array(width * height)
  const row = Math.ceil(width / 8)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const byte = data[y * row + (x >> 3)] ?? 0
      grey[y * width + x] = (byte >> (7 - (x & 7))) & 1 ? 255 : 0
    }
  }
  return { width, height, channels: 1, data: grey }
}

/**
 * Null: no image covers the page.
 *
 * @throws {PdfError} one does that cannot be had, or many do together: the caller would not notice that a page is missing
 */
const readScanned = async (page: PdfPage): Promise<ScannedPage | null> => {
  const viewport = page.getViewport({ scale: 1 })
  const matrix = pageMatrix(viewport)
  if (matrix === null) return null
  const images: DrawnImage[] = []
  const list = await page.getOperatorList({ annotationMode: NO_ANNOTATIONS })
  walkDrawing(list, matrix, {
    onPath: () => undefined,
    onImage: (image) => void images.push(image),
  })
  const least = viewport.width * viewport.height * COVERS
  const areas = images.map(areaOf)
  const drawn = images[areas.findIndex((area) => area >= least)]
  if (drawn === undefined) {
    if (areas.reduce((sum, area) => sum + area, 0) < least) return null
    throw new PdfError('in_pieces', `Page ${page.pageNumber} is put together of several images.`)
  }
  const stores = { page: page.objs, document: page.commonObjs }
  const pixels = await readPixels(drawn, stores, PATIENCE_MS)
  if (pixels === null) {
    throw new PdfError('broken', `The image of page ${page.pageNumber} is damaged.`)
  }
  if (pixels.width * pixels.height > MAX_PIXELS) {
    throw new PdfError('too_big', `The image of page ${page.pageNumber} is too large.`)
  }
  const { left, right } = unitSquare(drawn.matrix)
  const dpi = (pixels.width * POINTS_PER_INCH) / (right - left)
  return { image: toChannels(pixels), dpi }
}

/** @throws {PdfError} */
export async function* readPdfImages(
  bytes: Uint8Array,
  bounds: PdfBounds,
): AsyncIterable<ScannedPage> {
  const task = getDocument(openOptions(bytes, { ...bounds, maxImagePixels: UNBOUNDED }))
  try {
    const document = await task.promise
    if (document.numPages > bounds.maxPages) {
      throw new PdfError('too_big', 'The file has too many pages.')
    }
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number)
      const scanned = await readScanned(page)
      page.cleanup()
      if (scanned !== null) yield scanned
    }
  } catch (error) {
    throw toPdfError(error)
  } finally {
    await task.destroy()
  }
}
