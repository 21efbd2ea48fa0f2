/**
 * Finds red strokes, which strike through cancelled text. Their positions are kept as lines, and the text below them is
 * restored: each column of a stroke takes the ink right above and below it, so that a crossed stem stays whole.
 */
import type { Raster } from './raster.ts'

export type Line = Readonly<{ left: number; right: number; y: number; isRed: boolean }>

/** Values of `red` for the core of a stroke and for its blurred edge. */
const CORE = 70
const EDGE = 34
/** Points. */
const SHORTEST = 4
const LONGEST_GAP = 0.9
const SAME_STROKE = 1

export type Run = { row: number; left: number; right: number }

/** Stretches of a row in which `isSet` holds, ignoring gaps of up to `gap` pixels. */
export const runsOf = (
  { width, height }: Pick<Raster, 'width' | 'height'>,
  isSet: (at: number) => boolean,
  { gap, shortest }: Readonly<{ gap: number; shortest: number }>,
): readonly Run[] => {
  const runs: Run[] = []
  const keep = (run: Run): void => {
    if (run.right - run.left >= shortest) runs.push(run)
  }
  for (let row = 0; row < height; row += 1) {
    let run: Run | null = null
    for (let x = 0; x < width; x += 1) {
      if (!isSet(row * width + x)) continue
      if (run !== null && x - run.right <= gap + 1) run.right = x
      else {
        if (run !== null) keep(run)
        run = { row, left: x, right: x }
      }
    }
    if (run !== null) keep(run)
  }
  return runs
}

type Stroke = { left: number; right: number; top: number; bottom: number }

/** Joins runs on adjacent rows to one stroke. */
export const strokesOf = (runs: readonly Run[], reach: number): readonly Stroke[] => {
  const strokes: Stroke[] = []
  let open: Stroke[] = []
  for (const { row, left, right } of runs) {
    open = open.filter(({ bottom }) => row - bottom <= reach)
    const same = open.find((stroke) => left <= stroke.right + reach && right >= stroke.left - reach)
    if (same === undefined) {
      const stroke = { left, right, top: row, bottom: row }
      strokes.push(stroke)
      open.push(stroke)
      continue
    }
    same.left = Math.min(same.left, left)
    same.right = Math.max(same.right, right)
    same.bottom = row
  }
  return strokes
}

/** Print on a stroke is darker than red. */
const DARKER_THAN_RED = 46

const inPaint = ({ width, height, grey, red }: Raster, strokes: readonly Stroke[]): Uint8Array => {
  const corrected = grey.slice()
  for (const stroke of strokes) {
    const [above, below] = [Math.max(0, stroke.top - 2), Math.min(height - 1, stroke.bottom + 2)]
    for (let x = Math.max(0, stroke.left - 2); x <= Math.min(width - 1, stroke.right + 2); x += 1) {
      // dark on both sides: a stem that goes through
      const through = Math.max(grey[above * width + x] ?? 255, grey[below * width + x] ?? 255)
      for (let y = above + 1; y < below; y += 1) {
        const at = y * width + x
        const isPrint = (grey[at] ?? 255) < DARKER_THAN_RED && (red[at] ?? 0) < EDGE
        if (!isPrint && (red[at] ?? 0) >= EDGE) corrected[at] = through
      }
    }
  }
  return corrected
}

/** @param unit pixels per point */
export const liftRedStrikes = (
  raster: Raster,
  unit: number,
): Readonly<{ raster: Raster; lines: readonly Line[] }> => {
  const { red } = raster
  const bounds = { gap: LONGEST_GAP * unit, shortest: SHORTEST * unit }
  const runs = runsOf(raster, (at) => (red[at] ?? 0) >= CORE, bounds)
  const strokes = strokesOf(runs, Math.ceil(SAME_STROKE * unit))
  const lines = strokes.map(({ left, right, top, bottom }) => ({
    left,
    right,
    y: (top + bottom) / 2,
    isRed: true,
  }))
  return { raster: { ...raster, grey: inPaint(raster, strokes) }, lines }
}
