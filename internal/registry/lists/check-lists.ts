/** Checks lists for values that were not read and for rows that are missing [documents 13.6]. */
import { readMoney } from '../fields/money.ts'
import { squeeze } from '../fields/normal-text.ts'
import { type Finding, finding } from '../schema/document.ts'
import type { RegistryEntry } from '../schema/entry.ts'
import { struckShareOf } from '../tables/cell-text.ts'
import { entryId } from '../tables/entry-id.ts'
import type { Table } from '../tables/read-tables.ts'
import { cellOf } from '../tables/row.ts'
import { type ListRows, listsOf, nameOfKind } from './read-lists.ts'

const isOneAmount = (text: string): boolean => {
  const money = readMoney(text)
  return money?.kind === 'won' && !/금.*원/.test(text.replace(money.raw, ''))
}

/** Whether the serial numbers of the rows count from 1. */
const isCounted = ({ rows }: ListRows): boolean =>
  rows.every((row, at) => row.number === String(at + 1))

const checkRows = (lists: readonly ListRows[]): readonly Finding[] =>
  lists
    .filter((list) => !isCounted(list))
    .map(({ number, rows }) => {
      const serials = rows.map((row) => row.number).join(', ')
      return finding('LIST_INCOMPLETE', `List ${number} has the rows ${serials}.`)
    })

/** Lists whose number no entry has. A digit of one of the two was lost, or the entry. */
const checkNames = (lists: readonly ListRows[], texts: readonly string[]): readonly Finding[] =>
  lists
    .filter(({ number }) => !texts.some((text) => text.includes(number)))
    .map(({ number }) => finding('LIST_INCOMPLETE', `No entry names list ${number}.`))

type Whole = Readonly<{
  /** Whether the copy shows every row, including ended ones. */
  isWhole: boolean
  entries: readonly RegistryEntry[]
}>

/** Reports values of lists that were not read, lists that lack rows, and lists that no entry names. */
export const checkLists = (
  tables: readonly Table[],
  { isWhole, entries }: Whole,
): readonly Finding[] => {
  const trades = listsOf(tables.filter(({ kind }) => kind === 'trade_list'))
  const collateral = listsOf(tables.filter(({ kind }) => kind === 'collateral_list'))
  const amounts = trades
    .filter(({ amount }) => amount !== null && !isOneAmount(amount))
    .map(({ number }) =>
      finding('AMOUNT_NOT_READ', `The amount of list ${number} could not be read.`),
    )
  const unnamed = collateral
    .flatMap(({ rows }) => rows)
    .filter((row) => nameOfKind(row) === '')
    .map((row) =>
      finding('COLLATERAL_NOT_READ', `Row ${row.number} names no kind of property.`, entryId(row)),
    )
  const struck = trades
    .flatMap(({ rows }) => rows)
    .filter((row) => struckShareOf(cellOf(row, 0)) >= 0.5)
    .map((row) => finding('SALE_ITEM_STRUCK', `Row ${row.number} is struck through.`, entryId(row)))
  const lists = [...trades, ...collateral]
  const texts = entries.map((entry) => squeeze(entry.raw_text))
  const missing = isWhole ? [...checkRows(lists), ...checkNames(lists, texts)] : []
  return [...amounts, ...unnamed, ...struck, ...missing]
}
