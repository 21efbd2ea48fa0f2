import { getRouteApi } from '@tanstack/react-router'
import { X } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { serverNow } from '../../../browser/server-clock.ts'
import styles from '../../../bulk/bulk.module.css'
import { bulkMessages } from '../../../bulk/messages.ts'
import { ResourcePage } from '../../../kit/list.tsx'
import { type Selection, useSelection } from '../../../kit/selection.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { IconButton } from '../../../ui/button.tsx'
import type { EmptyStateProps } from '../../../ui/notice.tsx'
import { DismissRunButtons } from '../dismiss.tsx'
import { BulkRunButtons } from './bulk.tsx'
import { useFlowRunColumns } from './columns.tsx'
import { FlowRunFilterRow } from './filter-row.tsx'
import { messages } from './messages.ts'
import { type FlowRunFilters, isOfEnded, toFlowRunQuery } from './search.ts'
import { FlowRunViews } from './views.tsx'

const route = getRouteApi('/w/$ws/flow-runs')

const EVERY_MS = 2_000
/** The maximum number of ids in one request. */
const MOST_SELECTED = 1_000

type SelectedRunsProps = Readonly<{ selection: Selection<Schemas['FlowRun']> }>

/** The actions on the selected runs: ended ones are replayed, open ones canceled, failed ones dismissed. */
const SelectedRuns = ({ selection: { rows, clear } }: SelectedRunsProps) => {
  const t = useMessages(bulkMessages)
  return (
    <>
      <span role="status" className={styles.count}>
        {t.selected(rows.length)}
      </span>
      <BulkRunButtons runs={rows} onDone={clear} />
      <DismissRunButtons runs={rows} onDone={clear} />
      <IconButton label={t.unselect} icon={<X size={16} />} onClick={clear} />
    </>
  )
}

const useEmpty = (filters: FlowRunFilters): EmptyStateProps => {
  const t = useMessages(messages)
  const { status, dismissed, ...others } = filters
  if (status === 'failed' && dismissed === 'no' && Object.keys(others).length === 0) {
    return { title: t.noneFailed, text: t.noneFailedText }
  }
  if (Object.keys(filters).length > 0) return { title: t.noMatch, text: t.noMatchText }
  const command = `svc flows run hello/welcome --input '{"name":"Ada"}'`
  return { title: t.none, text: t.noneText, command }
}

export const FlowRunsPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const columns = useFlowRunColumns(isOfEnded(filters.status))
  const mayRun = useMay()('flows:run')
  const selection = useSelection<Schemas['FlowRun']>({
    list: JSON.stringify([ws, filters]),
    keyOf: ({ id }) => id,
    nameOf: ({ app, flow }) => `${app}/${flow}`,
    most: MOST_SELECTED,
  })
  return (
    <ResourcePage<Schemas['FlowRun']>
      title={t.flowRuns}
      actions={selection.rows.length > 0 ? <SelectedRuns selection={selection} /> : null}
      queryKey={[ws, 'flow-runs', filters]}
      read={({ query, signal }) =>
        api.get('/flow-runs', {
          query: { ...toFlowRunQuery(filters, serverNow()), ...query },
          signal,
        })
      }
      keyOf={({ id }) => id}
      isLive={({ completed_at }) => completed_at === null}
      everyMs={EVERY_MS}
      columns={mayRun ? [selection.column, ...columns] : columns}
      empty={useEmpty(filters)}
    >
      <FlowRunViews />
      <FlowRunFilterRow
        filters={filters}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
    </ResourcePage>
  )
}
