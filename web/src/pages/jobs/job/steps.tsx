/** The durable steps of a job on a time axis, with waiting times in another colour than running times. */
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Schemas } from '#sdk/client.ts'
import { serverNow } from '../../../browser/server-clock.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorState, Loading } from '../../../ui/notice.tsx'
import { StatusIcon } from '../../../ui/status-badge.tsx'
import { Duration, RunningDuration, TimeAgo } from '../../../ui/time.tsx'
import { CallLink } from './open-call.tsx'
import { spanOf, toBars } from './step-bars.ts'
import { stepMessages } from './step-messages.ts'
import styles from './steps.module.css'

type Step = Schemas['JobStep']

const SHOWN_AT_ONCE = 100
/** Maximum of the API, so that a job of thousands of steps takes few requests. */
const MORE_ROWS = 500

/** The first page has no cursor. */
const first = (): string | undefined => undefined

export const JobSteps = ({ jobId }: Readonly<{ jobId: string }>) => {
  const t = useMessages(stepMessages)
  const ws = useWorkspace()
  const api = useApi()
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    // a new state of the job requests them again
    queryKey: [ws, 'job', jobId, 'steps'],
    queryFn: ({ pageParam: cursor, signal }) => {
      const limit = cursor === undefined ? SHOWN_AT_ONCE : MORE_ROWS
      return api.get('/jobs/{id}/steps', {
        params: { id: jobId },
        query: { limit, cursor },
        signal,
      })
    },
    initialPageParam: first(),
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  })
  if (data === undefined) return error === null ? <Loading /> : <ErrorState error={error} />
  const items = data.pages.flatMap((page) => page.items)
  if (items.length === 0) return <p>{t.none}</p>
  const span = spanOf(items, serverNow())
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
      {hasNextPage ? (
        <p>
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t.more}
          </Button>
        </p>
      ) : null}
    </>
  )
}

const StepName = ({ step }: Readonly<{ step: Step }>) => {
  const { name, status, until, completed_at, timed_out } = step
  const shown = timed_out ? 'timed_out' : status
  return (
    <span className={styles.name}>
      <StatusIcon
        status={status === 'running' && step.kind !== 'step' ? 'waiting_approval' : shown}
      />
      <span>
        <bdi>{name}</bdi>
        <span className={styles.kind}>
          <StepKind step={step} />
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

/** What the step does. That of a call leads to the job or flow run. */
const StepKind = ({ step }: Readonly<{ step: Step }>) => {
  const t = useMessages(stepMessages)
  return <CallLink step={step}>{step.child_flow_run_id === null ? t[step.kind] : t.run}</CallLink>
}
