/** The first of many rows. More follow on request, and a filter finds the others by name. */
import { type ReactNode, useState } from 'react'
import { useFormat } from '../../language/format.ts'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { Button } from '../button.tsx'
import { Filters, TextFilter } from './filters.tsx'

/** A browser needs a second to draw 1,000 rows of links and buttons. */
const AT_ONCE = 100

const messages = defineMessages({
  noMatch: { en: 'Nothing matches the filter.', ko: '필터에 맞는 항목이 없습니다.' },
})

export type LongRows<Row> = Readonly<{
  shown: readonly Row[]
  /** Null if all rows are drawn anyway. */
  filter: ReactNode
  /** A button for more rows, or why there are none. */
  foot: ReactNode
}>

/**
 * @param label of the filter: what the names are
 * @param nameOf leave it out if rows have no name to look for
 */
export const useLongRows = <Row,>(
  rows: readonly Row[],
  label: string,
  nameOf?: (row: Row) => string,
): LongRows<Row> => {
  const t = useMessages(messages)
  const { number } = useFormat()
  const [wanted, setWanted] = useState('')
  const [most, setMost] = useState(AT_ONCE)
  const isLong = rows.length > AT_ONCE
  const part = wanted.trim().toLowerCase()
  const found =
    isLong && nameOf !== undefined
      ? rows.filter((row) => nameOf(row).toLowerCase().includes(part))
      : rows
  const rest = found.length - most
  return {
    shown: found.slice(0, most),
    filter:
      isLong && nameOf !== undefined ? (
        <Filters onClear={wanted === '' ? null : () => setWanted('')}>
          <TextFilter label={label} value={wanted} onChange={setWanted} />
        </Filters>
      ) : null,
    foot:
      rest > 0 ? (
        <Button onClick={() => setMost(most + AT_ONCE)}>
          {t.more} ({number(rest)})
        </Button>
      ) : isLong && found.length === 0 ? (
        <p className="quiet">{t.noMatch}</p>
      ) : null,
  }
}
