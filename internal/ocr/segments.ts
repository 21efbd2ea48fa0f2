/** Finds stretches of text: letters of one line with at most one blank between them. */
import { DARK, type Raster } from './raster.ts'
import { runsOf } from './red-strikes.ts'

/** Pixels. `right` and `bottom` are inclusive. */
export type Box = Readonly<{ left: number; top: number; right: number; bottom: number }>

/** Points: less than the two blanks between fields, and than the space between two columns. */
const WIDEST_GAP = 8.6
/** Points. Larger things are not text, but a bar code, a seal or the trace of a punched hole. */
const TALLEST = 26
const SMALLEST = 1
/** Points. The marks of one letter above each other are closer than two lines. */
const BETWEEN_MARKS = 3.4
/** Points. A mark belongs to the letter that it nearly touches: the stroke on top of 호 is equally near to the line above. */
const TOUCHING = 1.6
const TALLEST_LINE = 17.5
/** Maximum height as a multiple of the page's usual line: two lines of small print are lower than one line of a heading. */
const TALLEST_BY_USUAL = 2.05
const LOWEST_TALL = 14
/** Points. A narrower box is a single character, which is not as high as a line. */
const BROAD_LINE = 25
/** Headings are larger, and their letters are far apart: a multiple of the page's usual line, within limits in points. */
const LARGE_BY_USUAL = 1.15
const [LEAST_LARGE, MOST_LARGE] = [9.6, 10.8] as const
const WIDEST_LARGE_GAP = 46

/**
 * For regions that are broad (in points) and higher than a line: the most ink
 * in a row that separates two lines, as a share of a full row.
 */
const BROAD = 30
const PARTING = 0.3
/** Points. No line ends nearer than this to either edge. */
const LOWEST_LINE = 6

type Mutable = { left: number; top: number; right: number; bottom: number }

const find = (parents: number[], at: number): number => {
  let root = at
  while (parents[root] !== root) root = parents[root] ?? root
  parents[at] = root
  return root
}

/** Boxes of connected components, after gaps inside a row are filled. */
const componentsOf = (raster: Raster, gap: number): readonly Mutable[] => {
  const { grey } = raster
  const runs = runsOf(raster, (at) => (grey[at] ?? 255) < DARK, { gap, shortest: 0 })
  const parents = runs.map((_, index) => index)
  let first = 0
  for (const [index, { row, left, right }] of runs.entries()) {
    while ((runs[first]?.row ?? row) < row - 1) first += 1
    for (let other = first; other < index; other += 1) {
      const above = runs[other]
      if (above === undefined || above.row !== row - 1) continue
      if (above.left <= right + 1 && above.right >= left - 1) {
        parents[find(parents, other)] = find(parents, index)
      }
    }
  }
  const boxes = new Map<number, Mutable>()
  for (const [index, { row, left, right }] of runs.entries()) {
    const root = find(parents, index)
    const box = boxes.get(root)
    if (box === undefined) boxes.set(root, { left, right, top: row, bottom: row })
    else {
      box.left = Math.min(box.left, left)
      box.right = Math.max(box.right, right)
      box.top = Math.min(box.top, row)
      box.bottom = Math.max(box.bottom, row)
    }
  }
  return [...boxes.values()]
}

/** Splits two lines of text that are connected by a comma of the upper one. A heading is one line, and has no nearly empty row. */
const parted = (raster: Raster, box: Box, unit: number, tallest: number): readonly Mutable[] => {
  const { width, grey } = raster
  if (heightOf(box) <= tallest * unit || widthOf(box) < BROAD * unit) return [{ ...box }]
  const inks: number[] = []
  for (let y = box.top; y <= box.bottom; y += 1) {
    let ink = 0
    for (let x = box.left; x <= box.right; x += 1)
      ink += (grey[y * width + x] ?? 255) < DARK ? 1 : 0
    inks.push(ink)
  }
  const mean = inks.reduce((sum, ink) => sum + ink, 0) / inks.length
  const edge = Math.round(LOWEST_LINE * unit)
  const inner = inks.slice(edge, inks.length - edge)
  const least = Math.min(...inner)
  if (inner.length === 0 || least > mean * PARTING) return [{ ...box }]
  const at = box.top + edge + inner.indexOf(least)
  const rest = { ...box, top: at + 1 }
  return [{ ...box, bottom: at }, ...parted(raster, rest, unit, tallest)]
}

const overlap = (one: Box, other: Box, axis: 'x' | 'y'): number =>
  axis === 'x'
    ? Math.min(one.right, other.right) - Math.max(one.left, other.left)
    : Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
const heightOf = ({ top, bottom }: Box): number => bottom - top + 1
const widthOf = ({ left, right }: Box): number => right - left + 1

/** Points: the maximum height of a line, and the minimum height of a heading. */
type Lines = Readonly<{ tallest: number; large: number }>
/** `apart` is the maximum distance between marks of a letter, in points. */
type Reach = Lines & Readonly<{ unit: number; apart: number }>

/** Whether two parts belong to one stretch: side by side on one line, or one mark above the other. */
const belong = (one: Box, other: Box, { unit, apart, tallest, large }: Reach): boolean => {
  const beside = overlap(one, other, 'y') >= 0.5 * Math.min(heightOf(one), heightOf(other))
  const areLarge = Math.min(heightOf(one), heightOf(other)) > large * unit
  const widest = areLarge ? WIDEST_LARGE_GAP : WIDEST_GAP
  if (beside && -overlap(one, other, 'x') <= widest * unit) return true
  const over = overlap(one, other, 'x') >= 0.5 * Math.min(widthOf(one), widthOf(other))
  const height = Math.max(one.bottom, other.bottom) - Math.min(one.top, other.top) + 1
  return over && -overlap(one, other, 'y') <= apart * unit && height <= tallest * unit
}

const join = (boxes: readonly Mutable[], reach: Reach): readonly Mutable[] => {
  const joined: Mutable[] = []
  for (const box of boxes.toSorted((one, other) => one.left - other.left)) {
    let current = box
    for (;;) {
      const at = joined.findIndex((known) => belong(known, current, reach))
      const known = at === -1 ? undefined : joined.splice(at, 1)[0]
      if (known === undefined) break
      current = {
        left: Math.min(known.left, current.left),
        right: Math.max(known.right, current.right),
        top: Math.min(known.top, current.top),
        bottom: Math.max(known.bottom, current.bottom),
      }
    }
    joined.push(current)
  }
  return joined
}

/** The height of lines on this page, from the median height of boxes that are as broad as a line. */
const linesOf = (boxes: readonly Box[], unit: number): Lines => {
  const heights = boxes.filter((box) => widthOf(box) >= BROAD_LINE * unit).map(heightOf)
  const middle = heights.toSorted((a, b) => a - b)[Math.floor(heights.length / 2)]
  if (middle === undefined) return { tallest: TALLEST_LINE, large: MOST_LARGE }
  const usual = middle / unit
  return {
    tallest: Math.min(TALLEST_LINE, Math.max(LOWEST_TALL, usual * TALLEST_BY_USUAL)),
    large: Math.min(MOST_LARGE, Math.max(LEAST_LARGE, usual * LARGE_BY_USUAL)),
  }
}

/** `large` is too tall for text. It may hide text that it touches. */
export type Segments = Readonly<{ texts: readonly Box[]; large: readonly Box[] }>

/** @param unit pixels per point */
export const findSegments = (raster: Raster, unit: number): Segments => {
  const found = componentsOf(raster, Math.round(WIDEST_GAP * unit))
  const lines = linesOf(found, unit)
  const pieces = found.flatMap((box) => parted(raster, box, unit, lines.tallest))
  const isLarge = (box: Box): boolean => heightOf(box) > TALLEST * unit
  const parts = pieces.filter(
    (box) =>
      !isLarge(box) && (heightOf(box) >= SMALLEST * unit || widthOf(box) >= 2 * SMALLEST * unit),
  )
  const letters = join(parts, { ...lines, unit, apart: TOUCHING })
  const texts = join(letters, { ...lines, unit, apart: BETWEEN_MARKS }).toSorted(
    (one, other) => one.top - other.top || one.left - other.left,
  )
  return { texts, large: pieces.filter(isLarge) }
}
