/** Columns that most lists have, a line each. */
import type { ReactNode } from 'react'
import { type Column, RowLink } from '../ui/data-table.tsx'
import { ShortTime, TimeAgo } from '../ui/time.tsx'

/** Where there is no value. */
const NONE = '–'

export const column = <Row,>(
  header: string,
  width: string,
  cell: (row: Row) => ReactNode,
): Column<Row> => ({ header, width, cell })

/** Left out where the window is narrow. */
export const wide = <Row,>(shown: Column<Row>): Column<Row> => ({ ...shown, isWideOnly: true })

/** Aligned with the end of its column, as numbers and times are. */
export const atEnd = <Row,>(shown: Column<Row>): Column<Row> => ({ ...shown, isEnd: true })

/** Text that may be longer than its column: the pointer shows all of it. */
export const text = <Row,>(
  header: string,
  width: string,
  read: (row: Row) => string | null,
): Column<Row> =>
  column(header, width, (row) => {
    const value = read(row)
    return value === null ? NONE : <span title={value}>{value}</span>
  })

/** An id, a path or another text of machines. */
export const code = <Row,>(
  header: string,
  width: string,
  read: (row: Row) => string | null,
): Column<Row> =>
  column(header, width, (row) => {
    const value = read(row)
    return value === null ? NONE : <code title={value}>{value}</code>
  })

/** How long ago, or in how long. */
export const age = <Row,>(
  header: string,
  read: (row: Row) => string | null,
  width = '6.5rem',
): Column<Row> =>
  atEnd(
    column(header, width, (row) => {
      const at = read(row)
      return at === null ? NONE : <TimeAgo at={at} />
    }),
  )

/** The day and minute, where ages would dance. */
export const day = <Row,>(header: string, read: (row: Row) => string): Column<Row> =>
  atEnd(column(header, '9rem', (row) => <ShortTime at={read(row)} />))

/** The link that opens a row's details: its id goes into the address as `open`. */
export const opens = <Row,>(
  header: string,
  width: string,
  read: (row: Row) => Readonly<{ id: string; name: string }>,
): Column<Row> =>
  column(header, width, (row) => {
    const { id, name } = read(row)
    return <OpenLink id={id}>{name}</OpenLink>
  })

export const OpenLink = ({ id, children }: Readonly<{ id: string; children: ReactNode }>) => (
  <RowLink to="." search={(before) => ({ ...before, open: id })} replace>
    {children}
  </RowLink>
)
