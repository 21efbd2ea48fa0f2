import { type Day, padded, tight } from './calendar.ts'
import type { Draft } from './draft.ts'
import { type Band, type BandPart, type Cell, lines, plain, strikeBand } from './text.ts'

/** A table as it is printed; bands come in the order of their numbers. */
export type Column = { readonly head: string; readonly from: number; readonly to: number }
export type Heading = {
  /** `표제부`, `갑구`, …: printed in brackets, sign by sign; null for a table that has only a subtitle. */
  readonly name: string | null
  readonly subtitle: string
}
export type Table = {
  readonly heading: Heading
  readonly columns: readonly Column[]
  readonly bands: readonly Band[]
  /** Rows above the head (number and value), of lists. */
  readonly preface: readonly (readonly [string, string])[]
  /** Stands above the last two heads, which then are a row lower than the others. */
  readonly groupHead: string | null
  /** What the table says instead of bands. */
  readonly emptyText: string | null
  /** Ranks are centred, names are not. */
  readonly centresLead: boolean
}

export const columnsFrom = (heads: readonly string[], bounds: readonly number[]): Column[] =>
  heads.map((head, index) => ({ head, from: bounds[index] ?? 0, to: bounds[index + 1] ?? 108 }))
export const makeTable = (
  heading: Heading,
  columns: readonly Column[],
  bands: readonly Band[],
): Table => ({
  heading,
  columns,
  bands,
  preface: [],
  groupHead: null,
  emptyText: null,
  centresLead: true,
})

export type DisplayNumber = { readonly number: string; readonly previous: string | null }
export const displayTruth = ({ number, previous }: DisplayNumber): string =>
  previous === null ? number : `${number} (전 ${previous})`

export const leadOf = ({ number, previous }: DisplayNumber) => [
  plain(number),
  ...(previous === null ? [] : [plain(`(전 ${previous})`)]),
]
export const makePart = (middle: readonly Cell[], last: Cell): BandPart => ({
  isRuled: false,
  middle,
  blocks: [last],
})
export const makeRow = (display: DisplayNumber, middle: readonly Cell[], last: Cell): Band => ({
  lead: leadOf(display),
  parts: [makePart(middle, last)],
})

export const COMPUTERISED = '부동산등기법 제177조의 6 제1항의 규정에 의하여'
export const computerisedNote = (day: Day): string => `${COMPUTERISED} ${padded(day)} 전산이기`

export const dayCell = (day: Day | null): Cell => (day === null ? [] : lines(tight(day)))
export const dayTruth = (day: Day | null): string | null => (day === null ? null : padded(day))

/** Strikes a title row; the note of computerisation stays as it is. */
export const strikeRow = (band: Band, keepsNote: boolean): void => {
  const last = band.parts[0]?.blocks[0]
  strikeBand(band)
  if (!keepsNote || last === undefined) return
  for (const run of last.flatMap((paragraph) => paragraph.runs)) run.struck = false
}

export const decimals = (draft: Draft, from: number, to: number, places: number): string =>
  (draft.random.integer(from * 10 ** places, to * 10 ** places) / 10 ** places).toFixed(places)
