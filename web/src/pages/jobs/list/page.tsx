import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { serverNow } from '../../../browser/server-clock.ts'
import { type PageRequest, ResourcePage } from '../../../kit/list.tsx'
import { useSelection } from '../../../kit/selection.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import type { EmptyStateProps } from '../../../ui/notice.tsx'
import { JobViews } from '../views.tsx'
import { BulkButtons, SelectedButtons } from './bulk.tsx'
import { JobFilterRow } from './filter-row.tsx'
import { messages } from './messages.ts'
import { useJobRowColumns } from './row-columns.tsx'
import { isLiveRow, type JobRow, ofFolded, ofJob, rowsBelow } from './rows.ts'
import { isFolded, type JobFilters, toFoldedQuery, toJobQuery } from './search.ts'
import { useRunJobs } from './use-run-jobs.ts'

const route = getRouteApi('/w/$ws/jobs')

const EVERY_MS = 2_000
/** The maximum number of ids in a bulk operation. */
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

/** Reads a page of jobs, or of jobs and flow runs. */
const useRead = (filters: JobFilters) => {
  const api = useApi()
  return async ({ query, signal }: PageRequest) => {
    const now = serverNow()
    if (!isFolded(filters)) {
      const page = await api.get('/jobs', {
        query: { ...toJobQuery(filters, now), ...query },
        signal,
      })
      return { ...page, items: page.items.map(ofJob) }
    }
    const page = await api.get('/jobs/folded', {
      query: { ...toFoldedQuery(filters, now), ...query },
      signal,
    })
    return { ...page, items: page.items.flatMap(ofFolded) }
  }
}

const useOpenRuns = () => {
  const [ids, setIds] = useState<readonly string[]>([])
  return {
    ids,
    toggle: (id: string, isOpen: boolean): void =>
      setIds((open) => [...open.filter((each) => each !== id), ...(isOpen ? [id] : [])]),
  }
}

export const JobsPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const runs = useOpenRuns()
  const opened = useRunJobs(runs.ids)
  const read = useRead(filters)
  const columns = useJobRowColumns(isFolded(filters), runs)
  const mayRun = useMay()('jobs:run')
  const selection = useSelection<JobRow>({
    list: JSON.stringify([ws, filters]),
    keyOf: ({ id }) => id,
    nameOf: (row) => (row.kind === 'job' ? `${row.job.app}/${row.job.action}` : ''),
    // jobs of a flow are replayed and canceled with their run
    canSelect: (row) => row.kind === 'job' && !row.isBelow,
    most: MOST_SELECTED,
  })
  const isSelecting = selection.isAll || selection.rows.length > 0
  return (
    <ResourcePage<JobRow>
      title={t.jobs}
      actions={
        isSelecting ? (
          <SelectedButtons filters={filters} selection={selection} />
        ) : (
          <BulkButtons filters={filters} />
        )
      }
      queryKey={[ws, 'jobs', filters]}
      read={read}
      keyOf={({ id }) => id}
      isLive={isLiveRow}
      everyMs={EVERY_MS}
      below={(row) => rowsBelow(row, opened)}
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
