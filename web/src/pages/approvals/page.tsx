/** The inbox of approvals: what waits, for whom, until when, and the form to answer. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { lessOften } from '../../live/read-interval.ts'
import { useApi } from '../../session/api.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Filters, SelectFilter } from '../../ui/table/filters.tsx'
import { ApprovalCard } from './approval-card.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const route = getRouteApi('/w/$ws/approvals')

const EVERY_MS = 4_000
const PAGE_ROWS = 30

/** Reads all pages again, so that approvals answered elsewhere disappear. */
const useWaiting = (ws: string, isAll: boolean) => {
  const api = useApi()
  const query = useInfiniteQuery({
    queryKey: [ws, 'approvals', isAll],
    queryFn: ({ pageParam, signal }) =>
      api.get('/approvals', {
        query: { mine: isAll ? 'false' : 'true', limit: PAGE_ROWS, cursor: pageParam },
        signal,
      }),
    initialPageParam: first(),
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    refetchInterval: lessOften(EVERY_MS),
  })
  return { ...query, rows: query.data?.pages.flatMap(({ items }) => items) }
}

/** The run of the only approval, which is open at once. It stays open when others arrive, because a person may be typing in it. */
const useOnly = (rows: readonly Schemas['WaitingApproval'][] | undefined): string | undefined => {
  const [kept, setKept] = useState<string>()
  const ids = rows?.map(({ flow_run_id }) => flow_run_id) ?? []
  const only =
    kept !== undefined && ids.includes(kept) ? kept : ids.length === 1 ? ids[0] : undefined
  if (only !== kept) setKept(only)
  return only
}

/** The first page has no cursor. */
const first = (): string | undefined => undefined

export const ApprovalsPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { all: isAll = false, run } = route.useSearch()
  const navigate = route.useNavigate()
  const { rows, error, refetch, hasNextPage, fetchNextPage } = useWaiting(ws, isAll)
  const only = useOnly(rows)
  return (
    <Page
      title={t.approvals}
      actions={
        <Filters onClear={null}>
          <SelectFilter
            label={t.whose}
            value={isAll ? 'all' : 'mine'}
            onChange={(next) =>
              void navigate({ search: next === 'all' ? { all: true } : {}, replace: true })
            }
            options={[
              { value: 'mine', label: t.mine },
              { value: 'all', label: t.all },
            ]}
          />
        </Filters>
      }
    >
      {rows === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={refetch} />
        )
      ) : rows.length === 0 ? (
        isAll ? (
          <EmptyState
            title={t.noneAtAll}
            text={t.noneAtAllText}
            command="- { key: decide, kind: approval }"
          />
        ) : (
          <NothingToApprove
            onShowAll={() => void navigate({ search: { all: true }, replace: true })}
          />
        )
      ) : (
        <ul className={styles.cards} aria-label={t.list}>
          {rows.map((row) => (
            <li key={`${row.flow_run_id} ${row.step}`}>
              <ApprovalCard
                approval={row}
                isOpen={row.flow_run_id === (run ?? only)}
                onOpen={() =>
                  void navigate({
                    search: (kept) => ({ ...kept, run: row.flow_run_id }),
                    replace: true,
                    resetScroll: false,
                  })
                }
              />
            </li>
          ))}
        </ul>
      )}
      {hasNextPage ? (
        <p>
          <Button onClick={() => void fetchNextPage()}>{t.more}</Button>
        </p>
      ) : null}
    </Page>
  )
}

/** Runs that wait for other people are counted, because a person who waits for one looks for it here. */
const NothingToApprove = ({ onShowAll }: Readonly<{ onShowAll: () => void }>) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  const { data: others } = useQuery({
    queryKey: [ws, 'approvals', 'others'],
    queryFn: ({ signal }) =>
      api.get('/approvals', { query: { mine: 'false', limit: PAGE_ROWS }, signal }),
    refetchInterval: lessOften(EVERY_MS),
  })
  const count = others?.items.length ?? 0
  const hasMore = (others?.pagination.next_cursor ?? null) !== null
  return (
    <EmptyState title={t.none} text={count === 0 ? t.noneText : t.othersWait(count, hasMore)}>
      <Button onClick={onShowAll}>{t.showAll}</Button>
    </EmptyState>
  )
}
