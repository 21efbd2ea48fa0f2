/** Finds the column borders of a table from its heads, in points (1/72 inch). */
import { squeeze } from '../fields/normal-text.ts'
import type { VerticalLine } from '../page-content.ts'
import { TABLE_LEFT } from '../reader/page-frame.ts'
import { type Piece, partsOf, type TextLine } from '../reader/text-line.ts'
import { SPANNING_HEADS, TABLE_HEADS, type TableHead, type TableKind } from './table-kind.ts'

const UNIT = 5.09855
const GRID_UNITS = 108
/** How far a derived border may lie from the grid, or the last one from the table's edge: for certain, and at most. */
const EXACT = 0.8
const BELIEVED = 2.5
/** Points between the border of a column and a head at its left. */
const WIDEST_INSET = 8

/** Borders between columns in points: one more than there are columns. */
export type Columns = Readonly<{ borders: readonly number[]; isMeasured: boolean }>

/** Returns the x of a grid line, in PDF points (1/72 inch) of the standard form. */
export const gridPoint = (unit: number): number => TABLE_LEFT + UNIT * unit

/** Returns the columns that the standard form has, for a table whose borders are not drawn. */
export const defaultColumns = (head: TableHead): Columns => {
  const borders = head.columns.map((column) => gridPoint(column.unit))
  return { borders: [...borders, gridPoint(GRID_UNITS)], isMeasured: false }
}

/** The heads are centred in their columns: each border follows from the one before it and the centre between. */
const columnsFromCentres = (centres: readonly number[]): Columns | null =>
  bordersAround(centres, BELIEVED, (x) => x) ?? bordersAround(centres, BELIEVED, toGrid)

/** The columns of the standard form, where each head is exactly in its middle. */
const columnsOnGrid = (centres: readonly number[]): Columns | null =>
  bordersAround(centres, EXACT, toGrid)

const toGrid = (x: number): number => gridPoint(Math.round((x - TABLE_LEFT) / UNIT))

/** @param place where a border lies that follows at x */
const bordersAround = (
  centres: readonly number[],
  tolerance: number,
  place: (x: number) => number,
): Columns | null => {
  const borders = [TABLE_LEFT]
  for (const centre of centres) {
    const right = 2 * centre - (borders.at(-1) ?? TABLE_LEFT)
    borders.push(place(right))
    if (Math.abs(right - (borders.at(-1) ?? 0)) > tolerance) return null
  }
  const isRising = borders.every(
    (border, index) => index === 0 || border > (borders[index - 1] ?? 0),
  )
  // heads that are a little off their centres move every border after them, and the last one most
  const closes = Math.abs((borders.at(-1) ?? 0) - gridPoint(GRID_UNITS)) < BELIEVED
  return isRising && closes ? { borders, isMeasured: true } : null
}

/** Takes pieces from the left while their text begins one of the names. @returns how many make the longest name */
const takeHead = (pieces: readonly Piece[], names: readonly string[]): number => {
  let text = ''
  let taken = 0
  for (const [index, piece] of pieces.entries()) {
    text += squeeze(piece.text)
    if (names.includes(text)) taken = index + 1
    if (!names.some((name) => name.startsWith(text))) break
  }
  return taken
}

/** From where to where a head is printed. */
export type Span = Readonly<{ left: number; right: number }>

const centreOf = (span: Span | undefined): number => ((span?.left ?? 0) + (span?.right ?? 0)) / 2
const centresOf = (spans: readonly Span[]): readonly number[] => spans.map(centreOf)

/** Whether the first word begins a name of the first column: few lines do, and the others need no places of words. */
const opensHead = (pieces: readonly Piece[], { columns: [first] }: TableHead): boolean => {
  const opening = pieces.find(({ text }) => WORD.test(text))
  const word = squeeze(WORD.exec(opening?.text ?? '')?.[0] ?? '')
  return first?.names.some((name) => name.startsWith(word)) ?? true
}

const WORD = /\S+/

/** The places of the column heads in one line; null when the line is anything else. */
export const headSpans = (pieces: readonly Piece[], head: TableHead): readonly Span[] | null => {
  if (!opensHead(pieces, head)) return null
  const spans: Span[] = []
  let rest = pieces.flatMap((piece) => partsOf(piece, /\S+/g))
  for (const column of head.columns) {
    const count = takeHead(rest, column.names)
    const taken = rest.slice(0, count)
    if (taken.length === 0) return null
    const left = Math.min(...taken.map((piece) => piece.left))
    spans.push({ left, right: Math.max(...taken.map((piece) => piece.right)) })
    rest = rest.slice(count)
  }
  return rest.length === 0 ? spans : null
}

/** Points above and below the baseline of the heads in which their cells end. */
const ABOVE = 22
const BELOW = 16

/** Where drawn borders part the heads. */
const columnsFromBorders = (
  spans: readonly Span[],
  line: TextLine,
  verticals: readonly VerticalLine[],
): Columns | null => {
  const near = verticals.filter(
    ({ bottom, top }) => bottom <= line.baseline + ABOVE && top >= line.baseline - BELOW,
  )
  const borders = [TABLE_LEFT]
  for (const [at, { right }] of spans.slice(0, -1).entries()) {
    const end = spans[at + 1]?.left ?? right
    const between = near.map(({ x }) => x).filter((x) => x > right - 1 && x < end + 1)
    const border = nearestBorder(between, 2 * centreOf(spans[at]) - (borders.at(-1) ?? 0))
    if (border === null) return null
    borders.push(border)
  }
  return { borders: [...borders, gridPoint(GRID_UNITS)], isMeasured: true }
}

/** The border around whose column the head is centred; else the last, which is nearest to the next head. */
const nearestBorder = (borders: readonly number[], expected: number): number | null => {
  if (borders.length === 0) return null
  const isOff = (x: number): number => Math.abs(x - expected)
  const nearest = borders.reduce((best, x) => (isOff(x) < isOff(best) ? x : best))
  return isOff(nearest) <= BELIEVED ? nearest : Math.max(...borders)
}

/** Heads at the left of their columns are as far from the borders as the first from the table's. */
const columnsFromLefts = (spans: readonly Span[]): Columns | null => {
  const [first] = spans
  const inset = (first?.left ?? 0) - TABLE_LEFT
  if (inset < 0 || inset > WIDEST_INSET) return null
  const borders = spans.map(({ left }) => left - inset)
  return { borders: [...borders, gridPoint(GRID_UNITS)], isMeasured: true }
}

/** Reads a line as the table's column heads. @param verticals lines of the page that may part them */
export const readColumnHeads = (
  line: TextLine,
  kind: TableKind,
  verticals: readonly VerticalLine[] = [],
): Columns | null => {
  const head = TABLE_HEADS[kind]
  const spans = headSpans(line.pieces, head)
  if (spans === null) return null
  return columnsFromHeads(spans, line, verticals) ?? defaultColumns(head)
}

/** The columns, if each head lies in its own. */
const holding = (spans: readonly Span[], columns: Columns | null): Columns | null => {
  const isHeld = spans.every(({ left, right }, at) => {
    const [from = 0, to = 0] = columns?.borders.slice(at, at + 2) ?? []
    return left > from - 1 && right < to + 1
  })
  return isHeld ? columns : null
}

/** Columns by drawn borders, else by heads that are centred in them or at their left. */
export const columnsFromHeads = (
  spans: readonly Span[],
  line: TextLine,
  verticals: readonly VerticalLine[],
): Columns | null =>
  holding(spans, columnsOnGrid(centresOf(spans))) ??
  columnsFromBorders(spans, line, verticals) ??
  holding(spans, columnsFromCentres(centresOf(spans))) ??
  columnsFromLefts(spans)

/** Pieces of a line of heads, sign by sign; a hostile line may have many more. */
const LONGEST_HEADS = 100

/** The pieces of a line without the words that span other heads. */
export const withoutSpanning = (pieces: readonly Piece[]): readonly Piece[] => {
  if (pieces.length > LONGEST_HEADS) return pieces
  for (const at of pieces.keys()) {
    const count = takeHead(pieces.slice(at), [...SPANNING_HEADS])
    if (count > 0) return [...pieces.slice(0, at), ...pieces.slice(at + count)]
  }
  return pieces
}

/** The words of a list's two-row head, on up to three lines. */
export const isListHead = (line: TextLine, kind: TableKind): boolean => {
  let rest: readonly Piece[] = line.pieces
  const names = [...TABLE_HEADS[kind].columns.flatMap((column) => column.names), ...SPANNING_HEADS]
  while (rest.length > 0) {
    const count = takeHead(rest, names)
    if (count === 0) return false
    rest = rest.slice(count)
  }
  return true
}
