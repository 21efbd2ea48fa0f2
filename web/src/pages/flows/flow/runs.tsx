/** The runs of one flow, live. */

import type { Schemas } from '#sdk/client.ts'
import { ResourceList } from '../../../kit/list.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useFlowRunColumns } from '../runs/columns.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const EVERY_MS = 2_000

export const Runs = ({ app, flow }: Readonly<{ app: string; flow: string }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  return (
    <div className={styles.runs}>
      <ResourceList<Schemas['FlowRun']>
        title={t.runs}
        queryKey={[ws, 'flow-runs', { app, flow }]}
        read={({ query, signal }) =>
          api.get('/flow-runs', { query: { app, flow, ...query }, signal })
        }
        keyOf={({ id }) => id}
        isLive={({ completed_at }) => completed_at === null}
        everyMs={EVERY_MS}
        columns={useFlowRunColumns()}
        empty={{
          title: t.noRuns,
          text: t.noRunsText,
          command: `svc flows run ${app}/${flow} --input '{}'`,
        }}
      />
    </div>
  )
}
