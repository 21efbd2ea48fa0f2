/** A page in small cells, each with the operator that painted it last. */
import { edgesOf, insideAt, type Part, type Spend } from './outline.ts'
import type { Point } from './page-geometry.ts'
import { PdfError } from './reading.ts'

export type SheetSize = Readonly<{ width: number; height: number }>

/** Cells that a page may have, and the cells and edges of outlines that its paint may take. */
const MOST_CELLS = 1_000_000
const MOST_WORK = 200_000_000

type Range = Readonly<{ from: number; to: number }>

const shared = (some: readonly Range[], others: readonly Range[]): readonly Range[] =>
  some.flatMap((one) =>
    others
      .map((other) => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }))
      .filter(({ from, to }) => from < to),
  )

export const createPaintSheet = ({ width, height }: SheetSize) => {
  const cell = Math.max(1, Math.sqrt((width * height) / MOST_CELLS))
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)]
  const painted = new Uint32Array(columns * rows)
  let work = 0
  const spend: Spend = (units) => {
    work += units
    if (work > MOST_WORK) throw new PdfError('too_big', 'The file has too much paint.')
  }
  /** The first cell whose centre is at or after the position. */
  const cellAt = (position: number, most: number): number =>
    Math.min(most, Math.max(0, Math.ceil(position / cell - 0.5)))
  return {
    spend,
    /** Paints a part of the page. */
    paint: ({ box: { left, right, bottom, top }, outlines }: Part, at: number): void => {
      const [low, high] = [cellAt(bottom, rows), cellAt(top, rows)]
      const across = Math.max(0, cellAt(right, columns) - cellAt(left, columns))
      const edges = outlines.reduce((sum, outline) => sum + edgesOf(outline), 0)
      spend((across + edges) * Math.max(0, high - low))
      for (let row = low; row < high; row += 1) {
        const y = (row + 0.5) * cell
        const ranges = outlines.reduce<readonly Range[]>(
          (known, outline) => shared(known, insideAt(outline, y)),
          [{ from: left, to: right }],
        )
        for (const { from, to } of ranges) {
          const [first, end] = [cellAt(from, columns), cellAt(to, columns)]
          painted.fill(at, row * columns + first, row * columns + Math.max(first, end))
        }
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
