/** The ledger: a record of each job that ended, kept when retention takes the job. */
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { LiveTable } from '../../live/live-table.tsx'
import { useLiveList } from '../../live/use-live-list.ts'
import { useApi } from '../../session/api.ts'
import { type Column, RowLink } from '../../ui/data-table.tsx'
import { Filters, TextFilter } from '../../ui/filters.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Duration, TimeAgo } from '../../ui/time.tsx'
import { messages } from './messages.ts'
import { readBillingSearch } from './search.ts'

const route = getRouteApi('/w/$ws/billing')

const PAGE_ROWS = 100
const EVERY_MS = 5_000

type Record = Schemas['LedgerEntry']

const keyOf = ({ id }: Record): string => id

export const JobRecords = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { app, customer } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const columns = useColumns()
  const list = useLiveList<Record>({
    queryKey: [ws, 'ledger', app, customer],
    read: (cursor, signal) =>
      api.get('/ledger', {
        query: { app, customer_id: customer, cursor, limit: PAGE_ROWS },
        signal,
      }),
    keyOf,
    everyMs: EVERY_MS,
  })
  const set = (name: 'app' | 'customer') => (value: string) =>
    void navigate({
      search: readBillingSearch({ tab: 'jobs', app, customer, [name]: value.trim() }),
      replace: true,
    })
  const isFiltered = app !== undefined || customer !== undefined
  return (
    <>
      <Filters
        onClear={
          isFiltered ? () => void navigate({ search: { tab: 'jobs' }, replace: true }) : null
        }
      >
        <TextFilter label={t.app} value={app ?? ''} onChange={set('app')} />
        <TextFilter label={t.customerId} value={customer ?? ''} onChange={set('customer')} />
      </Filters>
      <LiveTable
        label={t.jobs}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={<EmptyState title={t.noJobs} text={t.noJobsText} />}
      />
    </>
  )
}

const useColumns = (): readonly Column<Record>[] => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  return [
    {
      key: 'outcome',
      header: t.outcome,
      width: '6.5rem',
      cell: ({ outcome }) => <StatusBadge status={outcome} />,
    },
    {
      key: 'action',
      header: t.action,
      width: 'minmax(8rem, 2fr)',
      cell: ({ job_id, app, action }) => (
        <RowLink to="/w/$ws/jobs/$id" params={{ ws, id: job_id }}>
          {app}/{action}
        </RowLink>
      ),
    },
    {
      key: 'customer',
      header: t.customer,
      width: 'minmax(8rem, 1.5fr)',
      isWideOnly: true,
      cell: ({ customer_id }) =>
        customer_id === null ? '–' : <code title={customer_id}>{customer_id}</code>,
    },
    {
      key: 'took',
      header: t.took,
      width: '5rem',
      isEnd: true,
      isWideOnly: true,
      cell: ({ duration_ms }) => <Duration ms={duration_ms} />,
    },
    {
      key: 'when',
      header: t.when,
      width: '6.5rem',
      isEnd: true,
      cell: ({ completed_at }) => <TimeAgo at={completed_at} />,
    },
  ]
}
