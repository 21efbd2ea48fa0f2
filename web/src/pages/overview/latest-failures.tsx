/** What failed lately: each action once, with the error of its newest failure. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isTrialApp } from '../../draft/trial.ts'
import { RowError } from '../../kit/row-error.tsx'
import { useMessages } from '../../language/messages.ts'
import { lessOften } from '../../live/read-interval.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { Card } from '../../ui/facts.tsx'
import { ErrorState } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { type FailureGroup, failureGroups } from './failure-groups.ts'
import { messages } from './messages.ts'
import styles from './page.module.css'

const EVERY_MS = 5_000
/** Groups shown. */
const MOST = 6
/** Failures that are counted. */
const READ = 50

const UNDISMISSED = { status: 'failure', dismissed: 'no' } as const

export const LatestFailures = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'latest-failures'],
    queryFn: ({ signal }) =>
      api.get('/jobs', { query: { status: 'failure', dismissed: 'false', limit: READ }, signal }),
    refetchInterval: lessOften(EVERY_MS),
  })
  const failures = data?.items.filter(({ app }) => !isTrialApp(app))
  const hasMore = data?.pagination.next_cursor !== null
  return (
    <Card
      title={t.failures}
      actions={
        <Link to="/w/$ws/jobs" params={{ ws }} search={UNDISMISSED}>
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
          {failureGroups(failures)
            .slice(0, MOST)
            .map((group) => (
              <Failed
                key={`${group.latest.app}/${group.latest.action}`}
                group={group}
                hasMore={hasMore}
              />
            ))}
        </ul>
      )}
    </Card>
  )
}

type FailedProps = Readonly<{
  group: FailureGroup
  /** Whether there are older failures, which are not counted. */
  hasMore: boolean
}>

const Failed = ({ group: { latest, count }, hasMore }: FailedProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const { id, app, action, completed_at, created_at, error_summary } = latest
  return (
    <li className={styles.failure}>
      <span>
        <Link to="/w/$ws/jobs/$id" params={{ ws, id }}>
          {app}/{action}
        </Link>
        {count === 1 ? null : (
          <>
            {' '}
            <Link
              to="/w/$ws/jobs"
              params={{ ws }}
              search={{ ...UNDISMISSED, app, action }}
              className={styles.more ?? ''}
            >
              {t.failedTimes(count, hasMore)}
            </Link>
          </>
        )}
      </span>
      <TimeAgo at={completed_at ?? created_at} />
      <RowError error={error_summary} />
    </li>
  )
}
