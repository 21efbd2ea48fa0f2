/**
 * What is printed in a cell. A run is what one strike line covers: a label with its value is one run; role, name and number of a
 * person are three, because one of them alone may be cancelled.
 */
export type Run = { readonly text: string; struck: boolean }

/** Runs two half-width blanks apart; positions count half widths from where the column's text begins. */
export type Paragraph = {
  readonly runs: readonly Run[]
  readonly indent: number
  /** Where the lines that wrap begin. */
  readonly hang: number
}
export type Cell = readonly Paragraph[]

/** Part of a band; a ruled part begins below a partial rule. Blocks of the last column have partial rules between them. */
export type BandPart = {
  readonly isRuled: boolean
  readonly middle: readonly Cell[]
  readonly blocks: Cell[]
}
/** What stands between two full rules of a table: a rank, or a display number. */
export type Band = { readonly lead: Paragraph[]; readonly parts: BandPart[] }

/** The font is of fixed pitch: Hangul and other wide signs (the middle dot too) take two half widths, ASCII takes one. */
export const isWide = (character: string): boolean => character > '\u00a0'
export const halfWidths = (text: string): number => {
  let width = 0
  for (const character of text) width += isWide(character) ? 2 : 1
  return width
}

export const run = (text: string): Run => ({ text, struck: false })
export const plain = (text: string): Paragraph => ({ runs: [run(text)], indent: 0, hang: 0 })
export const indented = (text: string): Paragraph => ({ runs: [run(text)], indent: 4, hang: 4 })
/** Label and value, one stroke; what wraps stands below the value. */
export const labelled = (label: string, value: string): Paragraph => ({
  runs: [run(`${label}  ${value}`)],
  indent: 0,
  hang: halfWidths(label) + 2,
})
/** Cells of several lines that the document breaks on purpose. */
export const lines = (...texts: readonly string[]): Cell => texts.map(plain)

export const runsOf = (cell: Cell): Run[] => cell.flatMap((paragraph) => paragraph.runs)
export const strikeCell = (cell: Cell): void => {
  for (const each of runsOf(cell)) each.struck = true
}
export const cellsOfPart = (part: BandPart): Cell[] => [...part.middle, ...part.blocks]
export const cellsOfBand = (band: Band): Cell[] => [band.lead, ...band.parts.flatMap(cellsOfPart)]
export const strikeBand = (band: Band): void => cellsOfBand(band).forEach(strikeCell)

/** What a current copy prints: the struck runs are not there at all. */
export const withoutStruck = (cell: Cell): Cell =>
  cell
    .map((paragraph) => ({ ...paragraph, runs: paragraph.runs.filter((each) => !each.struck) }))
    .filter((paragraph) => paragraph.runs.length > 0)
