/** Finds the column borders of a table from its heads, in points (1/72 inch). */
import { squeeze } from '../fields/normal-text.ts'
import type { VerticalLine } from '../page-content.ts'
import { TABLE_LEFT } from '../reader/page-frame.ts'
import { type Piece, partsOf, type TextLine } from '../reader/text-line.ts'
import { SPANNING_HEADS, TABLE_HEADS, type TableHead, type TableKind } from './table-kind.ts'

const UNIT = 5.09855
const GRID_UNITS = 108
/** Points by which a derived border may be off the grid, or the last one off the table's edge: for an exact match, and at most. */
const EXACT = 0.8
const BELIEVED = 2.5
/** Maximum distance between the left border of a column and its head, in points. */
const WIDEST_INSET = 8

/** Borders of columns in points: one more than there are columns. */
export type Columns = Readonly<{ borders: readonly number[]; isMeasured: boolean }>

/** Returns the x of a grid line, in PDF points (1/72 inch) of the standard form. */
export const gridPoint = (unit: number): number => TABLE_LEFT + UNIT * unit

/** The right end of the tables of the standard form, in points. */
export const TABLE_RIGHT = gridPoint(GRID_UNITS)

/** Returns the columns of the standard form, for a table whose borders are not drawn. */
export const defaultColumns = (head: TableHead): Columns => {
  const borders = head.columns.map((column) => gridPoint(column.unit))
  return { borders: [...borders, TABLE_RIGHT], isMeasured: false }
}

/** Columns by heads that are centred in them: each border follows from the previous border and the centre between. */
const columnsFromCentres = (centres: readonly number[]): Columns | null =>
  bordersAround(centres, BELIEVED, (x) => x) ?? bordersAround(centres, BELIEVED, toGrid)

/** Columns of the standard form, if each head is exactly in the middle of its column. */
const columnsOnGrid = (centres: readonly number[]): Columns | null =>
  bordersAround(centres, EXACT, toGrid)

const toGrid = (x: number): number => gridPoint(Math.round((x - TABLE_LEFT) / UNIT))

/** @param place adjusts a border computed at x */
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
  // heads slightly off their centres move every following border, the last one most
  const closes = Math.abs((borders.at(-1) ?? 0) - TABLE_RIGHT) < BELIEVED
  return isRising && closes ? { borders, isMeasured: true } : null
}

/** Takes pieces from the left while their text begins a name. @returns how many pieces make up the longest name */
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

/** Left and right end of a printed head. */
export type Span = Readonly<{ left: number; right: number }>

const centreOf = (span: Span | undefined): number => ((span?.left ?? 0) + (span?.right ?? 0)) / 2
const centresOf = (spans: readonly Span[]): readonly number[] => spans.map(centreOf)

/** Whether the first word begins a name of the first column. Few lines do, so most are ruled out here cheaply. */
const opensHead = (pieces: readonly Piece[], { columns: [first] }: TableHead): boolean => {
  const opening = pieces.find(({ text }) => WORD.test(text))
  const word = squeeze(WORD.exec(opening?.text ?? '')?.[0] ?? '')
  return first?.names.some((name) => name.startsWith(word)) ?? true
}

const WORD = /\S+/

/** The places of the column heads in one line, or null if the line is anything else. */
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

/** Points above and below the baseline of the heads within which their cells end. */
const ABOVE = 22
const BELOW = 16

/** Columns by drawn borders between the heads. */
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
  return { borders: [...borders, TABLE_RIGHT], isMeasured: true }
}

/** The border nearest to the one expected around a centred head; if none is near, the last border, next to the following head. */
const nearestBorder = (borders: readonly number[], expected: number): number | null => {
  if (borders.length === 0) return null
  const isOff = (x: number): number => Math.abs(x - expected)
  const nearest = borders.reduce((best, x) => (isOff(x) < isOff(best) ? x : best))
  return isOff(nearest) <= BELIEVED ? nearest : Math.max(...borders)
}

/** Columns by heads at their left: all heads have the same distance from their borders as the first from the table's edge. */
const columnsFromLefts = (spans: readonly Span[]): Columns | null => {
  const [first] = spans
  const inset = (first?.left ?? 0) - TABLE_LEFT
  if (inset < 0 || inset > WIDEST_INSET) return null
  const borders = spans.map(({ left }) => left - inset)
  return { borders: [...borders, TABLE_RIGHT], isMeasured: true }
}

/** Reads a line as the column heads of a table. @param verticals lines of the page that may separate the columns */
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

/** Returns the columns if each head is inside its own column. */
const holding = (spans: readonly Span[], columns: Columns | null): Columns | null => {
  const isHeld = spans.every(({ left, right }, at) => {
    const [from = 0, to = 0] = columns?.borders.slice(at, at + 2) ?? []
    return left > from - 1 && right < to + 1
  })
  return isHeld ? columns : null
}

/** Finds columns by drawn borders, or else by heads that are centred in them or at their left. */
export const columnsFromHeads = (
  spans: readonly Span[],
  line: TextLine,
  verticals: readonly VerticalLine[],
): Columns | null =>
  holding(spans, columnsOnGrid(centresOf(spans))) ??
  columnsFromBorders(spans, line, verticals) ??
  holding(spans, columnsFromCentres(centresOf(spans))) ??
  columnsFromLefts(spans)

/** Maximum pieces in a line of heads, character by character. A hostile line may have many more. */
const LONGEST_HEADS = 100

/** Removes the words that span several heads from a line. */
export const withoutSpanning = (pieces: readonly Piece[]): readonly Piece[] => {
  if (pieces.length > LONGEST_HEADS) return pieces
  for (const at of pieces.keys()) {
    const count = takeHead(pieces.slice(at), [...SPANNING_HEADS])
    if (count > 0) return [...pieces.slice(0, at), ...pieces.slice(at + count)]
  }
  return pieces
}

/** Whether a line consists of words of a list's two-row head, which takes up to three lines. */
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
