/** The durable steps of a job on a time axis, with waiting times in another colour than running times. */
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { ErrorState, Loading } from '../../../ui/notice.tsx'
import { StatusIcon } from '../../../ui/status-badge.tsx'
import { Duration, RunningDuration, TimeAgo } from '../../../ui/time.tsx'
import { spanOf, toBars } from './step-bars.ts'
import { stepMessages } from './step-messages.ts'
import styles from './steps.module.css'

type Step = Schemas['JobStep']

const MOST_SHOWN = 100

export const JobSteps = ({ jobId }: Readonly<{ jobId: string }>) => {
  const t = useMessages(stepMessages)
  const ws = useWorkspace()
  const api = useApi()
  const query = useQuery({
    // a new state of the job requests them again
    queryKey: [ws, 'job', jobId, 'steps'],
    queryFn: ({ signal }) =>
      api.get('/jobs/{id}/steps', { params: { id: jobId }, query: { limit: MOST_SHOWN }, signal }),
  })
  if (query.error !== null) return <ErrorState error={query.error} />
  if (query.data === undefined) return <Loading />
  const { items, pagination } = query.data
  if (items.length === 0) return <p>{t.none}</p>
  const span = spanOf(items, Date.now())
  return (
    <>
      <ol className={styles.list} aria-label={t.steps}>
        {toBars(items, span).map(({ step, left, width }) => (
          <li key={step.name} className={styles.step}>
            <StepName step={step} />
            <div className={styles.track} aria-hidden="true">
              <div
                className={step.kind === 'step' ? styles.ran : styles.waited}
                style={{ insetInlineStart: `${left}%`, inlineSize: `${width}%` }}
              />
            </div>
            <span className={styles.time}>
              {step.completed_at === null ? (
                <RunningDuration since={step.started_at} />
              ) : (
                <Duration ms={Date.parse(step.completed_at) - Date.parse(step.started_at)} />
              )}
            </span>
          </li>
        ))}
      </ol>
      {pagination.next_cursor === null ? null : <p>{t.first(MOST_SHOWN)}</p>}
    </>
  )
}

const StepName = ({ step }: Readonly<{ step: Step }>) => {
  const t = useMessages(stepMessages)
  const { name, kind, status, until, completed_at } = step
  return (
    <span className={styles.name}>
      <StatusIcon status={status === 'running' && kind !== 'step' ? 'waiting_approval' : status} />
      <span>
        <bdi>{name}</bdi>
        <span className={styles.kind}>
          {t[kind]}
          {completed_at !== null || until === null ? null : (
            <>
              {' '}
              <TimeAgo at={until} />
            </>
          )}
        </span>
      </span>
    </span>
  )
}
