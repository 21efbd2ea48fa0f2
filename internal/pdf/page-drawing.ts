/**
 * Interprets the drawing operators of a page. It keeps the graphics state of PDF (transformation, colours) and reports paths
 * and images with their positions, and text that is not visible. The file is untrusted, so every argument is checked before use.
 */
import { OPS } from 'unpdf/pdfjs'
import { isBlankLetter } from './blank-letter.ts'
import { type Colour, isWhite } from './colour.ts'
import { followLayers, type IsLayerShown } from './layer-depth.ts'
import { toArray } from './operands.ts'
import {
  apply,
  type Box,
  boxIn,
  boxOf,
  IDENTITY,
  type Matrix,
  multiply,
  overlapOf,
  type Point,
  toMatrix,
  WHOLE,
} from './page-geometry.ts'
import { CLOSE, LINE, MOVE, NUMBERS } from './path-data.ts'

export type OperatorList = Readonly<{ fnArray: readonly number[]; argsArray: readonly unknown[] }>

export type Path = Readonly<{
  /** Subpaths. A closed one ends where it began. */
  strokes: readonly (readonly Point[])[]
  strokeColour: Colour
  fillColour: Colour
  isStroked: boolean
  isFilled: boolean
  /** The box outside of which nothing of the path is visible. */
  clip: Box
}>

export type DrawnImage = Readonly<{ matrix: Matrix; args: readonly unknown[]; isMask: boolean }>

export type DrawingListener = Readonly<{
  /** Called for a path that may be visible: it is neither transparent nor in a layer that is not shown. */
  onPath: (path: Path) => void
  onImage: (image: DrawnImage) => void
  /** Called for text that leaves no ink: it is in no visible mode, transparent, or white. */
  onHiddenText: () => void
}>

type State = {
  matrix: Matrix
  stroke: Colour
  fill: Colour
  textMode: number
  opacity: number
  strokeOpacity: number
  clip: Box
}

const BLACK = '#000000'
/** The modes in which text is drawn without filling or stroking it: nothing, and a clip. */
const NO_INK: ReadonlySet<number> = new Set([3, 7])
/** The modes in which text is only filled. */
const ONLY_FILLED: ReadonlySet<number> = new Set([0, 4])
const FAINTEST = 0.05
/** Maximum number of saved states, because a file could save without end and fill the memory. */
const MAX_DEPTH = 1_000

export const STROKES: ReadonlySet<number> = new Set([
  OPS.stroke,
  OPS.closeStroke,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
])
export const FILLS: ReadonlySet<number> = new Set([
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
])
export const EVEN_ODD: ReadonlySet<number> = new Set([
  OPS.eoFill,
  OPS.eoFillStroke,
  OPS.closeEOFillStroke,
])
const SQUARE: readonly (readonly [number, number])[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
]

export const toColour = (value: unknown): Colour =>
  typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : null

const readSubpaths = (data: unknown, matrix: Matrix): readonly (readonly Point[])[] => {
  if (!(data instanceof Float32Array)) return []
  const subpaths: Point[][] = []
  let current: Point[] = []
  for (let at = 0; at < data.length; ) {
    const word = data[at] ?? CLOSE
    const count = NUMBERS[word]
    if (count === undefined) break
    // only the end of a curve counts: no rule and no strike is curved
    const point = apply(matrix, data[at + count - 1] ?? 0, data[at + count] ?? 0)
    const [first] = current
    if (word === MOVE) {
      current = [point]
      subpaths.push(current)
    } else if (word === CLOSE) {
      if (first !== undefined) current.push(first)
    } else if (word === LINE) current.push(point)
    else {
      current = [point]
      subpaths.push(current)
    }
    at += count + 1
  }
  return subpaths
}

/** All points of a path, with those that only bend it: the path is inside of their box. */
const allPoints = (data: unknown, matrix: Matrix): readonly Point[] => {
  if (!(data instanceof Float32Array)) return []
  const points: Point[] = []
  for (let at = 0; at < data.length; ) {
    const count = NUMBERS[data[at] ?? CLOSE]
    if (count === undefined) break
    for (let pair = at + 1; pair <= at + count; pair += 2)
      points.push(apply(matrix, data[pair] ?? 0, data[pair + 1] ?? 0))
    at += count + 1
  }
  return points
}

/** Whether the glyphs contain a letter. Blanks are drawn with any colour. */
export const hasLetter = (glyphs: readonly unknown[]): boolean =>
  glyphs.some(
    (glyph) =>
      typeof glyph === 'object' &&
      glyph !== null &&
      'unicode' in glyph &&
      !isBlankLetter(String(glyph.unicode)),
  )

const isInvisible = ({ fill, textMode, opacity }: State): boolean =>
  NO_INK.has(textMode) || (ONLY_FILLED.has(textMode) && (opacity < FAINTEST || isWhite(fill)))

/** The opacity of fills (`ca`) or strokes (`CA`) that an extended graphics state sets, or null if it sets none. */
const opacityIn = (entries: unknown, key: 'ca' | 'CA'): number | null => {
  const set = toArray(entries).find((entry) => toArray(entry)[0] === key)
  const value = toArray(set)[1]
  return typeof value === 'number' ? value : null
}

type Act = (args: readonly unknown[]) => void

/** The effect of each operator on the state, and what it reports. */
const actsOn = (
  start: State,
  listener: DrawingListener,
  isHidden: () => boolean,
): ReadonlyMap<number, Act> => {
  const saved: State[] = []
  let state = start
  let isClip = false
  const save = (): void => {
    if (saved.length < MAX_DEPTH) saved.push({ ...state })
  }
  const restore = (): void => {
    state = saved.pop() ?? state
  }
  const move = (by: unknown): void => {
    state.matrix = multiply(state.matrix, toMatrix(by) ?? IDENTITY)
  }
  const paint = (part: 'stroke' | 'fill', colour: unknown): void => {
    state[part] = toColour(colour)
  }
  const draw = (strokes: Path['strokes'], word: number): void => {
    const isStroked = STROKES.has(word) && state.strokeOpacity >= FAINTEST
    const isFilled = FILLS.has(word) && state.opacity >= FAINTEST
    if (isHidden() || (!isStroked && !isFilled)) return
    const colours = { strokeColour: state.stroke, fillColour: state.fill }
    listener.onPath({ strokes, ...colours, isStroked, isFilled, clip: state.clip })
  }
  const clipTo = (data: unknown): void => {
    const points = allPoints(data, state.matrix)
    if (points.length > 0) state.clip = overlapOf(state.clip, boxOf(points))
  }
  const clipNext = (): void => {
    isClip = true
  }
  const show =
    (isMask: boolean): Act =>
    (args) =>
      listener.onImage({ matrix: state.matrix, args, isMask })
  return new Map<number, Act>([
    ...[OPS.save, OPS.beginGroup, OPS.beginAnnotation].map((word) => [word, save] as const),
    ...[OPS.restore, OPS.endGroup, OPS.endAnnotation].map((word) => [word, restore] as const),
    [OPS.transform, move],
    [
      OPS.paintFormXObjectBegin,
      ([matrix, box]) => {
        save()
        move(matrix)
        state.clip = overlapOf(state.clip, boxIn(state.matrix, box))
      },
    ],
    [OPS.paintFormXObjectEnd, restore],
    [OPS.clip, clipNext],
    [OPS.eoClip, clipNext],
    [OPS.setStrokeRGBColor, ([colour]) => paint('stroke', colour)],
    [OPS.setFillRGBColor, ([colour]) => paint('fill', colour)],
    [OPS.setStrokeColorN, () => paint('stroke', null)],
    [OPS.setFillColorN, () => paint('fill', null)],
    [
      OPS.constructPath,
      ([word, data]) => {
        draw(readSubpaths(toArray(data)[0], state.matrix), Number(word))
        if (isClip) clipTo(toArray(data)[0])
        isClip = false
      },
    ],
    [
      // an image of one pixel, by which some programs draw lines
      OPS.paintSolidColorImageMask,
      () => draw([SQUARE.map(([x, y]) => apply(state.matrix, x, y))], OPS.fill),
    ],
    [
      OPS.setTextRenderingMode,
      ([mode]) => {
        state.textMode = Number(mode)
      },
    ],
    [
      OPS.setGState,
      ([entries]) => {
        state.opacity = opacityIn(entries, 'ca') ?? state.opacity
        state.strokeOpacity = opacityIn(entries, 'CA') ?? state.strokeOpacity
      },
    ],
    [
      OPS.showText,
      ([glyphs]) => {
        if (isInvisible(state) && hasLetter(toArray(glyphs))) listener.onHiddenText()
      },
    ],
    [OPS.paintImageXObject, show(false)],
    [OPS.paintInlineImageXObject, show(false)],
    [OPS.paintImageMaskXObject, show(true)],
  ])
}

/** Walks through the list once. `matrix` maps the coordinates of the page to those wanted. */
export const walkDrawing = (
  { fnArray, argsArray }: OperatorList,
  matrix: Matrix,
  listener: DrawingListener,
  isLayerShown: IsLayerShown = () => true,
): void => {
  const paint = { stroke: BLACK, fill: BLACK, textMode: 0, opacity: 1, strokeOpacity: 1 }
  const layers = followLayers(isLayerShown)
  const acts = actsOn({ ...paint, matrix, clip: WHOLE }, listener, layers.isHidden)
  for (const [at, word] of fnArray.entries()) {
    const args = toArray(argsArray[at])
    layers.step(word, args)
    acts.get(word)?.(args)
  }
}
