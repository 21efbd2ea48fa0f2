import { gridX, INSET, LEFT, SIZE } from './grid.ts'
import { drawCentred, drawDoubleRule, drawRule, drawSpaced, drawText, type Sheet } from './sheet.ts'
import type { Column, Heading, Table } from './title-row.ts'

const HEADING_SIZE = 14
const SUBTITLE_SIZE = 11
/** Signs of `【 표 제 부 】` stand at these places; two-sign names leave the third empty. */
const FIRST_SIGN = 49.839
const SIGN_STEP = 28
const SUBTITLE_LEFT = 192.599

const drawSigns = (sheet: Sheet, name: string, baseline: number): void => {
  const signs = name.length === 2 ? [name[0], null, name[1]] : [...name]
  for (const [index, sign] of ['【', ...signs, '】'].entries()) {
    if (sign === null || sign === undefined) continue
    drawText(sheet, sign, FIRST_SIGN + SIGN_STEP * index, baseline, HEADING_SIZE)
  }
}

/** Lists are not measured; three forms of their heading are printed. */
const drawName = (sheet: Sheet, name: string, baseline: number): void => {
  const form = sheet.style.listHeadForm
  if (name.length < 4 || form === 'glyphs') drawSigns(sheet, name, baseline)
  else if (form === 'plain') drawText(sheet, `【 ${name} 】`, FIRST_SIGN, baseline, HEADING_SIZE)
  else drawText(sheet, `【 ${[...name].join(' ')} 】`, FIRST_SIGN, baseline, HEADING_SIZE)
}

/** The row with the name of a section; answers where it ends. */
export const drawHeading = (
  sheet: Sheet,
  heading: Heading,
  top: number,
  isFirst: boolean,
): number => {
  const baseline = top - sheet.toBaseline * 1.082
  const subtitleBaseline = top - sheet.toBaseline * 1.056
  if (isFirst) drawRule(sheet, top)
  else drawDoubleRule(sheet, top)
  if (heading.name === null) {
    drawCentred(sheet, heading.subtitle, [LEFT, gridX(108)], subtitleBaseline, SUBTITLE_SIZE)
  } else {
    drawName(sheet, heading.name, baseline)
    if (heading.subtitle !== '') {
      drawText(sheet, heading.subtitle, SUBTITLE_LEFT, subtitleBaseline, SUBTITLE_SIZE)
    }
  }
  return top - 2 * sheet.pitch
}

const spanOf = (column: Column): readonly [number, number] => [gridX(column.from), gridX(column.to)]

const drawHeadRow = (sheet: Sheet, columns: readonly Column[], top: number): number => {
  for (const column of columns) {
    drawCentred(sheet, column.head, spanOf(column), top - sheet.toBaseline)
  }
  return top - 2 * sheet.pitch
}

/** Two rows: the last two heads stand below a head of their own. */
const drawGroupedHeads = (
  sheet: Sheet,
  columns: readonly Column[],
  groupHead: string,
  top: number,
): number => {
  const grouped = columns.slice(-2)
  const from = grouped[0]?.from ?? 0
  const middle = top - 2 * sheet.pitch
  const lowered = sheet.style.centresListHeads ? sheet.pitch : 0
  for (const column of columns.slice(0, -2)) {
    drawCentred(sheet, column.head, spanOf(column), top - sheet.toBaseline - lowered)
  }
  drawCentred(sheet, groupHead, [gridX(from), gridX(108)], top - sheet.toBaseline)
  drawRule(sheet, middle, gridX(from))
  return drawHeadRow(sheet, grouped, middle)
}

/** The head row of a table, repeated on each page that continues it; answers where it ends. */
export const drawHeads = (sheet: Sheet, table: Table, top: number): number => {
  drawDoubleRule(sheet, top)
  const bottom =
    table.groupHead === null
      ? drawHeadRow(sheet, table.columns, top)
      : drawGroupedHeads(sheet, table.columns, table.groupHead, top)
  drawRule(sheet, bottom)
  return bottom
}

/** Rows of label and value above the head of a list. */
export const drawPreface = (sheet: Sheet, table: Table, top: number): number => {
  let y = top
  for (const [label, value] of table.preface) {
    drawRule(sheet, y)
    drawCentred(sheet, label, [LEFT, gridX(10)], y - sheet.toBaseline)
    drawSpaced(sheet, value, gridX(10) + INSET, y - sheet.toBaseline, SIZE)
    y -= 2 * sheet.pitch
  }
  return y
}

/** How many pitches the heads take. */
export const headHeight = (table: Table): number => (table.groupHead === null ? 2 : 4)
