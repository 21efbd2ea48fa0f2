/** Finds rules of tables, and strikes on prints without colour: thin dark lines, longer than any stroke of a letter. */
import { isStrikeOrRule, withoutLetterStrokes } from './believed-lines.ts'
import type { GreyImage } from './engine.ts'
import { DARK, PALE, type Raster } from './raster.ts'
import { type Line, runsOf, strokesOf } from './red-strikes.ts'

/** Points. */
const SHORTEST = 10
const SHORTEST_UPRIGHT = 17
/** Points. A stroke of a heading is as long as a short strike, but thicker. */
const THICKEST = 0.8
const THICKEST_LONG = 1.4
const LONG = 25
const LONGEST_GAP = 0.8

const transpose = (plane: Uint8Array, width: number, height: number): Uint8Array => {
  const turned = new Uint8Array(plane.length)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) turned[x * height + y] = plane[y * width + x] ?? 255
  }
  return turned
}

type Span = Readonly<{ top: number; bottom: number }>

/** The extent of the dark pixels in one column around a row. */
const spanAt = (
  { width, height, grey }: GreyImage,
  x: number,
  row: number,
  reach: number,
): Span | null => {
  const isDark = (y: number): boolean => y >= 0 && y < height && (grey[y * width + x] ?? 255) < DARK
  const nearest = [0, -1, 1].map((step) => row + step).find(isDark)
  if (nearest === undefined) return null
  let [top, bottom] = [nearest, nearest]
  while (isDark(top - 1) && nearest - top < reach) top -= 1
  while (isDark(bottom + 1) && bottom - nearest < reach) bottom += 1
  return { top, bottom }
}

/** The median thickness of a line, which columns with a crossing letter do not affect, in pixels. */
const thicknessOf = (plane: GreyImage, { left, right, y }: Line, reach: number): number => {
  const found: number[] = []
  for (let x = left; x <= right; x += 1) {
    const span = spanAt(plane, x, Math.round(y), reach)
    if (span !== null) found.push(span.bottom - span.top + 1)
  }
  return found.toSorted((a, b) => a - b)[Math.floor(found.length / 2)] ?? 0
}

/** Erases a line, but keeps the letters that cross it. */
const erase = (plane: GreyImage, line: Line, thickness: number): void => {
  const { grey, width, height } = plane
  const reach = thickness * 3
  for (let x = line.left - 1; x <= line.right + 1; x += 1) {
    if (x < 0 || x >= width) continue
    const span = spanAt(plane, x, Math.round(line.y), reach)
    if (span === null) continue
    const isCrossed = span.bottom - span.top + 1 > thickness + 1
    const [from, to] = isCrossed
      ? [Math.round(line.y - thickness / 2), Math.round(line.y + thickness / 2)]
      : [span.top - 1, span.bottom + 1]
    const above = grey[Math.max(0, from - 1) * width + x] ?? 255
    const below = grey[Math.min(height - 1, to + 1) * width + x] ?? 255
    const value = isCrossed ? Math.max(above, below) : 255
    for (let y = Math.max(0, from); y <= Math.min(height - 1, to); y += 1)
      grey[y * width + x] = value
  }
}

type Stroke = Line & Readonly<{ thickness: number }>
type Find = Readonly<{ unit: number; shortest: number; isText: boolean }>

/** Whether a stroke is thin enough, and not part of text. */
const isBelieved = (plane: GreyImage, stroke: Stroke, { unit, isText }: Find): boolean =>
  !isText || isStrikeOrRule(plane, stroke, { thickness: stroke.thickness, unit })

const liftLevel = (plane: GreyImage, find: Find): readonly Line[] => {
  const { grey } = plane
  const { unit, shortest } = find
  const bounds = { gap: LONGEST_GAP * unit, shortest: shortest * unit }
  const runs = runsOf(plane, (at) => (grey[at] ?? 255) < DARK, bounds)
  const strokes: Stroke[] = []
  for (const { left, right, top, bottom } of strokesOf(runs, 1)) {
    const line = { left, right, y: (top + bottom) / 2, isRed: false }
    const widest = right - left >= LONG * unit ? THICKEST_LONG : THICKEST
    const thickest = Math.max(2, Math.round(widest * unit))
    const thickness = thicknessOf(plane, line, thickest * 3)
    if (thickness > thickest || bottom - top > thickest * 2) continue
    const stroke = { ...line, thickness }
    if (isBelieved(plane, stroke, find)) strokes.push(stroke)
  }
  const lines = find.isText ? withoutLetterStrokes(strokes, unit, LONG) : strokes
  for (const line of lines) erase(plane, line, line.thickness)
  return lines.map(({ thickness: _thickness, ...line }) => line)
}

/** Makes each pixel as dark as the darkest of itself and its neighbours above and below. */
const smeared = ({ width, height, grey }: GreyImage): Uint8Array => {
  const smear = grey.slice()
  for (let at = width; at < width * (height - 1); at += 1) {
    const here = grey[at] ?? 255
    smear[at] = Math.min(here, grey[at - width] ?? 255, grey[at + width] ?? 255)
  }
  return smear
}

/** Removes the line, except for ink that continues right above and below. */
const bridge = (
  { width, height, grey }: GreyImage,
  { left, right, y }: Line,
  reach: number,
): void => {
  const [above, below] = [Math.floor(y) - reach, Math.ceil(y) + reach]
  if (above < 0 || below >= height) return
  for (let x = Math.max(0, left - 1); x <= Math.min(width - 1, right + 1); x += 1) {
    const value = Math.max(grey[above * width + x] ?? 255, grey[below * width + x] ?? 255)
    for (let row = above + 1; row < below; row += 1) grey[row * width + x] = value
  }
}

/** Lifts long rules that were straightened, and are therefore pale and broken into dashes. */
const liftPale = (plane: GreyImage, find: Find): readonly Line[] => {
  const { unit, shortest } = find
  const smear = smeared(plane)
  const bounds = { gap: LONGEST_GAP * unit, shortest: shortest * unit }
  const runs = runsOf(plane, (at) => (smear[at] ?? 255) < PALE, bounds)
  const thickest = Math.round(THICKEST_LONG * unit)
  const lines: Line[] = []
  for (const { left, right, top, bottom } of strokesOf(runs, 1)) {
    const line = { left, right, y: (top + bottom) / 2, isRed: false }
    const thickness = thicknessOf(plane, line, thickest * 3)
    if (bottom - top > thickest * 2 || thickness > thickest) continue
    if (!isBelieved(plane, { ...line, thickness }, find)) continue
    bridge(plane, line, Math.max(2, Math.ceil((bottom - top) / 2)))
    lines.push(line)
  }
  return lines
}

/** Joins the pieces of a rule that dust or a crossing has separated. */
const joined = (lines: readonly Line[], unit: number): readonly Line[] => {
  const whole: Line[] = []
  for (const line of lines.toSorted((one, other) => one.left - other.left)) {
    const at = whole.findIndex(
      (known) =>
        Math.abs(known.y - line.y) <= unit &&
        line.left - known.right <= 3 * unit &&
        line.right > known.right,
    )
    const known = whole[at]
    if (known === undefined) whole.push(line)
    else whole[at] = { ...known, right: line.right }
  }
  return whole
}

/**
 * @param unit pixels per point
 * @param hasColour whether the print has colour: strikes are then red, and a short dark line belongs to a letter
 */
export const liftDarkRules = (
  raster: Raster,
  unit: number,
  { hasColour }: Readonly<{ hasColour: boolean }>,
): Readonly<{ raster: Raster; lines: readonly Line[] }> => {
  const { width, height } = raster
  const upright = { width: height, height: width, grey: transpose(raster.grey, width, height) }
  const columns = { unit, shortest: SHORTEST_UPRIGHT, isText: false }
  liftPale(upright, columns)
  liftLevel(upright, columns)
  const grey = transpose(upright.grey, height, width)
  const level = { width, height, grey }
  const lines = [
    ...liftPale(level, { unit, shortest: LONG, isText: true }),
    ...liftLevel(level, { unit, shortest: hasColour ? LONG : SHORTEST, isText: true }),
  ]
  return { raster: { ...raster, grey }, lines: joined(lines, unit) }
}
