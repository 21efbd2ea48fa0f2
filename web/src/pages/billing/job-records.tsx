/** The ledger: a record of each job that ended, which stays after retention deletes the job. */

import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { AppFilter } from '../../kit/app-filter.tsx'
import { age, atEnd, column, ownLine, wide } from '../../kit/columns.tsx'
import { ResourceList } from '../../kit/list.tsx'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { type Column, RowLink } from '../../ui/table/data-table.tsx'
import { Filters, TextFilter } from '../../ui/table/filters.tsx'
import { TargetName } from '../../ui/table/target-name.tsx'
import { Duration } from '../../ui/time.tsx'
import { messages } from './messages.ts'
import { readBillingSearch } from './search.ts'

const route = getRouteApi('/w/$ws/billing')

const EVERY_MS = 5_000

type Entry = Schemas['LedgerEntry']

export const JobRecords = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { app, customer } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
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
        <AppFilter label={t.app} value={app ?? ''} onChange={set('app')} />
        <TextFilter label={t.customerId} value={customer ?? ''} onChange={set('customer')} />
      </Filters>
      <ResourceList<Entry>
        title={t.jobs}
        queryKey={[ws, 'ledger', app, customer]}
        read={({ query, signal }) =>
          api.get('/ledger', { query: { app, customer_id: customer, ...query }, signal })
        }
        keyOf={({ id }) => id}
        everyMs={EVERY_MS}
        columns={useColumns()}
        empty={{ title: t.noJobs, text: t.noJobsText }}
      />
    </>
  )
}

const useColumns = (): readonly Column<Entry>[] => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  return [
    column(t.outcome, '6.5rem', ({ outcome }) => <StatusBadge status={outcome} />),
    ownLine(
      column(t.action, 'minmax(8rem, 2fr)', ({ job_id, app, action }) => (
        <RowLink to="/w/$ws/jobs/$id" params={{ ws, id: job_id }} aria-label={`${app}/${action}`}>
          <TargetName app={app} name={action} />
        </RowLink>
      )),
    ),
    wide(
      column(t.customer, 'minmax(8rem, 1.5fr)', ({ customer_id }) =>
        customer_id === null ? '–' : <code title={customer_id}>{customer_id}</code>,
      ),
    ),
    wide(atEnd(column(t.took, '5rem', ({ duration_ms }) => <Duration ms={duration_ms} />))),
    age(t.when, ({ completed_at }) => completed_at),
  ]
}
