/** Reads the pages of a scanned PDF: the image that covers each page, or several joined. Runs in the same process as read-pdf.ts. */
import { getDocument } from 'unpdf/pdfjs'
import { z } from 'zod'
import { limit } from '#core/limit.ts'
import { lendDecoders, MOST_PIXELS } from './image-decoders.ts'
import { dpiOf, joinImages, type Piece } from './join-images.ts'
import { type DrawnImage, walkDrawing } from './page-drawing.ts'
import { pageMatrix } from './page-geometry.ts'
import { areaOf, readPixels } from './page-picture.ts'
import type { Pixels } from './png.ts'
import type { OnStep } from './protocol.ts'
import { NO_ANNOTATIONS, openOptions, toPdfError } from './read-pdf.ts'
import { type PdfBounds, PdfError } from './reading.ts'

type PdfPage = Awaited<ReturnType<Awaited<ReturnType<typeof getDocument>['promise']>['getPage']>>

export type ScannedPage = Readonly<{
  image: Readonly<{ width: number; height: number; channels: 1 | 3 | 4; data: Uint8Array }>
  dpi: number
}>

/** The least share of the page's area that the images must cover. A smaller image is a seal or a bar code. */
const COVERS = 0.5
/** pdf.js silently drops images that are larger than its limit, and shrinks JPEG 2000 that is larger than a canvas. */
const SIZES = { maxImageSize: -1, canvasMaxAreaInBytes: 4 * MOST_PIXELS }
/** An image of the largest size takes 1 to 6 s of a core to decode. */
export const DECODE_MS = limit(
  'document.decode_time',
  30_000,
  'ms',
  'Time to decode the images of one page of a scan.',
)
/** Generous, because decoding blocks the process, including this timer. */
const PATIENCE_MS = 20_000

/** Converts bits to bytes of grey. */
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

/** An image is the whole page from this share of the area on, or, with white margins, if all others together are small. */
const ALL = 0.95
const SMALL = 0.1

const isWhole = (share: number, covered: number): boolean =>
  share >= ALL || (share >= COVERS && covered - share < SMALL)

/** With more images they are not strips of a scan, and decoding each takes time. */
const MOST_PIECES = 200

/** Whether the page shows the image neither turned nor mirrored. A scanner that corrects a skew turns it by a few degrees. */
const isUpright = ({ matrix: [a, b, , d] }: DrawnImage): boolean => a > Math.abs(b) && d > 0

type Page = Readonly<{ page: PdfPage; width: number; height: number }>

const sizeSchema = z.object({ width: z.number(), height: z.number() })

/** The pixels that the file states, by which an image that is too large differs from a damaged one. */
const statedPixels = ({ args: [first, width, height] }: DrawnImage): number => {
  const { data } = sizeSchema.safeParse(typeof first === 'string' ? { width, height } : first)
  return data === undefined ? 0 : data.width * data.height
}

/** @throws {PdfError} the image cannot be decoded or is too large; the caller would not notice a missing part */
const decode = async (drawn: DrawnImage, page: PdfPage): Promise<ScannedPage['image']> => {
  const stores = { page: page.objs, document: page.commonObjs }
  const pixels = await readPixels(drawn, stores, PATIENCE_MS)
  const count = pixels === null ? statedPixels(drawn) : pixels.width * pixels.height
  if (count > MOST_PIXELS) {
    throw new PdfError('too_big', `The image of page ${page.pageNumber} is too large.`)
  }
  if (pixels === null) {
    throw new PdfError('broken', `The image of page ${page.pageNumber} is damaged.`)
  }
  return toChannels(pixels)
}

/** Draws the page as it is displayed. @throws {PdfError} too_big */
const join = (pieces: readonly Piece[], { page, ...sheet }: Page): ScannedPage => {
  const joined = joinImages(pieces, sheet, MOST_PIXELS)
  if (joined !== null) return joined
  throw new PdfError('too_big', `The images of page ${page.pageNumber} are too large.`)
}

/** @throws {PdfError} the page has too many images, or image masks, whose colours are not in the image */
const readPieces = async (
  images: readonly DrawnImage[],
  { page, ...sheet }: Page,
): Promise<ScannedPage> => {
  if (images.length > MOST_PIECES || images.some(({ isMask }) => isMask)) {
    throw new PdfError('in_pieces', `Page ${page.pageNumber} consists of images that do not join.`)
  }
  const pieces: Piece[] = []
  for (const drawn of images) {
    pieces.push({ image: await decode(drawn, page), matrix: drawn.matrix })
  }
  return join(pieces, { page, ...sheet })
}

/**
 * Null if neither one image nor several together cover the page.
 *
 * @throws {PdfError} an image cannot be decoded
 */
const readScanned = async (page: PdfPage): Promise<ScannedPage | null> => {
  const viewport = page.getViewport({ scale: 1 })
  const matrix = pageMatrix(viewport)
  if (matrix === null) return null
  const images: DrawnImage[] = []
  const list = await page.getOperatorList({ annotationMode: NO_ANNOTATIONS })
  walkDrawing(list, matrix, {
    onPath: () => undefined,
    onHiddenText: () => undefined,
    onImage: (image) => void images.push(image),
  })
  const { width, height } = viewport
  const shares = images.map((image) => areaOf(image) / (width * height))
  const covered = shares.reduce((sum, share) => sum + share, 0)
  const drawn = images[shares.findIndex((share) => isWhole(share, covered))]
  if (drawn === undefined) {
    return covered >= COVERS ? readPieces(images, { page, width, height }) : null
  }
  const piece = { image: await decode(drawn, page), matrix: drawn.matrix }
  return isUpright(drawn)
    ? { image: piece.image, dpi: dpiOf(piece) }
    : join([piece], { page, width, height })
}

/** Reads the pages that are images, with their numbers. @param onStep called around each page's decoding, which blocks this process @throws {PdfError} */
export async function* readPdfImages(
  bytes: Uint8Array,
  bounds: PdfBounds,
  onStep: OnStep = () => undefined,
): AsyncIterable<ScannedPage & Readonly<{ number: number; count: number }>> {
  const takeBack = lendDecoders()
  const task = getDocument({ ...openOptions(bytes, bounds), ...SIZES })
  try {
    onStep(DECODE_MS)
    const document = await task.promise
    if (document.numPages > bounds.maxPages) {
      throw new PdfError('too_big', 'The file has too many pages.')
    }
    for (let number = 1; number <= document.numPages; number += 1) {
      onStep(DECODE_MS)
      const page = await document.getPage(number)
      const scanned = await readScanned(page)
      page.cleanup()
      onStep(null)
      if (scanned !== null) yield { ...scanned, number, count: document.numPages }
    }
  } catch (error) {
    throw toPdfError(error)
  } finally {
    takeBack()
    await task.destroy()
  }
}
