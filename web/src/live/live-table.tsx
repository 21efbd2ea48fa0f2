/** An infinite live list as a table, with a state for an empty list. */
import type { ReactNode } from 'react'
import { defineMessages, useMessages } from '../language/messages.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState, Loading } from '../ui/notice.tsx'
import { type Column, DataTable } from '../ui/table/data-table.tsx'
import type { LiveList } from './use-live-list.ts'

const messages = defineMessages({
  more: { en: 'Loading more …', ko: '더 불러오는 중 …' },
  notMore: { en: 'Could not load more.', ko: '더 불러오지 못했습니다.' },
  end: { en: 'End of list', ko: '마지막 항목입니다' },
  waiting: { en: (n: number) => `${n} new`, ko: (n: number) => `새 항목 ${n}개` },
})

const MOST_SEEN = 20

export type LiveTableProps<Row> = Readonly<{
  label: string
  columns: readonly Column<Row>[]
  list: LiveList<Row>
  keyOf: (row: Row) => string
  /** Usually an EmptyState that explains the next step. */
  empty: ReactNode
}>

export const LiveTable = <Row,>({ label, columns, list, keyOf, empty }: LiveTableProps<Row>) => {
  const t = useMessages(messages)
  if (list.isPending) return <Loading />
  if (list.rows.length === 0) {
    if (list.error !== null) return <ErrorState error={list.error} onRetry={list.retry} />
    return list.isComplete ? empty : <Loading />
  }
  // a list that is visible as a whole needs no mark at its end
  const end = list.isComplete && list.rows.length > MOST_SEEN ? t.end : null
  const { loadMore, hasFailedMore } = list
  const retry =
    hasFailedMore && loadMore !== null ? (
      <>
        {t.notMore} <Button onClick={loadMore}>{t.retry}</Button>
      </>
    ) : null
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={list.rows}
      keyOf={keyOf}
      // after a failure, the next attempt is the reader's
      {...(loadMore === null || hasFailedMore ? {} : { onNearEnd: loadMore })}
      isComplete={list.isComplete}
      outdated={list.isOutdated ? t.loading : null}
      onAtTop={list.onAtTop}
      news={list.waiting === 0 ? null : { label: t.waiting(list.waiting), show: list.showWaiting }}
      foot={list.isLoadingMore ? t.more : (retry ?? end)}
    />
  )
}
