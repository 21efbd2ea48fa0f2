/**
 * Writes ends of jobs in batches: jobs that end within one turn of the event loop share two statements, whatever their
 * number. That halves the work of a queue of short jobs. Each job still gets its own answer.
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
import { emitQueued } from './enqueue.ts'
import { type Failure, type HandleDeps, handlerJobs } from './handle-failures.ts'

export type End = Completion &
  Readonly<{
    claim: ClaimedJob
    /** Null if the job did not fail. */
    error: JobError | null
    /** The action's policy; a flow run follows it where the step has none. */
    retry: RetryPolicy | null
    /** No further attempt is to follow. */
    isFinal: boolean
    /** Log chunks not written yet; they go with the same write. */
    logs: readonly Statement[]
    /** Called each time the write was handed to the database. */
    onQueued: () => void
  }>

type EndDeps = HandleDeps & Pick<Deps, 'hints' | 'passFault'>

/** @returns the status that the job ended with, or null: this attempt is fenced. @throws {DatabaseError} */
export type WriteEnd = (end: End) => Promise<JobStatus | null>

const MAX_JOBS = 200
/** Characters of the results of a batch; a large one goes nearly alone. */
const MAX_RESULT_LENGTH = 262_144

const toFailure = ({ claim, status, error }: End): readonly Failure[] =>
  status === 'failure' && error !== null ? [{ job: claim, error }] : []

/** One atomic write. @throws {DatabaseError} */
const endTogether = async (
  deps: EndDeps,
  ends: readonly End[],
): Promise<readonly (JobStatus | null)[]> => {
  const batch = {
    logs: ends.flatMap((end) => end.logs),
    completions: completeJobs(ends),
    handlers: await handlerJobs(deps, ends.flatMap(toFailure)),
  }
  deps.passFault('complete_before_commit')
  const onQueued = (): void => {
    for (const end of ends) end.onQueued()
  }
  const { completions, handlers } = await deps.db.write(batch, { retry: true, onQueued })
  deps.passFault('complete_committed')
  emitQueued(deps, handlers)
  const ended = new Map(
    (completions[0]?.rows ?? []).map((row) => [
      `${asText(row.ws)}/${asText(row.id)}`,
      toStatus(asText(row.status)),
    ]),
  )
  return ends.map(({ claim }) => ended.get(`${claim.ws}/${claim.id}`) ?? null)
}

/**
 * Writes the end of one job. A job of a flow ends in the write that takes its run further.
 * @returns the status that the job ended with, or null: this attempt is fenced
 * @throws {DatabaseError}
 */
export const writeEnd = async (deps: EndDeps & FlowDeps, end: End): Promise<JobStatus | null> => {
  const { claim } = end
  const { flow } = claim
  if (flow !== null) return endChild(deps, { ...end, job: { ...claim, flow } })
  const [status] = await endTogether(deps, [end])
  return status ?? null
}

type Waiting = Readonly<{
  end: End
  resolve: (status: JobStatus | null) => void
  reject: (error: unknown) => void
}>

/** At least one. */
const takeBatch = (queue: Waiting[]): readonly Waiting[] => {
  let length = 0
  let count = 0
  for (const { end } of queue) {
    length += end.resultJson.length
    if (count > 0 && (count >= MAX_JOBS || length > MAX_RESULT_LENGTH)) break
    count += 1
  }
  return queue.splice(0, count)
}

/** Writes together what ends within one turn of the event loop. */
export const createEndBatch = (deps: EndDeps & FlowDeps): WriteEnd => {
  const queue: Waiting[] = []

  const writeBatch = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const statuses = await endTogether(
        deps,
        batch.map(({ end }) => end),
      )
      for (const [at, { resolve }] of batch.entries()) resolve(statuses[at] ?? null)
    } catch (error) {
      // one job may be the cause: the others must not fail with it
      if (batch.length === 1) for (const { reject } of batch) reject(error)
      else for (const waiting of batch) await writeBatch([waiting])
    }
  }
  const flush = (): void => {
    while (queue.length > 0) void writeBatch(takeBatch(queue))
  }

  return (end) => {
    if (end.claim.flow !== null) return writeEnd(deps, end)
    return new Promise((resolve, reject) => {
      if (queue.length === 0) setImmediate(flush)
      queue.push({ end, resolve, reject })
    })
  }
}
