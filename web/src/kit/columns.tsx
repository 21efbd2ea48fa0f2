/** Columns that most lists have. Each is one line in the list. */
import type { ReactNode } from 'react'
import { type Column, RowLink } from '../ui/table/data-table.tsx'
import { ShortTime, TimeAgo } from '../ui/time.tsx'

/** Shown if there is no value. */
const NONE = '–'

export const column = <Row,>(
  header: string,
  width: string,
  cell: (row: Row) => ReactNode,
): Column<Row> => ({ header, width, cell })

/** Hides the column in a narrow window. */
export const wide = <Row,>(shown: Column<Row>): Column<Row> => ({ ...shown, isWideOnly: true })

/** Gives the column a line of its own in a narrow window, for long names. */
export const ownLine = <Row,>(shown: Column<Row>): Column<Row> => ({ ...shown, isOwnLine: true })

/** Aligns the column at its end, as for numbers and times. */
export const atEnd = <Row,>(shown: Column<Row>): Column<Row> => ({ ...shown, isEnd: true })

/** Text that may be longer than its column. The tooltip shows all of it. */
export const text = <Row,>(
  header: string,
  width: string,
  read: (row: Row) => string | null,
): Column<Row> =>
  column(header, width, (row) => {
    const value = read(row)
    return value === null ? NONE : <span title={value}>{value}</span>
  })

/** An id, a path or other technical text. */
export const code = <Row,>(
  header: string,
  width: string,
  read: (row: Row) => string | null,
): Column<Row> =>
  column(header, width, (row) => {
    const value = read(row)
    return value === null ? NONE : <code title={value}>{value}</code>
  })

/**
 * A column of ages. Beyond a week an age is a date, which takes more room than `5 min. ago`. In a narrow window the date wraps, so
 * that the names keep their room.
 */
export const aged = <Row,>(header: string, cell: (row: Row) => ReactNode): Column<Row> => ({
  ...column(header, 'minmax(6.5rem, 10.5rem)', cell),
  narrowWidth: '6.5rem',
})

/** The time since or until a moment. */
export const age = <Row,>(header: string, read: (row: Row) => string | null): Column<Row> =>
  atEnd(
    aged(header, (row) => {
      const at = read(row)
      return at === null ? NONE : <TimeAgo at={at} />
    }),
  )

/** Day and minute, for lists in which relative times would change too often. */
export const day = <Row,>(header: string, read: (row: Row) => string): Column<Row> =>
  atEnd(column(header, '11rem', (row) => <ShortTime at={read(row)} />))

/** The link that opens a row's details, by putting its id into the address as `open`. */
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
  <RowLink
    to="."
    search={(before) => ({ ...before, open: id })}
    state={{ isOpenedInList: true }}
    resetScroll={false}
  >
    {children}
  </RowLink>
)
