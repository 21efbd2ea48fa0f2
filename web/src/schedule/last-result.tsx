/** The outcome of the job or flow run of a fire time, with a link to it. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { jobStatus } from '../kit/job-status.ts'
import { flowRunQuery, jobQuery } from '../live/queries.ts'
import { useApi, useWorkspace } from '../session/api.ts'
import { useMay } from '../session/session.ts'
import { StatusBadge } from '../ui/status-badge.tsx'
import styles from './schedule.module.css'

const EVERY_MS = 3_000

const JobResult = ({ id }: Readonly<{ id: string }>) => {
  const ws = useWorkspace()
  const api = useApi()
  const { data, isPending } = useQuery({
    ...jobQuery(api, ws, id),
    refetchInterval: ({ state }) => (state.data?.completed_at === null ? EVERY_MS : false),
    retry: false,
  })
  // retention may have deleted it
  if (data === undefined) return isPending ? '…' : '–'
  return (
    <Link to="/w/$ws/jobs/$id" params={{ ws, id }} className={styles.result ?? ''}>
      <StatusBadge status={jobStatus(data)} />
    </Link>
  )
}

const RunResult = ({ id }: Readonly<{ id: string }>) => {
  const ws = useWorkspace()
  const api = useApi()
  const { data, isPending } = useQuery({
    ...flowRunQuery(api, ws, id),
    refetchInterval: ({ state }) => (state.data?.completed_at === null ? EVERY_MS : false),
    retry: false,
  })
  if (data === undefined) return isPending ? '…' : '–'
  return (
    <Link to="/w/$ws/flow-runs/$id" params={{ ws, id }} className={styles.result ?? ''}>
      <StatusBadge status={data.status} />
    </Link>
  )
}

export type LastResultProps = Readonly<{ jobId: string | null; runId: string | null }>

export const LastResult = ({ jobId, runId }: LastResultProps) => {
  const may = useMay()
  if (jobId !== null && may('jobs:read')) return <JobResult id={jobId} />
  return runId !== null && may('flows:read') ? <RunResult id={runId} /> : '–'
}
