import { columnCapacity } from './grid.ts'
import type { Band, Cell } from './text.ts'
import type { Column } from './title-row.ts'
import { type WrappedLine, wrap } from './wrap.ts'

export type PlacedLine = {
  readonly column: number
  readonly words: WrappedLine
  readonly isCentred: boolean
}
/** One pitch of a table: the lines that stand there, or a partial rule from a column on. */
export type TableRow = { readonly lines: PlacedLine[]; ruleFrom: number | null }

const emptyRow = (): TableRow => ({ lines: [], ruleFrom: null })

const rowAt = (rows: TableRow[], index: number): TableRow => {
  while (rows.length <= index) rows.push(emptyRow())
  return rows[index] ?? emptyRow()
}

type Place = { readonly column: Column; readonly index: number; readonly top: number }

const wrapCell = (cell: Cell, column: Column, isCentred: boolean): WrappedLine[] => {
  // what is centred may come nearer to the rules: `(전 42-1)`
  const capacity = columnCapacity(column.from, column.to) + (isCentred ? 2 : 0)
  return cell.flatMap((paragraph) => wrap(paragraph, capacity))
}

/** Puts a cell's lines below one another; answers the first row that is free. */
const placeCell = (
  rows: TableRow[],
  cell: Cell,
  at: Place & { readonly isCentred: boolean },
): number => {
  const lines = wrapCell(cell, at.column, at.isCentred)
  for (const [line, words] of lines.entries()) {
    rowAt(rows, at.top + line).lines.push({ column: at.index, words, isCentred: at.isCentred })
  }
  return at.top + lines.length
}

/** The blocks of the last column, with a partial rule between them. */
const placeBlocks = (rows: TableRow[], blocks: readonly Cell[], at: Place): number => {
  let below = at.top
  for (const [index, block] of blocks.entries()) {
    if (index > 0) {
      rowAt(rows, below).ruleFrom = at.index
      below += 1
    }
    below = placeCell(rows, block, { ...at, top: below, isCentred: false })
  }
  return below
}

/**
 * A band as rows one pitch apart. A partial rule takes the place of a line: from the second column on between purposes, from the
 * last column on between notes.
 */
export const rowsOf = (
  band: Band,
  columns: readonly Column[],
  centresLead: boolean,
): TableRow[] => {
  const rows: TableRow[] = []
  const [leadColumn] = columns
  const lastIndex = columns.length - 1
  const lastColumn = columns.at(-1)
  if (leadColumn === undefined || lastColumn === undefined) return rows
  placeCell(rows, band.lead, { column: leadColumn, index: 0, top: 0, isCentred: centresLead })
  let top = 0
  for (const part of band.parts) {
    if (part.isRuled) {
      rowAt(rows, top).ruleFrom = 1
      top += 1
    }
    let end = top + 1
    for (const [index, cell] of part.middle.entries()) {
      const column = columns[index + 1]
      if (column === undefined) continue
      const at = { column, index: index + 1, top, isCentred: false }
      end = Math.max(end, placeCell(rows, cell, at))
    }
    const below = placeBlocks(rows, part.blocks, { column: lastColumn, index: lastIndex, top })
    top = Math.max(end, below)
    rowAt(rows, top - 1)
  }
  return rows
}
