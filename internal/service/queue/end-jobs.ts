/**
 * Ends runs in bunches: jobs that end within one turn of the event loop share two statements, whatever their number.
 * That halves the work of a queue of short jobs. Each job still gets its own answer.
 */
import { setImmediate } from 'node:timers'
import type { JobError } from '#core/job/job-error.ts'
import type { JobStatus } from '#core/job/transitions.ts'
import type { RetryPolicy } from '#core/retry.ts'
import { asText } from '#store/column.ts'
import type { Statement } from '#store/database.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { type Completion, completeJobs } from '#store/jobs/end.ts'
import { toStatus } from '#store/jobs/read.ts'
import type { Deps } from '../deps.ts'
import { endChild } from '../flows/end-child.ts'
import type { FlowDeps } from '../flows/load-run.ts'
import { type Failure, type HandleDeps, handlerJobs } from './handle-failures.ts'

export type End = Completion &
  Readonly<{
    held: ClaimedJob
    /** Of a failure. */
    error: JobError | null
    /** The action's policy; of a flow's child the run follows it where the step has none. */
    retry: RetryPolicy | null
    /** Log chunks not written yet; they go with the same write. */
    logs: readonly Statement[]
  }>

type EndDeps = HandleDeps & Pick<Deps, 'hints' | 'passFault'>

/** The status that the job ended with, or null when this attempt no longer held it. */
export type EndJob = (end: End) => Promise<JobStatus | null>

const MAX_JOBS = 200
/** Of results; a large one goes nearly alone. */
const MAX_RESULT_LENGTH = 262_144

const toFailure = ({ held, status, error }: End): readonly Failure[] =>
  status === 'failure' && error !== null ? [{ job: held, error }] : []

/** One atomic write. @throws {DatabaseError} */
const endTogether = async (
  deps: EndDeps,
  ends: readonly End[],
): Promise<readonly (JobStatus | null)[]> => {
  const logs = ends.flatMap((end) => end.logs)
  const completions = completeJobs(ends)
  const handlers = await handlerJobs(deps, ends.flatMap(toFailure))
  deps.passFault('complete_before_commit')
  const results = await deps.db.write([...logs, ...completions, ...handlers], { retry: true })
  deps.passFault('complete_committed')
  for (const { rows } of results.slice(logs.length + completions.length)) {
    for (const row of rows) deps.hints.jobQueued.emit(asText(row.tag))
  }
  const ended = new Map(
    (results[logs.length]?.rows ?? []).map((row) => [
      `${asText(row.ws)}/${asText(row.id)}`,
      toStatus(asText(row.status)),
    ]),
  )
  return ends.map(({ held }) => ended.get(`${held.ws}/${held.id}`) ?? null)
}

/** A flow's child ends with what follows for its run, alone. @throws {DatabaseError} */
export const endJob = async (deps: EndDeps & FlowDeps, end: End): Promise<JobStatus | null> => {
  const { held } = end
  const { flow } = held
  if (flow !== null) return endChild(deps, { ...end, job: { ...held, flow } })
  const [status] = await endTogether(deps, [end])
  return status ?? null
}

type Waiting = Readonly<{
  end: End
  resolve: (status: JobStatus | null) => void
  reject: (error: unknown) => void
}>

/** At least one. */
const takeBunch = (queue: Waiting[]): readonly Waiting[] => {
  let length = 0
  let count = 0
  for (const { end } of queue) {
    length += end.resultJson.length
    if (count > 0 && (count >= MAX_JOBS || length > MAX_RESULT_LENGTH)) break
    count += 1
  }
  return queue.splice(0, count)
}

/** Collects what ends within a turn. */
export const createJobEnder = (deps: EndDeps & FlowDeps): EndJob => {
  const queue: Waiting[] = []

  const writeBunch = async (bunch: readonly Waiting[]): Promise<void> => {
    try {
      const statuses = await endTogether(
        deps,
        bunch.map(({ end }) => end),
      )
      for (const [at, { resolve }] of bunch.entries()) resolve(statuses[at] ?? null)
    } catch (error) {
      // one job may be to blame: its neighbours must not fail with it
      if (bunch.length === 1) for (const { reject } of bunch) reject(error)
      else for (const waiting of bunch) await writeBunch([waiting])
    }
  }
  const flush = (): void => {
    while (queue.length > 0) void writeBunch(takeBunch(queue))
  }

  return (end) => {
    if (end.held.flow !== null) return endJob(deps, end)
    return new Promise((resolve, reject) => {
      if (queue.length === 0) setImmediate(flush)
      queue.push({ end, resolve, reject })
    })
  }
}
