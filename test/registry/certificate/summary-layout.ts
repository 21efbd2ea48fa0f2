import { type Imprint, printTime } from './furniture.ts'
import { gridX, SIZE, UNIT } from './grid.ts'
import type { Random } from './random.ts'
import { createSheet, drawCentred, drawLine, drawText, type Sheet, widthAt } from './sheet.ts'
import type { Style } from './style.ts'
import type { Summary } from './summary.ts'
import type { Cell } from './text.ts'
import { type Column, columnsFrom } from './title-row.ts'
import { type WrappedLine, wrap } from './wrap.ts'

const PITCH = 11
const OWNER_COLUMNS = columnsFrom(
  ['등기명의인', '(주민)등록번호', '최종지분', '주           소', '순위번호'],
  [0, 17, 33, 46, 99, 108],
)
const RIGHT_COLUMNS = columnsFrom(
  ['순위번호', '등기목적', '접수정보', '주요등기사항', '대상소유자'],
  [0, 10, 32, 47, 96, 108],
)
const TITLES = [
  '1. 소유지분현황 ( 갑구 )',
  '2. 소유지분을 제외한 소유권에 관한 사항 ( 갑구 )',
  '3. (근)저당권 및 전세권 등 ( 을구 )',
] as const
const REMARKS = [
  '가. 등기기록에서 유효한 지분을 가진 소유자 혹은 공유자 현황을 가나다 순으로 표시합니다.',
  '나. 최종지분은 등기명의인이 가진 최종지분이며, 2개 이상의 순위번호에 지분을 가진 경우 그 지분을 합산하였습니다.',
  '다. 지분이 통분되어 공시된 경우는 전체의 지분을 통분하여 공시한 것입니다.',
  '라. 대상소유자가 명확하지 않은 경우 ‘확인불가’로 표시될 수 있습니다. 정확한 권리사항은 등기사항증명서를 확인하시기',
  '바랍니다.',
]
const LOWEST = 70

type Cursor = { readonly sheets: Sheet[]; sheet: Sheet; y: number; readonly next: () => void }

/** Measured: a name breaks before eight signs, a receipt's date fills its column but for this much. */
const RIGHT_INSET = 1.3
const cellLines = (cell: Cell, column: Column, isOwner: boolean): WrappedLine[] => {
  const inset = isOwner ? UNIT : RIGHT_INSET
  const capacity = Math.floor(((column.to - column.from - 1) * UNIT - inset) / (SIZE / 2))
  return cell.flatMap((paragraph) => wrap(paragraph, capacity))
}

/** Each cell has its own rules. */
const drawCellRules = (sheet: Sheet, columns: readonly Column[], y: number): void => {
  for (const column of columns) {
    sheet.lines.push({
      kind: 'rule',
      left: gridX(column.from) - 0.2,
      right: gridX(column.to) + 0.2,
      y,
    })
  }
}

const drawHeads = (cursor: Cursor, columns: readonly Column[]): void => {
  drawCellRules(cursor.sheet, columns, cursor.y)
  for (const column of columns) {
    drawCentred(cursor.sheet, column.head, [gridX(column.from), gridX(column.to)], cursor.y - 14.27)
  }
  cursor.y -= 22
  drawCellRules(cursor.sheet, columns, cursor.y)
}

const drawRow = (
  cursor: Cursor,
  columns: readonly Column[],
  cells: readonly Cell[],
  centresRank: boolean,
): void => {
  const wrapped = columns.map((column, index) =>
    cellLines(cells[index] ?? [], column, !centresRank),
  )
  const height = 22 + PITCH * (Math.max(1, ...wrapped.map((lines) => lines.length)) - 1)
  if (cursor.y - height < LOWEST) {
    cursor.next()
    if (cursor.sheet.style.repeatsSummaryHead) drawHeads(cursor, columns)
    else drawCellRules(cursor.sheet, columns, cursor.y)
  }
  for (const [index, lines] of wrapped.entries()) {
    const column = columns[index]
    if (column === undefined) continue
    for (const [row, words] of lines.entries()) {
      const isCentred = centresRank && index === 0
      drawLine(
        cursor.sheet,
        column,
        { column: index, words, isCentred },
        cursor.y - 13.8 - row * PITCH,
        RIGHT_INSET - 0.1,
      )
    }
  }
  cursor.y -= height
  drawCellRules(cursor.sheet, columns, cursor.y)
}

const drawSection = (
  cursor: Cursor,
  title: string,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): void => {
  if (cursor.y < LOWEST + 80) cursor.next()
  const baseline = cursor.y - 24.82
  drawText(cursor.sheet, title, 24.296, baseline, SIZE)
  cursor.y = baseline - 8.18
  if (rows.length === 0) {
    drawText(cursor.sheet, '- 기록사항 없음', 29.394, cursor.y - 13.8, SIZE)
    cursor.y -= 22
    return
  }
  drawHeads(cursor, columns)
  for (const cells of rows) drawRow(cursor, columns, cells, columns === RIGHT_COLUMNS)
}

const drawTop = (sheet: Sheet, imprint: Imprint): void => {
  drawText(sheet, '주요 등기사항 요약 (참고용)', 178.118, 766.99, 18)
  drawText(sheet, '[ 주 의 사 항 ]', 262.118, 742.142, SIZE)
  drawText(
    sheet,
    '본 주요 등기사항 요약은 증명서상에 말소되지 않은 사항을 간략히 요약한 것으로 증명서로서의 기능을 제공하지 않습니다.',
    29.394,
    726.934,
    9,
  )
  drawText(
    sheet,
    '실제 권리사항 파악을 위해서는 발급된 증명서를 필히 확인하시기 바랍니다.',
    29.394,
    713.734,
    9,
  )
  sheet.lines.push({ kind: 'rule', left: 24.096, right: 575.14, y: 701.414 })
  const number = `고유번호 ${imprint.uniqueNumber}`
  drawText(sheet, number, 569.841 - widthAt(number, SIZE), 676.594, SIZE)
  drawText(sheet, imprint.propertyLine, 24.296, 665.613, SIZE)
}

const drawRemarks = (cursor: Cursor): void => {
  if (cursor.y - 57 - 6 * 13.2 < LOWEST) cursor.next()
  const top = cursor.y - 57
  drawText(cursor.sheet, '[ 참 고 사 항 ]', 24.296, top, 9)
  for (const [index, remark] of REMARKS.entries()) {
    const isContinued = index === REMARKS.length - 1
    drawText(cursor.sheet, remark, isContinued ? 47.394 : 29.394, top - 13.2 * (index + 1), 9)
  }
}

/** The pages after the body; they count on in the file, and from one in their own page numbers. */
export const laySummary = (
  summary: Summary,
  imprint: Imprint,
  style: Style,
  random: Random,
  firstNumber: number,
): Sheet[] => {
  const open = (index: number): Sheet => createSheet(firstNumber + index, false, style, random)
  const first = open(0)
  const cursor: Cursor = {
    sheets: [first],
    sheet: first,
    y: 668.414,
    next: () => {
      cursor.sheet = open(cursor.sheets.length)
      cursor.sheets.push(cursor.sheet)
      cursor.y = 800.423
    },
  }
  drawTop(first, imprint)
  const [restraints, others] = summary.rights
  drawSection(
    cursor,
    TITLES[0],
    OWNER_COLUMNS,
    summary.owners.map(({ cells }) => cells),
  )
  drawSection(
    cursor,
    TITLES[1],
    RIGHT_COLUMNS,
    restraints.map(({ cells }) => cells),
  )
  drawSection(
    cursor,
    TITLES[2],
    RIGHT_COLUMNS,
    others.map(({ cells }) => cells),
  )
  drawRemarks(cursor)
  for (const [index, sheet] of cursor.sheets.entries()) {
    drawCentred(sheet, `${index + 1}/${cursor.sheets.length}`, [199.567, 399.567], 38.584, 9)
    const when = printTime(imprint)
    drawText(sheet, when, 574.94 - widthAt(when, 9), 50.417, 9)
  }
  return cursor.sheets
}
