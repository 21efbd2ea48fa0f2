import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { ResourcePage } from '../../../kit/list.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi } from '../../../session/api.ts'
import { BulkButtons } from './bulk.tsx'
import { isLiveJob, useJobColumns } from './columns.tsx'
import { JobFilterRow } from './filter-row.tsx'
import { messages } from './messages.ts'
import { toJobQuery } from './search.ts'

const route = getRouteApi('/w/$ws/jobs')

const EVERY_MS = 2_000

export const JobsPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const none = {
    title: t.none,
    text: t.noneText,
    command: `svc run hello/greet --input '{"name":"Ada"}' --wait`,
  }
  return (
    <ResourcePage<Schemas['Job']>
      title={t.jobs}
      actions={<BulkButtons filters={filters} />}
      queryKey={[ws, 'jobs', filters]}
      read={({ query, signal }) =>
        api.get('/jobs', { query: { ...toJobQuery(filters, Date.now()), ...query }, signal })
      }
      keyOf={({ id }) => id}
      isLive={isLiveJob}
      everyMs={EVERY_MS}
      columns={useJobColumns()}
      empty={Object.keys(filters).length > 0 ? { title: t.noMatch, text: t.noMatchText } : none}
    >
      <JobFilterRow
        filters={filters}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
    </ResourcePage>
  )
}
