/**
 * Reads a PDF with pdf.js. Runs in a separate process (reader-pool.ts), because a hostile file can make pdf.js take any
 * amount of time and memory. Nothing is fetched, no script of the file runs, and no font of this machine is read.
 */
import { getDocument } from 'unpdf/pdfjs'
import type { PageContent, SourceContent, TextPiece, VerticalLine } from '#registry/page-content.ts'
import { hasAnnotatedText } from './annotation-cover.ts'
import { isBlankLetter } from './blank-letter.ts'
import { type Covered, findCovered } from './covered-text.ts'
import { hasTextInHiddenLayer, readLayers } from './hidden-layers.ts'
import { KoreanCMaps } from './korean-cmaps.ts'
import type { IsLayerShown } from './layer-depth.ts'
import { FONTS_LEFT_OUT } from './leave-out-fonts.ts'
import { type DrawingListener, type DrawnImage, walkDrawing } from './page-drawing.ts'
import { IDENTITY, type Matrix, pageMatrix } from './page-geometry.ts'
import { type IsBlank, readRuns } from './page-glyphs.ts'
import { linesOf } from './page-lines.ts'
import { areaOf, findPicture, isOverLetter, readPicture } from './page-picture.ts'
import { toTextPiece } from './page-texts.ts'
import { type PdfBounds, PdfError } from './reading.ts'
import { hasForeignLetters, type PageRuns, repairTexts } from './repair-texts.ts'
import { isUnnamed, lacksHangul } from './unnamed-letters.ts'
import { type DamageWatch, watchDamage } from './warnings.ts'

export type PdfDocument = Awaited<ReturnType<typeof getDocument>['promise']>
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>

const WARNINGS = 1
export const NO_ANNOTATIONS = 0

/** Options by which nothing is fetched, no script runs, and no font of this machine is read. */
export const openOptions = (bytes: Uint8Array, { maxImagePixels }: PdfBounds) =>
  ({
    data: bytes,
    verbosity: WARNINGS,
    maxImageSize: maxImagePixels,
    BinaryDataFactory: KoreanCMaps,
    useSystemFonts: false,
    disableFontFace: true,
    useWorkerFetch: false,
    useWasm: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
    disableAutoFetch: true,
    disableRange: true,
    disableStream: true,
  }) as const

const tooBig = (what: string): PdfError => new PdfError('too_big', `The file has too many ${what}.`)

type Turned = Readonly<{
  width: number
  height: number
  matrix: Matrix
  texts: readonly TextPiece[]
}>

const QUARTER_TURNS = [0, 90, 180, 270]

const signsIn = (texts: readonly TextPiece[]): number =>
  texts.reduce((sum, { text }) => sum + text.trim().length, 0)

/**
 * Reads the page's text in the direction in which most of it runs. Programs that turn a page sometimes
 * set its `/Rotate` and leave the text upright, or the other way round [documents 3.7].
 */
const readTexts = async (
  page: PdfPage,
  number: number,
  { maxPieces }: PdfBounds,
): Promise<Turned> => {
  const { items } = await page.getTextContent()
  if (items.length > maxPieces) throw tooBig('pieces of text')
  const turnedBy = (degrees: number): Turned => {
    const viewport = page.getViewport({ scale: 1, rotation: page.rotate + degrees })
    const { width, height } = viewport
    const matrix = pageMatrix(viewport)
    if (matrix === null) throw new PdfError('broken', `Page ${number} has no size.`)
    const texts = items
      .map((item) => ('str' in item ? toTextPiece(item, matrix) : null))
      .filter((piece) => piece !== null)
    return { width, height, matrix, texts }
  }
  // the first of equals is the page as displayed
  return QUARTER_TURNS.map(turnedBy).reduce((best, turned) =>
    signsIn(turned.texts) > signsIn(best.texts) ? turned : best,
  )
}

type Drawn = Readonly<{
  lines: PageContent['lines']
  verticals: readonly VerticalLine[]
  images: readonly DrawnImage[]
  hasHiddenText: boolean
  covered: Covered
}>

type PageBounds = PdfBounds & Readonly<{ isLayerShown: IsLayerShown }>

const readDrawing = async (
  page: PdfPage,
  { matrix, width, height }: Turned,
  { maxPieces, isLayerShown }: PageBounds,
): Promise<Drawn> => {
  const lines: PageContent['lines'][number][] = []
  const verticals: VerticalLine[] = []
  const images: DrawnImage[] = []
  const list = await page.getOperatorList({ annotationMode: NO_ANNOTATIONS })
  let hasHiddenText = hasTextInHiddenLayer(list, isLayerShown)
  const listener: DrawingListener = {
    onPath: (path) => {
      // pushed one by one, because a path may contain more lines than a call can take arguments
      const straight = linesOf(path)
      for (const line of straight.horizontals) lines.push(line)
      for (const line of straight.verticals) verticals.push(line)
      if (lines.length + verticals.length > maxPieces) throw tooBig('lines')
    },
    onImage: (image) => void images.push(image),
    onHiddenText: () => {
      hasHiddenText = true
    },
  }
  walkDrawing(list, matrix, listener, isLayerShown)
  const covered = findCovered(list, { matrix, width, height })
  hasHiddenText ||= covered.isClipped
  return { lines, verticals, images, hasHiddenText, covered }
}

/** Whether anything opaque is painted over text. */
const isTextCovered = async (page: PdfPage, { covered }: Drawn): Promise<boolean> => {
  if (covered.isCovered) return true
  for (const image of covered.images) {
    if (await isOverLetter(image, { page: page.objs, document: page.commonObjs })) return true
  }
  return false
}

/** Points. Text of this size is a dot on paper. */
const LEAST_SIZE = 2
const isTiny = ({ text, size }: TextPiece): boolean => size < LEAST_SIZE && !isBlankLetter(text)

/** The share of a page that images cover if the page is a scan. */
const COVERED = 0.6

/** Whether a page is a scan: images cover it, and nothing draws the rules of a table. */
const isScan = ({ lines, verticals, images }: Drawn, area: number): boolean =>
  lines.length + verticals.length === 0 &&
  images.reduce((sum, image) => sum + areaOf(image), 0) >= area * COVERED

type ReadPage = Readonly<{ content: PageContent; picture: string | null; matrix: Matrix }>

const readPage = async (page: PdfPage, number: number, bounds: PageBounds): Promise<ReadPage> => {
  const turned = await readTexts(page, number, bounds)
  const { width, height, matrix, texts } = turned
  // the drawing of a scan is its image, which is expensive to decode and not needed here
  const drawn = texts.length === 0 ? null : await readDrawing(page, turned, bounds)
  const found = number === 1 && drawn !== null ? findPicture(drawn.images, { width, height }) : null
  const picture =
    found === null ? null : await readPicture(found, { page: page.objs, document: page.commonObjs })
  const isPicture = drawn !== null && isScan(drawn, width * height)
  // the layer of text on a scan may be below its image
  const hasCovered =
    drawn !== null &&
    !isPicture &&
    ((await isTextCovered(page, drawn)) || (await hasAnnotatedText(page, texts, matrix)))
  page.cleanup()
  const { lines = [], verticals = [] } = drawn ?? {}
  const hasHidden = drawn?.hasHiddenText === true || texts.some(isTiny)
  const content = {
    number,
    width,
    height,
    texts,
    lines,
    verticals,
    ...(isPicture && { isPicture }),
    // the layer of text on a scan is invisible, too
    ...(hasHidden && !isPicture && { hasHiddenText: true }),
    ...(hasCovered && { hasCoveredText: true }),
  }
  return { content, picture, matrix }
}

/** The pages with the texts from pdf.js, and for each the matrix that turns it upright. */
export type ReadSource = Readonly<{ source: SourceContent; matrices: readonly Matrix[] }>

/** Reads the pages of an open document with the letters that its fonts name. @throws {PdfError} */
export const readSource = async (document: PdfDocument, bounds: PdfBounds): Promise<ReadSource> => {
  if (document.numPages > bounds.maxPages) throw tooBig('pages')
  const read: ReadPage[] = []
  const bounded = { ...bounds, isLayerShown: await readLayers(document) }
  for (let number = 1; number <= document.numPages; number += 1) {
    read.push(await readPage(await document.getPage(number), number, bounded))
  }
  const { picture = null } = read.find((one) => one.picture !== null) ?? {}
  return {
    source: { pages: read.map(({ content }) => content), picture, isTextBased: true },
    matrices: read.map(({ matrix }) => matrix),
  }
}

/** Reads the glyphs of all pages. @param isBlankOf finds the blanks of a page; by default, glyphs without a letter */
export const readAllRuns = async (
  document: PdfDocument,
  { source, matrices }: ReadSource,
  isBlankOf?: (page: PdfPage) => IsBlank,
): Promise<readonly PageRuns[]> => {
  const pages: PageRuns[] = []
  for (const [at, content] of source.pages.entries()) {
    const page = await document.getPage(content.number)
    const list = await page.getOperatorList({ annotationMode: NO_ANNOTATIONS })
    const runs = readRuns(list, matrices[at] ?? IDENTITY, isBlankOf?.(page))
    pages.push({ content, runs })
    page.cleanup()
  }
  return pages
}

/** Checks fonts glyph by glyph if the text does not look like that of a certificate [documents 3.7]. */
const repairSource = async (document: PdfDocument, read: ReadSource): Promise<SourceContent> => {
  const { source } = read
  const isForeign = source.pages.some(({ texts }) => hasForeignLetters(texts))
  if (!isForeign && !lacksHangul(source.pages)) return source
  const pages = await readAllRuns(document, read)
  if (isUnnamed(pages)) return { ...source, isUnnamed: true }
  return isForeign ? { ...source, pages: repairTexts(pages) } : source
}

/** Converts anything that the PDF library threw to a `PdfError`: `encrypted` if a password is needed, otherwise `broken`. */
export const toPdfError = (error: unknown): PdfError => {
  if (error instanceof PdfError) return error
  const isLocked = error instanceof Error && error.name === 'PasswordException'
  return isLocked
    ? new PdfError('encrypted', 'The file opens by a password only.', error)
    : new PdfError('broken', 'The file is damaged.', error)
}

/**
 * Opens a file while `use` runs.
 * @param fonts `FONTS_LEFT_OUT` if no outline of a glyph is needed; by default pdf.js creates them
 * @throws {PdfError}
 */
export const withDocument = async <Result>(
  bytes: Uint8Array,
  bounds: PdfBounds,
  use: (document: PdfDocument, damage: DamageWatch) => Promise<Result>,
  fonts: Partial<typeof FONTS_LEFT_OUT> = {},
): Promise<Result> => {
  const damage = watchDamage()
  const task = getDocument({ ...openOptions(bytes, bounds), ...fonts })
  try {
    const result = await use(await task.promise, damage)
    if (damage.isFound()) throw new PdfError('broken', 'A page of the file is damaged.')
    return result
  } catch (error) {
    throw toPdfError(error)
  } finally {
    damage.stop()
    await task.destroy()
  }
}

/** @throws {PdfError} */
export const readPdf = (bytes: Uint8Array, bounds: PdfBounds): Promise<SourceContent> =>
  withDocument(
    bytes,
    bounds,
    async (document, damage) => {
      const source = await repairSource(document, await readSource(document, bounds))
      return damage.isDoubtful() ? { ...source, isDoubtful: true } : source
    },
    FONTS_LEFT_OUT,
  )
