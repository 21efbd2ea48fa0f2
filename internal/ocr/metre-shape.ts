/**
 * Finds ㎡ by its shape: an m, lower than a digit, of three evenly spaced stems, and something small above its right half. In
 * a straightened image the stems are pale, and no threshold separates them, so they are found as peaks of ink per column.
 */
import type { Raster } from './raster.ts'
import type { Box } from './segments.ts'

export type MetrePlace = Readonly<{ left: number; right: number }>

/** Points from one stem to the next. */
const CLOSEST = 2
const WIDEST = 3.7
/** Points: the height of the m. A digit is higher. */
const LOWEST = 3.8
const HIGHEST = 6.6
/** By which share of the preceding height the m must be lower. A digit is not lower. */
const LOWER = 0.1
/** Points by which the small 2 extends above the m, at least and at most. */
const ABOVE = 0.7
const MOST_ABOVE = 4.5
/** Points left of the m that are blank. Ink there is the curve of a digit. */
const GAP = [1.4, 0.7] as const
/** Points left of the m that contain part of its number. After a blank it would be a letter such as 바. */
const NUMBER = 4
/** Points that the small 2 may extend beyond the right of the m. */
const OVERHANG = 2
/** Ink, 0 to 255. */
const INKED = 95
const FAINT = 60
const STEM = 70
/** Distance from the left stem, in steps, up to which there is nothing above the m. */
const BARE = 1.4
/** Maximum ink between and next to the stems, as a share of the palest stem's ink. */
const VALLEY = 0.6
/** Shares of the height of the m, from below, between which it consists only of stems. */
const [BAND_LOW, BAND_HIGH] = [0.1, 0.55]

type Ink = (x: number, y: number) => number
type Rows = Readonly<{ top: number; bottom: number }>

const inkOf =
  ({ width, height, grey }: Raster): Ink =>
  (x, y) =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : 255 - (grey[y * width + x] ?? 255)

/** The highest and lowest row with ink in the given columns. */
const inkedRows = (ink: Ink, box: Box, least: number): Rows | null => {
  const isInked = (y: number): boolean => {
    for (let x = box.left; x <= box.right; x += 1) if (ink(x, y) >= least) return true
    return false
  }
  let { top, bottom } = box
  while (top <= bottom && !isInked(top)) top += 1
  while (bottom > top && !isInked(bottom)) bottom -= 1
  return top > bottom ? null : { top, bottom }
}

/** Mean ink of a column between two rows. */
const columnInk = (ink: Ink, x: number, { top, bottom }: Rows): number => {
  let sum = 0
  for (let y = top; y <= bottom; y += 1) sum += ink(x, y)
  return sum / (bottom - top + 1)
}

/** The ink of a column's palest third. A stem has ink from end to end; a dot or a slanted stroke does not. */
const palestPart = (ink: Ink, x: number, { top, bottom }: Rows): number => {
  const third = (bottom - top + 1) / 3
  const parts = [0, 1, 2].map((part) => ({
    top: Math.round(top + part * third),
    bottom: Math.round(top + (part + 1) * third) - 1,
  }))
  return Math.min(...parts.map((rows) => columnInk(ink, x, rows)))
}

const hasStems = (ink: Ink, left: number, step: number, rows: Rows): boolean => {
  const around = (x: number): readonly number[] =>
    [-1, 0, 1].map((near) => columnInk(ink, Math.round(x) + near, rows))
  const stems = [0, 1, 2].map((count) => {
    const x = Math.round(left + count * step)
    return Math.max(...[-1, 0, 1].map((near) => palestPart(ink, x + near, rows)))
  })
  const valleys = [0.5, 1.5].map((count) => Math.min(...around(left + count * step)))
  const palest = Math.min(...stems)
  const outside = [left - step / 2, left + 2.5 * step].map((x) => Math.min(...around(x)))
  return palest >= STEM && [...valleys, ...outside].every((gap) => gap <= palest * VALLEY)
}

/** Whether there is an m with its left stem at `left` and the given distance between stems. */
const isMetreAt = (ink: Ink, box: Box, left: number, step: number, unit: number): boolean => {
  const right = Math.round(left + 2 * step)
  const body = inkedRows(ink, { ...box, left, right: Math.round(left + BARE * step) }, INKED)
  if (body === null) return false
  const height = body.bottom - body.top + 1
  if (height < LOWEST * unit || height > HIGHEST * unit) return false
  const band = {
    top: Math.round(body.bottom - BAND_HIGH * height),
    bottom: Math.round(body.bottom - BAND_LOW * height),
  }
  if (!hasStems(ink, left, step, band)) return false
  const before = { left: left - Math.round(unit * GAP[0]), right: left - Math.round(unit * GAP[1]) }
  if (inkedRows(ink, { ...body, ...before }, INKED) !== null) return false
  const number = { left: left - Math.round(unit * NUMBER), right: before.left - 1 }
  const digits = inkedRows(ink, { ...box, ...number }, INKED)
  if (digits === null) return false
  const lower = LOWER * (digits.bottom - digits.top + 1)
  if (digits.bottom < body.top || digits.top > body.top - lower) return false
  const over = {
    left: Math.round(left + BARE * step) + 1,
    right: right + Math.round(unit),
    top: Math.round(body.top - MOST_ABOVE * unit),
    bottom: body.top - Math.ceil(ABOVE * unit),
  }
  return inkedRows(ink, over, FAINT) !== null
}

/** The right end: the next blank column, or the last one allowed. */
const endOf = (ink: Ink, box: Box, from: number, unit: number): number => {
  const last = Math.min(box.right, from + Math.round(OVERHANG * unit))
  let right = from
  while (right < last && inkedRows(ink, { ...box, left: right, right }, FAINT) !== null) right += 1
  return Math.min(right, box.right)
}

/** Finds where a stretch of text may have a ㎡, from left to right. The text before it decides whether it is one. */
export const findMetres = (raster: Raster, box: Box, unit: number): readonly MetrePlace[] => {
  const ink = inkOf(raster)
  const places: MetrePlace[] = []
  for (let left = box.left; left + 2 * CLOSEST * unit <= box.right + 1; left += 1) {
    if (columnInk(ink, left, box) < STEM / 3) continue
    for (let step = CLOSEST * unit; step <= WIDEST * unit; step += 0.5) {
      if (!isMetreAt(ink, box, left, step, unit)) continue
      const right = endOf(ink, box, Math.round(left + 2 * step + unit / 3), unit)
      places.push({ left: left - 1, right })
      left = right
      break
    }
  }
  return places
}
