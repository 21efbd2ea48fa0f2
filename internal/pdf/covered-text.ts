/**
 * Finds text that is painted over or clipped away, by which a file could say one thing on paper and another to the parser.
 * Paint counts if nothing shines through it. A rule or a strike is too thin to hide a letter, and the ground of a cell is
 * below its text.
 */
import { OPS } from 'unpdf/pdfjs'
import { coversOf, isThick, paintsOf } from './cover-shapes.ts'
import type { ImageOverText } from './image-cover.ts'
import { compareCovers, type LateCover } from './late-covers.ts'
import { toArray } from './operands.ts'
import { isInPart, type Part, readPolygons } from './outline.ts'
import { FILLS, type OperatorList, STROKES } from './page-drawing.ts'
import { type Matrix, overlapOf, unitSquare, WHOLE } from './page-geometry.ts'
import { createPaintSheet, type SheetSize } from './paint-sheet.ts'
import { createPaintState, isSolidFill, masksOf } from './paint-state.ts'
import { addToMask, isNothingAt } from './soft-mask.ts'
import { type Ink, inkOf, type Letter } from './text-ink.ts'
import { createTextState } from './text-state.ts'

type Page = SheetSize & Readonly<{ matrix: Matrix }>
type Act = (args: readonly unknown[], at: number) => void

const MAY_COVER: ReadonlySet<number> = new Set([
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintSolidColorImageMask,
  OPS.shadingFill,
])
const MAY_CLIP: ReadonlySet<number> = new Set([
  OPS.clip,
  OPS.eoClip,
  OPS.beginGroup,
  OPS.paintFormXObjectBegin,
])

/** Whether anything may hide text: a clip, or what is painted after the first text. Most pages have nothing. */
const mayHide = ({ fnArray, argsArray }: OperatorList): boolean => {
  const first = fnArray.indexOf(OPS.showText)
  return fnArray.some((word, at) => {
    if (first === -1) return false
    if (MAY_CLIP.has(word)) return true
    if (at < first) return false
    if (MAY_COVER.has(word)) return true
    if (word !== OPS.constructPath) return false
    const paint = Number(toArray(argsArray[at])[0])
    return FILLS.has(paint) || STROKES.has(paint)
  })
}

export type Covered = Readonly<{
  /** Whether paint hides a letter. */
  isCovered: boolean
  /** Whether a letter is outside of the clip that applies to it. */
  isClipped: boolean
  /** Images that hide a letter unless they are transparent above it. */
  images: readonly ImageOverText[]
}>

/** What is painted on a page, and which letters it hides. @param paint the state of the paint */
const createPage = (size: SheetSize, paint: ReturnType<typeof createPaintState>) => {
  const sheet = createPaintSheet(size)
  const letters: Letter[] = []
  const late: LateCover[] = []
  let isClipped = false
  const clipped = ({ box, outlines }: Part): Part => {
    const { clip, clipShapes } = paint.current()
    return { box: overlapOf(box, clip), outlines: [...outlines, ...clipShapes] }
  }
  const isUnseen = (ink: Ink): boolean => {
    const state = paint.current()
    const clip = { box: state.clip, outlines: state.clipShapes }
    return (
      !ink.some((point) => isInPart(clip, point, sheet.spend)) ||
      masksOf(state).some((mask) => ink.every((point) => isNothingAt(mask, point, sheet.spend)))
    )
  }
  return {
    clipped,
    show: (ink: Ink, at: number): void => {
      letters.push({ at, ink })
      isClipped ||= isUnseen(ink)
    },
    cover: (part: Part, at: number, image: LateCover['image'] = null): void => {
      const state = paint.current()
      const masks = masksOf(state)
      // what an image or a gradient adds to a mask differs from place to place
      if (state.drawnMask !== null) state.drawnMask.isUnknown = true
      else if (letters.length === 0) return
      else if (image === null && masks.length === 0) sheet.paint(clipped(part), at)
      else late.push({ ...clipped(part), at, masks, image })
    },
    found: (): Covered => {
      const isPainted = letters.some(({ at, ink }) => ink.every((point) => sheet.last(point) > at))
      const { isCovered, images } = compareCovers(late, letters, sheet.spend)
      return { isCovered: isPainted || isCovered, isClipped, images }
    },
  }
}

/** Follows the operators of a page. `acts` are their effects on its text and paint. */
const followPage = ({ matrix: upright, ...size }: Page) => {
  const text = createTextState(upright)
  const paint = createPaintState(() => text.current().matrix)
  const page = createPage(size, paint)
  const show: Act = ([shown], at) => {
    const inks = inkOf(shown, text)
    const { drawnMask } = paint.current()
    if (drawnMask !== null) {
      drawnMask.isUnknown = true
      return
    }
    for (const ink of inks) page.show(ink, at)
  }
  const draw: Act = ([word, data], at) => {
    const { matrix } = text.current()
    const state = paint.current()
    const drawn = { polygons: readPolygons(toArray(data)[0], matrix), word: Number(word), matrix }
    if (state.drawnMask !== null) {
      for (const each of paintsOf(drawn, state)) {
        addToMask(state.drawnMask, { ...each, ...page.clipped(each) })
      }
    } else for (const part of coversOf(drawn, state)) page.cover(part, at)
    paint.clip(drawn.polygons)
  }
  const fillSquare: Act = (_, at) => {
    const state = paint.current()
    if (!isSolidFill(state) || state.fill === null) return
    page.cover({ box: unitSquare(text.current().matrix), outlines: [] }, at)
  }
  const shade: Act = (_, at) => {
    if (isSolidFill(paint.current())) page.cover({ box: WHOLE, outlines: [] }, at)
  }
  const showImage =
    (isMask: boolean): Act =>
    (args, at) => {
      const { matrix } = text.current()
      const state = paint.current()
      const box = unitSquare(matrix)
      // a mask of pixels is painted in the colour of fills
      const isPlain = !isMask || state.fill !== null
      if (!isSolidFill(state) || !isPlain || !isThick(overlapOf(box, state.clip))) return
      page.cover({ box, outlines: [] }, at, { matrix, args, isMask })
    }
  return {
    states: [text.acts, paint.acts] as const,
    acts: new Map<number, Act>([
      [OPS.showText, show],
      [OPS.constructPath, draw],
      // an image of one pixel, by which some programs fill rectangles
      [OPS.paintSolidColorImageMask, fillSquare],
      [OPS.shadingFill, shade],
      [OPS.paintImageXObject, showImage(false)],
      [OPS.paintInlineImageXObject, showImage(false)],
      [OPS.paintImageMaskXObject, showImage(true)],
    ]),
    found: page.found,
  }
}

/** Finds text that is painted over or clipped away. @throws {PdfError} if it is too much */
export const findCovered = (list: OperatorList, page: Page): Covered => {
  if (!mayHide(list)) return { isCovered: false, isClipped: false, images: [] }
  const { states, acts, found } = followPage(page)
  for (const [at, word] of list.fnArray.entries()) {
    const given = list.argsArray[at]
    const args = given instanceof Float32Array ? [...given] : toArray(given)
    for (const state of states) state.get(word)?.(args)
    acts.get(word)?.(args, at)
  }
  return found()
}
