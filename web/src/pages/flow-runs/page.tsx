import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { LiveTable } from '../../live/live-table.tsx'
import { useLiveList } from '../../live/use-live-list.ts'
import { useApi } from '../../session/api.ts'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { useFlowRunColumns } from './columns.tsx'
import { FlowRunFilterRow } from './filter-row.tsx'
import { messages } from './messages.ts'
import { toFlowRunQuery } from './search.ts'

const route = getRouteApi('/w/$ws/flow-runs')

const PAGE_ROWS = 100

const isLive = ({ completed_at }: Schemas['FlowRun']): boolean => completed_at === null
const keyOf = ({ id }: Schemas['FlowRun']): string => id

export const FlowRunsPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const columns = useFlowRunColumns()
  const list = useLiveList<Schemas['FlowRun']>({
    queryKey: [ws, 'flow-runs', filters],
    read: (cursor, signal) =>
      api.get('/flow-runs', {
        query: { ...toFlowRunQuery(filters, Date.now()), cursor, limit: PAGE_ROWS },
        signal,
      }),
    keyOf,
    isLive,
  })
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Page title={t.title} isFilled>
      <FlowRunFilterRow
        filters={filters}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
      <LiveTable
        label={t.title}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={
          isFiltered ? (
            <EmptyState title={t.noMatch} text={t.noMatchText} />
          ) : (
            <EmptyState
              title={t.none}
              text={t.noneText}
              command={`svc flows run hello/welcome --input '{"name":"Ada"}'`}
            />
          )
        }
      />
    </Page>
  )
}
