/** What failed lately: each action once, with the error of its newest failure. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { isTrialApp } from '../../draft/trial.ts'
import { useLanguage } from '../../language/language.ts'
import { useMessages } from '../../language/messages.ts'
import { toFailure } from '../../language/server-sentence.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { Card } from '../../ui/facts.tsx'
import { isObject } from '../../ui/json-object.ts'
import { ErrorState } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { type FailureGroup, failureGroups } from './failure-groups.ts'
import { messages } from './messages.ts'
import styles from './page.module.css'

const EVERY_MS = 5_000
/** Groups shown. Each is another request for its newest job, once. */
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
    refetchInterval: EVERY_MS,
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
  const { id, app, action, completed_at, created_at } = latest
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
      <Reason job={latest} />
    </li>
  )
}

/** The error of a failed job, on one line. */
const Reason = ({ job: { id } }: Readonly<{ job: Schemas['Job'] }>) => {
  const ws = useWorkspace()
  const api = useApi()
  const language = useLanguage()
  const { data } = useQuery({
    queryKey: [ws, 'job', id],
    queryFn: ({ signal }) => api.get('/jobs/{id}', { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const error = data?.result
  // the row is as high before the error has come
  if (!isObject(error) || typeof error.message !== 'string') return <small> </small>
  const { name, message } = error
  const text = toFailure(name, message, language)
  return (
    <small title={text}>
      {typeof name === 'string' ? `${name}: ` : null}
      {text}
    </small>
  )
}
