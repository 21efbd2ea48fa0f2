/** Selects rows of a list by checkboxes, or all rows that match its filters. */
import { useState } from 'react'
import { defineMessages, useMessages } from '../language/messages.ts'
import { SelectBox } from '../ui/form/select-box.tsx'
import type { Column } from '../ui/table/data-table.tsx'

const messages = defineMessages({
  select: { en: 'Select', ko: '선택' },
  selectRow: { en: (name: string) => `Select ${name}`, ko: (name: string) => `${name} 선택` },
  selectShown: { en: 'Select all rows shown', ko: '표시된 행 모두 선택' },
})

export type SelectionOptions<Row> = Readonly<{
  /** Identifies the list. Another list starts with no rows selected. */
  list: string
  keyOf: (row: Row) => string
  /** For screen readers. */
  nameOf: (row: Row) => string
  /** @default every row can be selected */
  canSelect?: (row: Row) => boolean
  /** Maximum number of rows to select one by one. */
  most: number
}>

export type Selection<Row> = Readonly<{
  rows: readonly Row[]
  /** Whether all matching rows are selected, including those that are not loaded. */
  isAll: boolean
  selectAll: () => void
  clear: () => void
  /** The first column of the list. */
  column: Column<Row>
}>

type Selected<Row> = Readonly<{ list: string; rows: ReadonlyMap<string, Row>; isAll: boolean }>

export const useSelection = <Row,>(options: SelectionOptions<Row>): Selection<Row> => {
  const { list, keyOf, nameOf, most, canSelect = () => true } = options
  const t = useMessages(messages)
  const none: Selected<Row> = { list, rows: new Map(), isAll: false }
  const [kept, setKept] = useState(none)
  const { rows, isAll } = kept.list === list ? kept : none
  const isSelected = (row: Row): boolean => isAll || rows.has(keyOf(row))
  const select = (changed: readonly Row[], isOn: boolean): void => {
    const next = new Map(rows)
    for (const row of changed) {
      if (!isOn) next.delete(keyOf(row))
      else if (next.size < most) next.set(keyOf(row), row)
    }
    setKept({ list, rows: next, isAll: false })
  }
  return {
    rows: [...rows.values()],
    isAll,
    selectAll: () => setKept({ list, rows, isAll: true }),
    clear: () => setKept(none),
    column: {
      header: t.select,
      width: '1rem',
      head: (shown) => {
        const offered = shown.filter(canSelect)
        return (
          <SelectBox
            label={t.selectShown}
            isSelected={offered.length > 0 && offered.slice(0, most).every(isSelected)}
            isPartly={offered.some(isSelected)}
            isDisabled={offered.length === 0}
            onChange={(isOn) => select(offered, isOn)}
          />
        )
      },
      cell: (row) =>
        canSelect(row) ? (
          <SelectBox
            label={t.selectRow(nameOf(row))}
            isSelected={isSelected(row)}
            onChange={(isOn) => select([row], isOn)}
          />
        ) : null,
    },
  }
}
