/** Finds the boxes of rows, cells, strikes and unread text for `svc parse --overlay`. */
import type { SourceContent } from '../page-content.ts'
import { entryId } from '../tables/entry-id.ts'
import { readTables } from '../tables/read-tables.ts'
import type { Row, RowLine, RowPart } from '../tables/row.ts'
import { arrangePages } from './arrange-pages.ts'
import { findUnread } from './find-unread.ts'
import { type Pages, readPages } from './read-pages.ts'

/** A mark on a page: a table row, one of its cells, struck text, or text that no field took. */
export type Mark = Readonly<{
  page: number
  kind: 'row' | 'cell' | 'strike' | 'unread'
  /** `[left, top, right, bottom]` in points of the original page, from its top left corner. */
  box: readonly number[]
  /** The id and number of the entry, on the first part of a row. */
  label: string | null
}>

type Box = RowPart['box']

const around = (boxes: readonly Box[]): Box | null => {
  const [first] = boxes
  if (first === undefined) return null
  return [
    Math.min(...boxes.map((box) => box[0])),
    Math.min(...boxes.map((box) => box[1])),
    Math.max(...boxes.map((box) => box[2])),
    Math.max(...boxes.map((box) => box[3])),
  ]
}

type Piece = RowLine['cells'][number][number]

const boxOf = (piece: Piece): Box => {
  const { left, right, baseline, size } = piece
  return [left, baseline - size * 0.25, right, baseline + size * 0.9]
}

const marksOfPart = (row: Row, part: RowPart, pages: Pages): readonly Mark[] => {
  const toBox = (box: Box) => pages.toPageBox({ ...part, box })
  const lines = row.lines.filter((line) => line.page === part.page)
  const label = part === row.parts[0] ? `${entryId(row)}  ${row.number}` : null
  const marks: Mark[] = [{ page: part.page, kind: 'row', box: toBox(part.box), label }]
  for (const column of row.columns.borders.slice(1).keys()) {
    const pieces = lines.flatMap((line) => line.cells[column] ?? [])
    const box = around(pieces.map(boxOf))
    if (box !== null) marks.push({ page: part.page, kind: 'cell', box: toBox(box), label: null })
    for (const piece of pieces.filter(({ isStruck }) => isStruck)) {
      marks.push({ page: part.page, kind: 'strike', box: toBox(boxOf(piece)), label: null })
    }
  }
  return marks
}

/** Finds where on the pages the parser sees rows, cells and strikes, to show why a field has its value. */
export const findMarks = (given: SourceContent): readonly Mark[] => {
  const source = arrangePages(given)
  const pages = readPages(source)
  const { tables, unplaced } = readTables(pages.body)
  const rows = tables.flatMap((table) => table.rows)
  const { unread } = findUnread([...pages.body, ...pages.others], unplaced, pages.toPageBox)
  const marks = [
    ...rows.flatMap((row) => row.parts.flatMap((part) => marksOfPart(row, part, pages))),
    ...unread.map(({ page, box }): Mark => ({ page, kind: 'unread', box, label: null })),
  ]
  return marks.map((mark) => onSheet(mark, source))
}

/** Moves the mark of a page that shares a sheet to its place on the sheet. */
const onSheet = (mark: Mark, { pages }: SourceContent): Mark => {
  const sheet = pages.find(({ number }) => number === mark.page)?.sheet
  if (sheet === undefined) return mark
  const [left = 0, top = 0, right = 0, bottom = 0] = mark.box
  const box = [left + sheet.left, top, right + sheet.left, bottom]
  return { ...mark, page: sheet.number, box }
}
