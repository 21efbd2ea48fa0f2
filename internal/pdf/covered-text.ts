/**
 * Finds text that is painted over, by which a file could say one thing on paper and another to the parser. Paint counts if
 * nothing shines through it. A rule or a strike is too thin to hide a letter, and the ground of a cell is below its text.
 */
import { OPS } from 'unpdf/pdfjs'
import type { Colour } from './colour.ts'
import { toArray } from './operands.ts'
import { type DrawnImage, FILLS, type OperatorList, readSubpaths, STROKES } from './page-drawing.ts'
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
import { createPaintState, isSolidFill, isSolidStroke, type PaintState } from './paint-state.ts'
import { PdfError } from './reading.ts'
import { createTextState } from './text-state.ts'

type Page = Readonly<{ matrix: Matrix; width: number; height: number }>

/** Points. Thinner paint is a rule or a strike. */
const THIN = 3
/** Points by which the sides of a rectangle may be off. */
const CROOKED = 0.5
/** Rectangles of one path that are compared with each other, because one may be a hole in the other. */
const MOST_COMPARED = 64
/** Where a letter has ink, in shares of its width, and in font sizes above the baseline. */
const ACROSS = [0.3, 0.5, 0.7] as const
const UP = [0.2, 0.4, 0.6] as const

/** Cells that a page may have, and that its paint may fill. */
const MOST_CELLS = 1_000_000
const MOST_FILLED = 200_000_000

/** A page in small cells, each with the operator that painted it last. */
const createSheet = ({ width, height }: Page) => {
  const cell = Math.max(1, Math.sqrt((width * height) / MOST_CELLS))
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)]
  const painted = new Uint32Array(columns * rows)
  let filled = 0
  /** The first cell whose centre is at or after the position. */
  const cellAt = (position: number, most: number): number =>
    Math.min(most, Math.max(0, Math.ceil(position / cell - 0.5)))
  return {
    paint: ({ left, right, bottom, top }: Box, at: number): void => {
      const [from, to] = [cellAt(left, columns), cellAt(right, columns)]
      const [low, high] = [cellAt(bottom, rows), cellAt(top, rows)]
      filled += Math.max(0, to - from) * Math.max(0, high - low)
      if (filled > MOST_FILLED) throw new PdfError('too_big', 'The file has too much paint.')
      for (let row = low; row < high; row += 1) {
        painted.fill(at, row * columns + from, row * columns + Math.max(from, to))
      }
    },
    /** The operator that painted the point last, or 0. */
    last: ({ x, y }: Point): number => {
      const [column, row] = [Math.floor(x / cell), Math.floor(y / cell)]
      const isOutside = column < 0 || row < 0 || column >= columns || row >= rows
      return isOutside ? 0 : (painted[row * columns + column] ?? 0)
    },
  }
}

const isThick = ({ left, right, bottom, top }: Box): boolean =>
  right - left >= THIN && top - bottom >= THIN

const isRectangle = (points: readonly Point[]): boolean =>
  points.length >= 4 &&
  points.length <= 6 &&
  points.every(({ x, y }, at) => {
    const next = points[(at + 1) % points.length] ?? { x, y }
    return Math.abs(next.x - x) < CROOKED || Math.abs(next.y - y) < CROOKED
  })

/** The rectangles of a filled path, without those that may be holes or have some. */
const filledBoxes = (subpaths: readonly (readonly Point[])[]): readonly Box[] => {
  const boxes = subpaths.filter(isRectangle).map(boxOf).filter(isThick)
  if (boxes.length < 2 || boxes.length > MOST_COMPARED) return boxes
  return boxes.filter((box) =>
    boxes.every((other) => other === box || !isThick(overlapOf(box, other))),
  )
}

/** The boxes of straight strokes that are as wide as text is high. */
const strokedBoxes = (subpaths: readonly (readonly Point[])[], width: number): readonly Box[] => {
  if (width < THIN) return []
  const half = width / 2
  return subpaths.flatMap((points) =>
    points.slice(1).flatMap((to, at) => {
      const { left, right, bottom, top } = boxOf([points[at] ?? to, to])
      if (top - bottom < CROOKED) return [{ left, right, bottom: bottom - half, top: top + half }]
      if (right - left < CROOKED) return [{ left: left - half, right: right + half, bottom, top }]
      return []
    }),
  )
}

type Drawn = Readonly<{ subpaths: readonly (readonly Point[])[]; word: number; matrix: Matrix }>

const coversOf = ({ subpaths, word, matrix }: Drawn, state: PaintState): readonly Box[] => {
  const isPlain = (colour: Colour): boolean => colour !== null
  const isFilled = FILLS.has(word) && isSolidFill(state) && isPlain(state.fill)
  const isStroked = STROKES.has(word) && isSolidStroke(state) && isPlain(state.stroke)
  const width = state.width * Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
  return [
    ...(isFilled ? filledBoxes(subpaths) : []),
    ...(isStroked ? strokedBoxes(subpaths, width) : []),
  ]
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

/** Whether anything that may hide text is painted after the first text. Most pages have nothing. */
const mayCover = ({ fnArray, argsArray }: OperatorList): boolean => {
  const first = fnArray.indexOf(OPS.showText)
  return fnArray.some((word, at) => {
    if (first === -1 || at < first) return false
    if (word === OPS.paintImageXObject || word === OPS.paintSolidColorImageMask) return true
    if (word !== OPS.constructPath) return false
    const paint = Number(toArray(argsArray[at])[0])
    return FILLS.has(paint) || STROKES.has(paint)
  })
}

export type Covered = Readonly<{
  /** Whether paint hides a letter. */
  isCovered: boolean
  /** Images that hide a letter if no part of them is transparent. */
  images: readonly DrawnImage[]
}>

/** Finds what is painted over the text of a page. @throws {PdfError} if it is too much */
export const findCovered = (list: OperatorList, page: Page): Covered => {
  if (!mayCover(list)) return { isCovered: false, images: [] }
  const text = createTextState(page.matrix)
  const paint = createPaintState(() => text.current().matrix)
  const sheet = createSheet(page)
  const letters: Readonly<{ at: number; ink: readonly Point[] }>[] = []
  const images: Readonly<{ at: number; box: Box; image: DrawnImage }>[] = []
  const acts = new Map<number, (args: readonly unknown[], at: number) => void>([
    [
      OPS.showText,
      ([shown], at) => {
        for (const ink of inkOf(toArray(shown), text)) letters.push({ at, ink })
      },
    ],
    [
      OPS.constructPath,
      ([word, data], at) => {
        const { matrix } = text.current()
        const subpaths = readSubpaths(toArray(data)[0], matrix)
        const state = paint.current()
        for (const box of letters.length === 0
          ? []
          : coversOf({ subpaths, word: Number(word), matrix }, state)) {
          sheet.paint(overlapOf(box, state.clip), at)
        }
        paint.clip(subpaths.flat())
      },
    ],
    [
      // an image of one pixel, by which some programs fill rectangles
      OPS.paintSolidColorImageMask,
      (_, at) => {
        const state = paint.current()
        if (letters.length === 0 || !isSolidFill(state) || state.fill === null) return
        sheet.paint(overlapOf(unitSquare(text.current().matrix), state.clip), at)
      },
    ],
    [
      OPS.paintImageXObject,
      (args, at) => {
        const { matrix } = text.current()
        const state = paint.current()
        const box = overlapOf(unitSquare(matrix), state.clip)
        if (letters.length > 0 && isSolidFill(state) && isThick(box)) {
          images.push({ at, box, image: { matrix, args, isMask: false } })
        }
      },
    ],
  ])
  for (const [at, word] of list.fnArray.entries()) {
    const given = list.argsArray[at]
    const args = given instanceof Float32Array ? [...given] : toArray(given)
    text.acts.get(word)?.(args)
    paint.acts.get(word)?.(args)
    acts.get(word)?.(args, at)
  }
  const isIn = ({ x, y }: Point, { left, right, bottom, top }: Box): boolean =>
    x > left && x < right && y > bottom && y < top
  return {
    isCovered: letters.some(({ at, ink }) => ink.every((point) => sheet.last(point) > at)),
    images: images
      .filter(({ at, box }) =>
        letters.some((letter) => letter.at < at && letter.ink.every((point) => isIn(point, box))),
      )
      .map(({ image }) => image),
  }
}
