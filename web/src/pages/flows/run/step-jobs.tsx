/** The jobs of a step: one for each arm, item and retry. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { jobStatus } from '../../../kit/job-status.ts'
import { useMessages } from '../../../language/messages.ts'
import { jobQuery } from '../../../live/queries.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { Button } from '../../../ui/button.tsx'
import { shortId } from '../../../ui/short-id.ts'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { Duration, RunningDuration } from '../../../ui/time.tsx'
import styles from './detail.module.css'
import { messages } from './messages.ts'

const AT_ONCE = 10
const EVERY_MS = 2_000

export const StepJobs = ({ ids }: Readonly<{ ids: readonly string[] }>) => {
  const t = useMessages(messages)
  const [most, setMost] = useState(AT_ONCE)
  const rest = ids.length - most
  return (
    <>
      <ul className={styles.links}>
        {ids.slice(0, most).map((id) => (
          <li key={id}>
            <StepJob id={id} />
          </li>
        ))}
      </ul>
      {rest > 0 ? (
        <Button look="quiet" onClick={() => setMost(most + AT_ONCE)}>
          {t.moreJobs(Math.min(rest, AT_ONCE))}
        </Button>
      ) : null}
    </>
  )
}

const isLive = (job: Schemas['JobDetail'] | undefined): boolean => job?.completed_at === null

const StepJob = ({ id }: Readonly<{ id: string }>) => {
  const ws = useWorkspace()
  const api = useApi()
  const { data: job } = useQuery({
    ...jobQuery(api, ws, id),
    refetchInterval: ({ state }) => (isLive(state.data) ? EVERY_MS : false),
  })
  return (
    <>
      <Link to="/w/$ws/jobs/$id" params={{ ws, id }}>
        {job === undefined ? <code>{shortId(id)}</code> : job.action}
      </Link>
      {job === undefined ? null : (
        <>
          <StatusBadge status={jobStatus(job)} />
          {job.duration_ms !== null ? (
            <Duration ms={job.duration_ms} />
          ) : job.started_at !== null ? (
            <RunningDuration since={job.started_at} />
          ) : null}
        </>
      )}
    </>
  )
}
