/** Every attempt of a job, newest first: which worker ran it, when, how it ended and why. */
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '#sdk/client.ts'
import { useFormat } from '../../../language/format.ts'
import { useLanguage } from '../../../language/language.ts'
import { useMessages } from '../../../language/messages.ts'
import { toFailure } from '../../../language/server-sentence.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { isObject } from '../../../ui/json-object.ts'
import { ErrorState, Loading } from '../../../ui/notice.tsx'
import { type Status, StatusIcon, useStatusWords } from '../../../ui/status-badge.tsx'
import { Duration, RunningDuration } from '../../../ui/time.tsx'
import styles from './attempts.module.css'
import { messages } from './messages.ts'

type Attempt = Schemas['JobAttempt']

/** Only the icons of these statuses. The words differ. */
const SIGNS: Readonly<Record<Attempt['outcome'], Status>> = {
  running: 'running',
  success: 'success',
  failure: 'failure',
  canceled: 'canceled',
  worker_lost: 'failure',
  handed_back: 'skipped',
}

export const JobAttempts = ({ jobId }: Readonly<{ jobId: string }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const query = useQuery({
    // a new state of the job requests them again
    queryKey: [ws, 'job', jobId, 'attempts'],
    queryFn: ({ signal }) => api.get('/jobs/{id}/attempts', { params: { id: jobId }, signal }),
  })
  if (query.error !== null) return <ErrorState error={query.error} />
  if (query.data === undefined) return <Loading />
  const { items } = query.data
  if (items.length === 0) return <p>{t.noAttempts}</p>
  return (
    <ol className={styles.list} reversed>
      {items.toReversed().map((attempt) => (
        <li key={attempt.attempt} className={styles.attempt}>
          <AttemptLine attempt={attempt} />
        </li>
      ))}
    </ol>
  )
}

const AttemptLine = ({ attempt: each }: Readonly<{ attempt: Attempt }>) => {
  const t = useMessages(messages)
  const words = useStatusWords()
  const { attempt, outcome, worker, started_at, ended_at, duration_ms, error } = each
  const word = outcome === 'worker_lost' || outcome === 'handed_back' ? t[outcome] : words[outcome]
  return (
    <>
      <h2 className={styles.title}>
        <StatusIcon status={SIGNS[outcome]} />
        {t.attemptNumber(attempt)}
        <span className={styles.outcome}>{word}</span>
      </h2>
      <p className={styles.facts}>
        <span>
          <SecondTime at={started_at} />
          {ended_at === null ? null : (
            <>
              {' – '}
              <SecondTime at={ended_at} />
            </>
          )}
        </span>
        {duration_ms === null ? (
          <RunningDuration since={started_at} />
        ) : (
          <Duration ms={duration_ms} />
        )}
        {worker === null ? null : (
          <span>
            {t.worker} <code>{worker}</code>
          </span>
        )}
      </p>
      <ErrorText error={error} />
    </>
  )
}

/** Shown to the second, because attempts may follow each other by seconds. */
const SecondTime = ({ at }: Readonly<{ at: string }>) => {
  const { second, exact } = useFormat()
  return (
    <time dateTime={at} title={exact(at)}>
      {second(at)}
    </time>
  )
}

const ErrorText = ({ error }: Readonly<{ error: Attempt['error'] }>) => {
  const language = useLanguage()
  if (!isObject(error)) return null
  const { name, message } = error
  return (
    <p className={styles.error}>
      <strong>{typeof name === 'string' ? name : ''}</strong>{' '}
      {typeof message === 'string' ? toFailure(name, message, language) : ''}
    </p>
  )
}
