/**
 * Finds text that is painted over or clipped away, by which a file could say one thing on paper and another to the parser.
 * Paint counts if nothing shines through it. A rule or a strike is too thin to hide a letter, and the ground of a cell is
 * below its text.
 */
import { OPS } from 'unpdf/pdfjs'
import type { Colour } from './colour.ts'
import { toArray } from './operands.ts'
import { hasInside, isRectangle, type Outline, readPolygons } from './outline.ts'
import { type DrawnImage, EVEN_ODD, FILLS, type OperatorList, STROKES } from './page-drawing.ts'
import {
  apply,
  type Box,
  boxOf,
  type Matrix,
  multiply,
  overlapOf,
  type Point,
  unitSquare,
} from './page-geometry.ts'
import { placeGlyphs } from './page-glyphs.ts'
import { createPaintSheet, type SheetSize } from './paint-sheet.ts'
import { createPaintState, isSolidFill, isSolidStroke, type PaintState } from './paint-state.ts'
import { createTextState } from './text-state.ts'

type Page = SheetSize & Readonly<{ matrix: Matrix }>
type Act = (args: readonly unknown[], at: number) => void

/** Points. Thinner paint is a rule or a strike. */
const THIN = 3
/** Rectangles of one path that are compared with each other, because one may be a hole in the other. */
const MOST_COMPARED = 64
/** Where a letter has ink, in shares of its width, and in font sizes above the baseline. */
const ACROSS = [0.3, 0.5, 0.7] as const
const UP = [0.2, 0.4, 0.6] as const

const isThick = ({ left, right, bottom, top }: Box): boolean =>
  right - left >= THIN && top - bottom >= THIN

/** The rectangles of a filled path, without those that may be holes or have some. */
const filledBoxes = (subpaths: readonly (readonly Point[])[]): readonly Box[] => {
  const boxes = subpaths.filter(isRectangle).map(boxOf).filter(isThick)
  if (boxes.length < 2 || boxes.length > MOST_COMPARED) return boxes
  return boxes.filter((box) =>
    boxes.every((other) => other === box || !isThick(overlapOf(box, other))),
  )
}

/** The sides of a broad stroke, all in one direction, so that pieces that overlap are inside. */
const strokedOutline = (polygons: Outline['polygons'], width: number): Outline => ({
  polygons: polygons.flatMap((points) =>
    points.slice(1).flatMap((to, at) => {
      const from = points[at] ?? to
      const length = Math.hypot(to.x - from.x, to.y - from.y)
      if (length === 0) return []
      const x = ((from.y - to.y) / length) * (width / 2)
      const y = ((to.x - from.x) / length) * (width / 2)
      return [
        [
          { x: from.x + x, y: from.y + y },
          { x: to.x + x, y: to.y + y },
          { x: to.x - x, y: to.y - y },
          { x: from.x - x, y: from.y - y },
        ],
      ]
    }),
  ),
  isEvenOdd: false,
})

type Drawn = Readonly<{ polygons: Outline['polygons']; word: number; matrix: Matrix }>
/** Paint: what is in the box and inside all outlines. */
type Cover = Readonly<{ box: Box; outlines: readonly Outline[] }>

const coverOf = (outline: Outline): readonly Cover[] => {
  const box = boxOf(outline.polygons.flat())
  return isThick(box) ? [{ box, outlines: [outline] }] : []
}

const coversOf = ({ polygons, word, matrix }: Drawn, state: PaintState): readonly Cover[] => {
  const isPlain = (colour: Colour): boolean => colour !== null
  const isFilled = FILLS.has(word) && isSolidFill(state) && isPlain(state.fill)
  const isStroked = STROKES.has(word) && isSolidStroke(state) && isPlain(state.stroke)
  const width = state.width * Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
  const isBroad = isStroked && width >= THIN
  const filled = polygons.every(isRectangle)
    ? filledBoxes(polygons).map((box) => ({ box, outlines: [] }))
    : coverOf({ polygons, isEvenOdd: EVEN_ODD.has(word) })
  return [...(isFilled ? filled : []), ...(isBroad ? coverOf(strokedOutline(polygons, width)) : [])]
}

/** The points at which each shown letter has its ink. */
const inkOf = (shown: readonly unknown[], text: ReturnType<typeof createTextState>): Point[][] => {
  const { text: state, matrix, at } = text.current()
  if (state.size === 0) return []
  const { glyphs, end } = placeGlyphs(shown, state)
  const whole = multiply(
    matrix,
    multiply(at, [state.size * state.stretch, 0, 0, state.size, 0, state.rise]),
  )
  text.advance(end * state.size * state.stretch)
  return glyphs
    .filter(({ letter }) => letter.trim() !== '')
    .map(({ from, to }) =>
      ACROSS.flatMap((x) => UP.map((y) => apply(whole, from + (to - from) * x, y))),
    )
}

const MAY_COVER: ReadonlySet<number> = new Set([
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
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
  /** Images that hide a letter if no part of them is transparent. */
  images: readonly DrawnImage[]
}>

const isIn = ({ x, y }: Point, { left, right, bottom, top }: Box): boolean =>
  x > left && x < right && y > bottom && y < top

type Letter = Readonly<{ at: number; ink: readonly Point[] }>
type CoverImage = Cover & Readonly<{ at: number; image: DrawnImage }>

/** Follows the operators of a page. `acts` are their effects on its text and paint. */
const followPage = (page: Page) => {
  const text = createTextState(page.matrix)
  const paint = createPaintState(() => text.current().matrix)
  const sheet = createPaintSheet(page)
  const letters: Letter[] = []
  const images: CoverImage[] = []
  const whole = { left: 0, bottom: 0, right: page.width, top: page.height }
  let isClipped = false
  const isInside = (point: Point, outlines: readonly Outline[]): boolean =>
    outlines.every((outline) => {
      sheet.spend(outline.polygons.reduce((sum, points) => sum + points.length, 1))
      return hasInside(outline, point)
    })
  const clipped = ({ box, outlines }: Cover): Cover => {
    const { clip, clipShapes } = paint.current()
    return { box: overlapOf(box, clip), outlines: [...outlines, ...clipShapes] }
  }
  const cover = (one: Cover, at: number): void => {
    const { box, outlines } = clipped(one)
    sheet.paint(box, outlines, at)
  }
  const show: Act = ([shown], at) => {
    const { clip, clipShapes } = paint.current()
    for (const ink of inkOf(toArray(shown), text)) {
      letters.push({ at, ink })
      isClipped ||= !ink.some((point) => isIn(point, clip) && isInside(point, clipShapes))
    }
  }
  const draw: Act = ([word, data], at) => {
    const { matrix } = text.current()
    const polygons = readPolygons(toArray(data)[0], matrix)
    const covers = coversOf({ polygons, word: Number(word), matrix }, paint.current())
    if (letters.length > 0) for (const one of covers) cover(one, at)
    paint.clip(polygons)
  }
  const fillSquare: Act = (_, at) => {
    const state = paint.current()
    if (letters.length === 0 || !isSolidFill(state) || state.fill === null) return
    cover({ box: unitSquare(text.current().matrix), outlines: [] }, at)
  }
  const shade: Act = (_, at) => {
    const isSolid = letters.length > 0 && isSolidFill(paint.current())
    if (isSolid) cover({ box: whole, outlines: [] }, at)
  }
  const showImage: Act = (args, at) => {
    const { matrix } = text.current()
    const part = clipped({ box: unitSquare(matrix), outlines: [] })
    if (letters.length === 0 || !isSolidFill(paint.current()) || !isThick(part.box)) return
    images.push({ ...part, at, image: { matrix, args, isMask: false } })
  }
  const hides = ({ at, box, outlines }: CoverImage): boolean =>
    letters.some(
      (letter) =>
        letter.at < at &&
        letter.ink.every((point) => isIn(point, box) && isInside(point, outlines)),
    )
  return {
    states: [text.acts, paint.acts] as const,
    acts: new Map<number, Act>([
      [OPS.showText, show],
      [OPS.constructPath, draw],
      // an image of one pixel, by which some programs fill rectangles
      [OPS.paintSolidColorImageMask, fillSquare],
      [OPS.shadingFill, shade],
      [OPS.paintImageXObject, showImage],
      [OPS.paintInlineImageXObject, showImage],
    ]),
    found: (): Covered => ({
      isCovered: letters.some(({ at, ink }) => ink.every((point) => sheet.last(point) > at)),
      isClipped,
      images: images.filter(hides).map(({ image }) => image),
    }),
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
