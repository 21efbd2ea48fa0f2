/** The shapes of paint that is broad enough to hide a letter. */
import type { Colour } from './colour.ts'
import { isRectangle, type Outline, type Part } from './outline.ts'
import { EVEN_ODD, FILLS, STROKES } from './page-drawing.ts'
import { type Box, boxOf, type Matrix, overlapOf, type Point } from './page-geometry.ts'
import { isSolidFill, isSolidStroke, masksOf, type PaintState } from './paint-state.ts'
import type { Paint } from './soft-mask.ts'

/** Points. Thinner paint is a rule or a strike. */
const THIN = 3
/** Rectangles of one path that are compared with each other, because one may be a hole in the other. */
const MOST_COMPARED = 64

export const isThick = ({ left, right, bottom, top }: Box): boolean =>
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

const coverOf = (outline: Outline): readonly Part[] => {
  const box = boxOf(outline.polygons.flat())
  return isThick(box) ? [{ box, outlines: [outline] }] : []
}

/** The width of strokes on the page. */
const widthOf = ({ width }: PaintState, [a, b, c, d]: Matrix): number =>
  width * Math.sqrt(Math.abs(a * d - b * c))

/** The parts of the page that a path paints so that nothing shines through. */
export const coversOf = ({ polygons, word, matrix }: Drawn, state: PaintState): readonly Part[] => {
  const isPlain = (colour: Colour): boolean => colour !== null
  const isFilled = FILLS.has(word) && isSolidFill(state) && isPlain(state.fill)
  const isStroked = STROKES.has(word) && isSolidStroke(state) && isPlain(state.stroke)
  const width = widthOf(state, matrix)
  const isBroad = isStroked && width >= THIN
  const filled = polygons.every(isRectangle)
    ? filledBoxes(polygons).map((box) => ({ box, outlines: [] }))
    : coverOf({ polygons, isEvenOdd: EVEN_ODD.has(word) })
  return [...(isFilled ? filled : []), ...(isBroad ? coverOf(strokedOutline(polygons, width)) : [])]
}

/** The paint of a path, whatever shows through it. */
export const paintsOf = (
  { polygons, word, matrix }: Drawn,
  state: PaintState,
): readonly Paint[] => {
  const part = (outline: Outline): Part => ({
    box: boxOf(outline.polygons.flat()),
    outlines: [outline],
  })
  const isBare = masksOf(state).length === 0
  const filled = {
    ...part({ polygons, isEvenOdd: EVEN_ODD.has(word) }),
    colour: state.fill,
    isSolid: isBare && isSolidFill(state),
  }
  const stroked = {
    ...part(strokedOutline(polygons, widthOf(state, matrix))),
    colour: state.stroke,
    isSolid: isBare && isSolidStroke(state),
  }
  return [...(FILLS.has(word) ? [filled] : []), ...(STROKES.has(word) ? [stroked] : [])]
}
