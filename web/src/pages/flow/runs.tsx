/** The runs of one flow, live. */
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { LiveTable } from '../../live/live-table.tsx'
import { useLiveList } from '../../live/use-live-list.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { EmptyState } from '../../ui/notice.tsx'
import { useFlowRunColumns } from '../flow-runs/columns.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const PAGE_ROWS = 100

const isLive = ({ completed_at }: Schemas['FlowRun']): boolean => completed_at === null
const keyOf = ({ id }: Schemas['FlowRun']): string => id

export const Runs = ({ app, flow }: Readonly<{ app: string; flow: string }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const columns = useFlowRunColumns()
  const list = useLiveList<Schemas['FlowRun']>({
    queryKey: [ws, 'flow-runs', { app, flow }],
    read: (cursor, signal) =>
      api.get('/flow-runs', { query: { app, flow, cursor, limit: PAGE_ROWS }, signal }),
    keyOf,
    isLive,
  })
  return (
    <div className={styles.runs}>
      <LiveTable
        label={t.runs}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={
          <EmptyState
            title={t.noRuns}
            text={t.noRunsText}
            command={`svc flows run ${app}/${flow} --input '{}'`}
          />
        }
      />
    </div>
  )
}
