import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { LiveTable } from '../../live/live-table.tsx'
import { useLiveList } from '../../live/use-live-list.ts'
import { useApi } from '../../session/api.ts'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { useJobColumns } from './columns.tsx'
import { JobFilterRow } from './filter-row.tsx'
import { messages } from './messages.ts'
import { toJobQuery } from './search.ts'

const route = getRouteApi('/w/$ws/jobs')

const PAGE_ROWS = 100

const isLive = ({ status }: Schemas['Job']): boolean => status === 'queued' || status === 'running'
const keyOf = ({ id }: Schemas['Job']): string => id

export const JobsPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const columns = useJobColumns()
  const list = useLiveList<Schemas['Job']>({
    queryKey: [ws, 'jobs', filters],
    read: (cursor, signal) =>
      api.get('/jobs', {
        query: { ...toJobQuery(filters, Date.now()), cursor, limit: PAGE_ROWS },
        signal,
      }),
    keyOf,
    isLive,
  })
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Page title={t.title} isFilled>
      <JobFilterRow
        filters={filters}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
      <LiveTable
        label={t.title}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={isFiltered ? <EmptyState title={t.noMatch} text={t.noMatchText} /> : <NoJobs />}
      />
    </Page>
  )
}

const NoJobs = () => {
  const t = useMessages(messages)
  return (
    <EmptyState
      title={t.none}
      text={t.noneText}
      command={`svc run hello/greet --input '{"name":"Ada"}' --wait`}
    />
  )
}
