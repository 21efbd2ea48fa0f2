import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { AuditList } from '../../audit/audit-list.tsx'
import { useMessages } from '../../language/messages.ts'
import { lessOften } from '../../live/read-interval.ts'
import { useApi } from '../../session/api.ts'
import { ErrorState, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { reachableScroller } from '../../ui/reachable-scroller.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { WorkerTables } from '../../workers/worker-tables.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { type InstanceTab, readInstanceSearch, TABS } from './search.ts'
import { UserList } from './user-list.tsx'
import { WorkspaceList } from './workspace-list.tsx'

const route = getRouteApi('/w/$ws/instance')

const CONTENT: Readonly<Record<InstanceTab, () => React.JSX.Element>> = {
  workspaces: () => <WorkspaceList />,
  users: () => <UserList />,
  workers: () => <Workers />,
  audit: () => <Audit />,
}

export const InstancePage = () => {
  const t = useMessages(messages)
  const { tab = 'workspaces' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Page title={t.instance} about={t.about} isFilled>
      <Tabs
        isFilled
        label={t.parts}
        open={tab}
        onOpen={(next) =>
          void navigate({ search: readInstanceSearch({ tab: next }), replace: true })
        }
        items={TABS.map((name) => ({ name, label: t[name], content: CONTENT[name]() }))}
      />
    </Page>
  )
}

const EVERY_MS = 2_000

const Workers = () => {
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'workers'],
    queryFn: ({ signal }) => api.get('/api/admin/workers', { signal }),
    refetchInterval: lessOften(EVERY_MS),
  })
  if (data !== undefined) {
    return (
      <div className={styles.scrolls} ref={reachableScroller}>
        <WorkerTables found={data} />
      </div>
    )
  }
  return error === null ? <Loading /> : <ErrorState error={error} onRetry={refetch} />
}

const Audit = () => {
  const { actor, action, span } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const { tab: _, ...filters } = readInstanceSearch({ tab: 'audit', actor, action, span })
  return (
    <AuditList
      queryKey={['admin', 'audit']}
      read={(query, signal) => api.get('/api/admin/audit', { query, signal })}
      filters={filters}
      ws={null}
      onFilter={(next) => void navigate({ search: { tab: 'audit', ...next }, replace: true })}
    />
  )
}
