/** Reads the lists after the sections: sales (매매목록) and joint collateral (공동담보목록). */
import { findDate } from '../fields/date.ts'
import { readMoney } from '../fields/money.ts'
import { squeeze } from '../fields/normal-text.ts'
import type { TradeList } from '../schema/document.ts'
import type { CollateralItem } from '../schema/entry.ts'
import { struckShareOf } from '../tables/cell-text.ts'
import { entryId } from '../tables/entry-id.ts'
import type { Table } from '../tables/read-tables.ts'
import { cellOf, type Row, textIn } from '../tables/row.ts'

const NUMBER = '목록번호'
const AMOUNT = '거래가액'

export type CollateralList = Readonly<{
  listNumber: string
  items: readonly CollateralItem[]
  /** Serial numbers of rows that a later change ended. */
  ended: readonly string[]
}>

/** The rows of one list, with its number and, for a sale, its price as printed. */
export type ListRows = Readonly<{ number: string; amount: string | null; rows: readonly Row[] }>

type OpenList = { number: string; amount: string | null; rows: Row[] }

/** The value of a label row, which may be in any column to the right of the label. */
const labelValue = (row: Row): string => {
  const columns = row.columns.borders.length - 1
  return Array.from({ length: columns - 1 }, (_, column) => textIn(row, column + 1))
    .join(' ')
    .trim()
}

/** Collects the lists. One heading may have several lists below it, each opened by its number. */
export const listsOf = (tables: readonly Table[]): readonly ListRows[] => {
  const lists: OpenList[] = []
  for (const row of tables.flatMap((table) => table.rows)) {
    const list = lists.at(-1)
    if (row.number === NUMBER) {
      const value = labelValue(row)
      const number = /(\d{4}-\d+|\d+)/.exec(value)?.[1] ?? squeeze(value)
      // a list that continues on the next page may repeat its number
      if (list?.number !== number) lists.push({ number, amount: null, rows: [] })
    } else if (row.number === AMOUNT && list !== undefined) list.amount = labelValue(row)
    else list?.rows.push(row)
  }
  return lists
}

/** A cause, with a blank between its date, which fills its line, and the text below it. */
const causeOf = (row: Row, column: number): string => {
  const text = textIn(row, column)
  const date = findDate(text)
  if (date === null || date.start > 0) return text
  return [text.slice(0, date.end), text.slice(date.end).trim()].join(' ').trim()
}

/** Reads 매매목록: the properties that were sold together, and the price. */
export const readTradeLists = (tables: readonly Table[]): TradeList[] => {
  const lists = listsOf(tables.filter((table) => table.kind === 'trade_list'))
  return lists.map((list) => {
    const money = list.amount === null ? null : readMoney(list.amount)
    return {
      list_number: list.number,
      trade_amount: money?.kind === 'won' ? money.value : null,
      items: list.rows.map((row) => ({
        entry_id: entryId(row),
        serial_number: row.number,
        property_description: textIn(row, 1),
        rank_number: squeeze(textIn(row, 2)),
        registration_cause: causeOf(row, 3),
        correction_cause: causeOf(row, 4),
      })),
    }
  })
}

const TAG = /^\[([^[\]]+)\]\s*/

/** The kind of property that a row of a collateral list names, such as 토지. Empty if it names none. */
export const nameOfKind = (row: Row): string => squeeze(TAG.exec(textIn(row, 1))?.[1] ?? '')

const toItem = (row: Row): CollateralItem => ({
  property_type: nameOfKind(row),
  location: textIn(row, 1).replace(TAG, ''),
  area: null,
  type: 'listed',
  reference: row.number,
})

/** Whether the cell 변경/소멸 of a row is filled, or its number struck through. */
const isEnded = (row: Row): boolean => textIn(row, 5) !== '' || struckShareOf(cellOf(row, 0)) >= 0.5

/** Reads 공동담보목록 and 공동전세목록: the properties that secure one debt. */
export const readCollateralLists = (tables: readonly Table[]): readonly CollateralList[] => {
  const lists = listsOf(tables.filter((table) => table.kind === 'collateral_list'))
  return lists.map((list) => ({
    listNumber: list.number,
    items: list.rows.map(toItem),
    ended: list.rows.filter(isEnded).map((row) => row.number),
  }))
}
