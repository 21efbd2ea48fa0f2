/** Keeps the part of the graphics state of PDF that decides whether paint hides what is below it: colour, opacity and clip. */
import { OPS } from 'unpdf/pdfjs'
import type { Colour } from './colour.ts'
import { toArray, toNumber } from './operands.ts'
import { isRectangle, type Outline } from './outline.ts'
import { toColour } from './page-drawing.ts'
import {
  type Box,
  boxIn,
  boxOf,
  IDENTITY,
  type Matrix,
  multiply,
  overlapOf,
  toMatrix,
  WHOLE,
} from './page-geometry.ts'
import { newMask, SOLID, type SoftMask, unknownMask } from './soft-mask.ts'

export type PaintState = Readonly<{
  fill: Colour
  stroke: Colour
  /** The width of strokes in units of the page's content. */
  width: number
  fillOpacity: number
  strokeOpacity: number
  /** Whether what is below shines through, by a blend mode, or by the blend mode or opacity of a group around the paint. */
  isBlended: boolean
  isInVeil: boolean
  /** The soft mask of the paint, and those of groups around it. */
  mask: SoftMask | null
  groupMasks: readonly SoftMask[]
  /** The soft mask that the paint belongs to. It is not painted on the page. */
  drawnMask: SoftMask | null
  /** The part of the page outside of which nothing is painted: what is in the box and inside all outlines. */
  clip: Box
  clipShapes: readonly Outline[]
}>

const BLACK = '#000000'
const START: PaintState = {
  fill: BLACK,
  stroke: BLACK,
  width: 1,
  fillOpacity: 1,
  strokeOpacity: 1,
  isBlended: false,
  isInVeil: false,
  mask: null,
  groupMasks: [],
  drawnMask: null,
  clip: WHOLE,
  clipShapes: [],
}
/** Outlines that are kept of a clip. Each further one only makes it smaller. */
const MOST_SHAPES = 8
/** The colour of paint that changes from place to place, which hides what is below it like any other. */
const SHADED = '#808080'
/** Maximum number of saved states, because a file could save without end and fill the memory. */
const MAX_DEPTH = 1_000

const isBare = ({ isBlended, isInVeil }: PaintState): boolean => !isBlended && !isInVeil

/** Whether fills and images hide what is below them, where the soft masks are solid. */
export const isSolidFill = (state: PaintState): boolean =>
  isBare(state) && state.fillOpacity >= SOLID

export const isSolidStroke = (state: PaintState): boolean =>
  isBare(state) && state.strokeOpacity >= SOLID

/** The soft masks under which paint and text are drawn. */
export const masksOf = ({ mask, groupMasks }: PaintState): readonly SoftMask[] =>
  mask === null ? groupMasks : [...groupMasks, mask]

/** The changes that an extended graphics state makes. @param mask the soft mask that was drawn before it */
const changesIn = (entries: unknown, mask: SoftMask): Partial<PaintState> => {
  const set = new Map(toArray(entries).map((entry) => [toArray(entry)[0], toArray(entry)[1]]))
  const [fill, stroke] = [set.get('ca'), set.get('CA')]
  return {
    ...(typeof fill === 'number' && { fillOpacity: fill }),
    ...(typeof stroke === 'number' && { strokeOpacity: stroke }),
    ...(set.has('LW') && { width: toNumber(set.get('LW')) }),
    ...(set.has('BM') && { isBlended: set.get('BM') !== 'source-over' }),
    ...(set.has('SMask') && { mask: set.get('SMask') === false ? null : mask }),
  }
}

type Group = Readonly<{ matrix: unknown; bbox: unknown; mask: SoftMask | null }>

const toGroup = (value: unknown): Group => {
  const given = typeof value === 'object' && value !== null ? value : {}
  return {
    matrix: 'matrix' in given ? given.matrix : null,
    bbox: 'bbox' in given ? given.bbox : null,
    mask:
      'smask' in given && typeof given.smask === 'object' && given.smask !== null
        ? newMask(given.smask)
        : null,
  }
}

type Act = (args: readonly unknown[]) => void

/**
 * Creates the effects of operators on the state. Call `clip` with the polygons of each path, which an operator before it may
 * have declared the clip.
 * @param matrixOf returns the current transformation, after the operator changed it
 */
export const createPaintState = (matrixOf: () => Matrix) => {
  const saved: PaintState[] = []
  let state = START
  let lastMask: SoftMask | null = null
  let clipRule: 'nonzero' | 'evenodd' | null = null
  const save = (): void => {
    if (saved.length < MAX_DEPTH) saved.push(state)
  }
  const restore = (): void => {
    state = saved.pop() ?? state
  }
  const set = (change: Partial<PaintState>): void => {
    state = { ...state, ...change }
  }
  const clipNext = (rule: typeof clipRule) => (): void => {
    clipRule = rule
  }
  const clipTo = (box: Box): void => set({ clip: overlapOf(state.clip, box) })
  const acts = new Map<number, Act>([
    [OPS.save, save],
    [OPS.restore, restore],
    [
      OPS.beginGroup,
      ([given]) => {
        save()
        const { matrix, bbox, mask } = toGroup(given)
        clipTo(boxIn(multiply(matrixOf(), toMatrix(matrix) ?? IDENTITY), bbox))
        const plain = { mask: null, isBlended: false, fillOpacity: 1, strokeOpacity: 1 }
        if (mask !== null) set({ ...plain, isInVeil: false, groupMasks: [], drawnMask: mask })
        else set({ ...plain, isInVeil: !isSolidFill(state), groupMasks: masksOf(state) })
      },
    ],
    [
      OPS.endGroup,
      () => {
        const ended = state.drawnMask
        restore()
        if (ended !== null && ended !== state.drawnMask) lastMask = ended
      },
    ],
    [
      OPS.paintFormXObjectBegin,
      ([, box]) => {
        save()
        clipTo(boxIn(matrixOf(), box))
      },
    ],
    [OPS.paintFormXObjectEnd, restore],
    [OPS.setFillRGBColor, ([colour]) => set({ fill: toColour(colour) })],
    [OPS.setStrokeRGBColor, ([colour]) => set({ stroke: toColour(colour) })],
    [OPS.setFillColorN, ([kind]) => set({ fill: kind === 'Shading' ? SHADED : null })],
    [OPS.setStrokeColorN, ([kind]) => set({ stroke: kind === 'Shading' ? SHADED : null })],
    [OPS.setLineWidth, ([width]) => set({ width: toNumber(width) })],
    [OPS.setGState, ([entries]) => set(changesIn(entries, lastMask ?? unknownMask()))],
    [OPS.clip, clipNext('nonzero')],
    [OPS.eoClip, clipNext('evenodd')],
  ])
  return {
    acts,
    current: () => state,
    clip: (polygons: Outline['polygons']): void => {
      const outline = { polygons, isEvenOdd: clipRule === 'evenodd' }
      const isClip = clipRule !== null && polygons.length > 0
      clipRule = null
      if (!isClip) return
      clipTo(boxOf(polygons.flat()))
      const [first, ...others] = polygons
      const isBox = first !== undefined && others.length === 0 && isRectangle(first)
      if (!isBox) set({ clipShapes: [...state.clipShapes, outline].slice(0, MOST_SHAPES) })
    },
  }
}
