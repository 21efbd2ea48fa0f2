import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { ResourcePage } from '../../../kit/list.tsx'
import { useSelection } from '../../../kit/selection.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import type { EmptyStateProps } from '../../../ui/notice.tsx'
import { JobViews } from '../views.tsx'
import { BulkButtons, SelectedButtons } from './bulk.tsx'
import { isLiveJob, useJobColumns } from './columns.tsx'
import { JobFilterRow } from './filter-row.tsx'
import { messages } from './messages.ts'
import { type JobFilters, toJobQuery } from './search.ts'

const route = getRouteApi('/w/$ws/jobs')

const EVERY_MS = 2_000
/** As many ids as an operation on many jobs takes. */
const MOST_SELECTED = 1_000

const useEmpty = (filters: JobFilters): EmptyStateProps => {
  const t = useMessages(messages)
  const { status, dismissed, ...others } = filters
  if (status === 'failure' && dismissed === 'no' && Object.keys(others).length === 0) {
    return { title: t.noneFailed, text: t.noneFailedText }
  }
  if (Object.keys(filters).length > 0) return { title: t.noMatch, text: t.noMatchText }
  const command = `svc run hello/greet --input '{"name":"Ada"}' --wait`
  return { title: t.none, text: t.noneText, command }
}

export const JobsPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const columns = useJobColumns()
  const mayRun = useMay()('jobs:run')
  const selection = useSelection<Schemas['Job']>({
    list: JSON.stringify([ws, filters]),
    keyOf: ({ id }) => id,
    nameOf: ({ app, action }) => `${app}/${action}`,
    most: MOST_SELECTED,
  })
  const isSelecting = selection.isAll || selection.rows.length > 0
  return (
    <ResourcePage<Schemas['Job']>
      title={t.jobs}
      actions={
        isSelecting ? (
          <SelectedButtons filters={filters} selection={selection} />
        ) : (
          <BulkButtons filters={filters} />
        )
      }
      queryKey={[ws, 'jobs', filters]}
      read={({ query, signal }) =>
        api.get('/jobs', { query: { ...toJobQuery(filters, Date.now()), ...query }, signal })
      }
      keyOf={({ id }) => id}
      isLive={isLiveJob}
      everyMs={EVERY_MS}
      columns={mayRun ? [selection.column, ...columns] : columns}
      empty={useEmpty(filters)}
    >
      <JobViews />
      <JobFilterRow
        filters={filters}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
    </ResourcePage>
  )
}
