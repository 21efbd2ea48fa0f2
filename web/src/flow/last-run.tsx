/** How the last run of a flow ended, and when it began. */
import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../language/messages.ts'
import { lessOften } from '../live/read-interval.ts'
import { useApi, useWorkspace } from '../session/api.ts'
import { StatusBadge } from '../ui/status-badge.tsx'
import { TimeAgo } from '../ui/time.tsx'
import styles from './last-run.module.css'
import { messages } from './messages.ts'

const LAST_RUN_MS = 5_000

export const LastRun = ({ app, flow }: Readonly<{ app: string; flow: string }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { data } = useQuery({
    queryKey: [ws, 'last-run', app, flow],
    queryFn: ({ signal }) => api.get('/flow-runs', { query: { app, flow, limit: 1 }, signal }),
    refetchInterval: lessOften(LAST_RUN_MS),
  })
  const [run] = data?.items ?? []
  if (data === undefined) return null
  if (run === undefined) return <span className="quiet">{t.neverRan}</span>
  return (
    <span className={styles.last}>
      <StatusBadge status={run.status} />
      <span className="quiet">
        <TimeAgo at={run.created_at} />
      </span>
    </span>
  )
}
