/** All flows of the deployed apps. */

import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '#sdk/client.ts'
import { readDefinition } from '../../../flow/definition.ts'
import { isOnFailure } from '../../../flow/step-kinds.ts'
import { column, wide } from '../../../kit/columns.tsx'
import { ResourcePage } from '../../../kit/list.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { CommitId } from '../../../ui/commit-id.tsx'
import { type Column, RowLink } from '../../../ui/data-table.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const LAST_RUN_MS = 5_000
type Flow = Schemas['Flow']
const keyOf = ({ app, key }: Flow): string => `${app}/${key}`

export const FlowsPage = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  return (
    <ResourcePage<Flow>
      title={t.flows}
      queryKey={[ws, 'flows']}
      read={(page) => api.get('/flows', page)}
      keyOf={keyOf}
      columns={useColumns()}
      empty={{
        title: t.none,
        text: t.noneText,
        command: 'svc init my-flows --template flow && cd my-flows && svc deploy',
      }}
    />
  )
}

const useColumns = (): readonly Column<Flow>[] => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  return [
    column(t.flow, 'minmax(8rem, 2fr)', (flow) => (
      <RowLink to="/w/$ws/flows/$app/$flow" params={{ ws, app: flow.app, flow: flow.key }}>
        {keyOf(flow)}
      </RowLink>
    )),
    wide(
      column(t.steps, 'minmax(6rem, 1fr)', ({ definition, has_approval }) => (
        <>
          {t.stepCount(
            readDefinition(definition).steps.filter(({ kind }) => !isOnFailure(kind)).length,
          )}
          {has_approval ? <span className="quiet"> · {t.approval}</span> : null}
        </>
      )),
    ),
    column(t.lastRun, 'minmax(8rem, 18rem)', ({ app, key }) => <LastRun app={app} flow={key} />),
    wide(column(t.commit, '8rem', ({ commit }) => <CommitId commit={commit} />)),
  ]
}

const LastRun = ({ app, flow }: Readonly<{ app: string; flow: string }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { data } = useQuery({
    queryKey: [ws, 'last-run', app, flow],
    queryFn: ({ signal }) => api.get('/flow-runs', { query: { app, flow, limit: 1 }, signal }),
    refetchInterval: LAST_RUN_MS,
  })
  const [run] = data?.items ?? []
  if (data === undefined) return null
  if (run === undefined) return <span className="quiet">{t.never}</span>
  return (
    <span className={styles.last}>
      <StatusBadge status={run.status} />
      <span className="quiet">
        <TimeAgo at={run.created_at} />
      </span>
    </span>
  )
}
