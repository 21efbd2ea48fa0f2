/** All flows of the deployed apps. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { readDefinition } from '../../flow/definition.ts'
import { useMessages } from '../../language/messages.ts'
import { LiveTable } from '../../live/live-table.tsx'
import { useLiveList } from '../../live/use-live-list.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { type Column, RowLink } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const route = getRouteApi('/w/$ws/flows')

const PAGE_ROWS = 100
/** They change with deployments alone. */
const EVERY_MS = 10_000
const LAST_RUN_MS = 5_000
const SHORT_COMMIT = 12

type Flow = Schemas['Flow']
const keyOf = ({ app, key }: Flow): string => `${app}/${key}`

export const FlowsPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  const columns = useColumns()
  const list = useLiveList<Flow>({
    queryKey: [ws, 'flows'],
    read: (cursor, signal) => api.get('/flows', { query: { cursor, limit: PAGE_ROWS }, signal }),
    keyOf,
    everyMs: EVERY_MS,
  })
  return (
    <Page title={t.title} isFilled>
      <LiveTable
        label={t.title}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={<EmptyState title={t.none} text={t.noneText} command="svc deploy" />}
      />
    </Page>
  )
}

const useColumns = (): readonly Column<Flow>[] => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  return [
    {
      key: 'flow',
      header: t.flow,
      width: 'minmax(8rem, 2fr)',
      cell: (flow) => (
        <RowLink to="/w/$ws/flows/$app/$flow" params={{ ws, app: flow.app, flow: flow.key }}>
          {keyOf(flow)}
        </RowLink>
      ),
    },
    {
      key: 'steps',
      header: t.steps,
      width: 'minmax(6rem, 1fr)',
      isWideOnly: true,
      cell: ({ definition, has_approval }) => (
        <>
          {t.stepCount(
            readDefinition(definition).steps.filter(({ kind }) => kind !== 'failure_module').length,
          )}
          {has_approval ? <span className={styles.quiet}> · {t.approval}</span> : null}
        </>
      ),
    },
    {
      key: 'last',
      header: t.lastRun,
      width: '13rem',
      cell: ({ app, key }) => <LastRun app={app} flow={key} />,
    },
    {
      key: 'commit',
      header: t.commit,
      width: '8rem',
      isWideOnly: true,
      cell: ({ commit }) => <code title={commit}>{commit.slice(0, SHORT_COMMIT)}</code>,
    },
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
  if (run === undefined) return <span className={styles.quiet}>{t.never}</span>
  return (
    <span className={styles.last}>
      <StatusBadge status={run.status} />
      <span className={styles.quiet}>
        <TimeAgo at={run.created_at} />
      </span>
    </span>
  )
}
