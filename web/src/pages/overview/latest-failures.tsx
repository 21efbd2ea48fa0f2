import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isTrialApp } from '../../draft/trial.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { Card } from '../../ui/facts.tsx'
import { ErrorState } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const EVERY_MS = 5_000
const MOST = 6
/** More than are shown, because trials of drafts are filtered out. */
const READ = 20

export const LatestFailures = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'latest-failures'],
    queryFn: ({ signal }) =>
      api.get('/jobs', { query: { status: 'failure', dismissed: 'false', limit: READ }, signal }),
    refetchInterval: EVERY_MS,
  })
  const failures = data?.items.filter(({ app }) => !isTrialApp(app)).slice(0, MOST)
  return (
    <Card
      title={t.failures}
      actions={
        <Link to="/w/$ws/jobs" params={{ ws }} search={{ status: 'failure', dismissed: 'no' }}>
          {t.allFailures}
        </Link>
      }
    >
      {failures === undefined ? (
        error === null ? null : (
          <ErrorState error={error} onRetry={refetch} />
        )
      ) : failures.length === 0 ? (
        <p className="quiet">{t.noFailures}</p>
      ) : (
        <ul className={styles.rows}>
          {failures.map(({ id, app, action, completed_at, created_at }) => (
            <li key={id}>
              <Link to="/w/$ws/jobs/$id" params={{ ws, id }}>
                {app}/{action}
              </Link>
              <TimeAgo at={completed_at ?? created_at} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
