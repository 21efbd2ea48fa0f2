/** A table of few rows, of which the first hundred are drawn. A link in a row covers the row. */
import type { ReactNode } from 'react'
import { useLongRows } from './long-rows.tsx'
import styles from './plain-table.module.css'

export type PlainColumn<Row> = Readonly<{
  header: string
  cell: (row: Row) => ReactNode
  isEnd?: boolean
  /** Whether the column is hidden in a narrow window. @default false */
  isWideOnly?: boolean
}>

export type PlainTableProps<Row> = Readonly<{
  columns: readonly PlainColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** What the first column shows, by which a long table is filtered. */
  nameOf?: (row: Row) => string
}>

export const PlainTable = <Row,>({ columns, rows, keyOf, nameOf }: PlainTableProps<Row>) => {
  const { shown, filter, foot } = useLongRows(rows, columns[0]?.header ?? '', nameOf)
  return (
    <>
      {filter}
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) =>
              // a column of buttons needs no name
              column.header === '' ? (
                <td key="" className={classOf(column)} />
              ) : (
                <th key={column.header} scope="col" className={classOf(column)}>
                  {column.header}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.header} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {foot}
    </>
  )
}

const classOf = ({ isEnd = false, isWideOnly = false }: PlainColumn<never>): string =>
  `${isEnd ? styles.end : ''} ${isWideOnly ? styles.wide : ''}`
