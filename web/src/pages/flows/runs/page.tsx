import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { ResourcePage } from '../../../kit/list.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi } from '../../../session/api.ts'
import { useFlowRunColumns } from './columns.tsx'
import { FlowRunFilterRow } from './filter-row.tsx'
import { messages } from './messages.ts'
import { toFlowRunQuery } from './search.ts'

const route = getRouteApi('/w/$ws/flow-runs')

const EVERY_MS = 2_000

export const FlowRunsPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const none = {
    title: t.none,
    text: t.noneText,
    command: `svc flows run hello/welcome --input '{"name":"Ada"}'`,
  }
  return (
    <ResourcePage<Schemas['FlowRun']>
      title={t.flowRuns}
      queryKey={[ws, 'flow-runs', filters]}
      read={({ query, signal }) =>
        api.get('/flow-runs', {
          query: { ...toFlowRunQuery(filters, Date.now()), ...query },
          signal,
        })
      }
      keyOf={({ id }) => id}
      isLive={({ completed_at }) => completed_at === null}
      everyMs={EVERY_MS}
      columns={useFlowRunColumns()}
      empty={Object.keys(filters).length > 0 ? { title: t.noMatch, text: t.noMatchText } : none}
    >
      <FlowRunFilterRow
        filters={filters}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
    </ResourcePage>
  )
}
