/**
 * Writes ends of jobs in batches: jobs that end within one turn of the event loop share two statements, whatever their number.
 * While a worker has more jobs at hand, ends wait a moment for one another, because a commit takes as long as several short
 * jobs and blocks the event loop meanwhile. Each job still gets its own result.
 */
import { setImmediate } from 'node:timers'
import type { RetryPolicy } from '#core/action/retry.ts'
import type { JobError } from '#core/job/job-error.ts'
import type { JobStatus } from '#core/job/transitions.ts'
import { asText } from '#store/column.ts'
import type { Statement } from '#store/database.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { type Completion, completeJobs } from '#store/jobs/end.ts'
import { jobStatus } from '#store/jobs/read.ts'
import type { Deps } from '../deps.ts'
import { endChild } from '../flows/end-child.ts'
import type { FlowDeps } from '../flows/engine.ts'
import { emitQueued } from './enqueue.ts'
import { type Failure, type HandleDeps, handlerJobs, wakeHandlers } from './handle-failures.ts'

export type End = Completion &
  Readonly<{
    claim: ClaimedJob
    /** Null if the job did not fail. */
    error: JobError | null
    /** The action's policy, which a flow run uses if the step has none. */
    retry: RetryPolicy | null
    /** Whether no further attempt may follow. */
    isFinal: boolean
    /** What the attempt has not written yet, such as log chunks. It is part of the same write, and comes first. */
    logs: readonly Statement[]
    /** Called each time the write is handed to the database. */
    onQueued: () => void
  }>

type EndDeps = HandleDeps & Pick<Deps, 'hints' | 'passFault'>

/** Ends a job. @returns its status, or null if this attempt is fenced. @throws {DatabaseError} */
export type EndJob = (end: End) => Promise<JobStatus | null>

const MAX_JOBS = 200
/** Characters of the results of a batch, so that a large result is written almost alone. */
const MAX_RESULT_LENGTH = 262_144
/** The most ends that wait for one another, and for how many milliseconds at most. */
const GATHER_JOBS = 64
const GATHER_MS = 10

const toFailure = ({ claim, status, error }: End): readonly Failure[] =>
  status === 'failure' && error !== null ? [{ job: claim, error }] : []

/** Ends jobs in one atomic write. @throws {DatabaseError} */
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
    completions
      .flatMap(({ rows }) => rows)
      .map((row) => [`${asText(row.ws)}/${asText(row.id)}`, jobStatus.read(row.status)]),
  )
  const statuses = ends.map(({ claim }) => ended.get(`${claim.ws}/${claim.id}`) ?? null)
  if (handlers.length > 0) {
    const unanswered = ends.filter((_, at) => statuses[at] === null).flatMap(toFailure)
    await wakeHandlers(
      deps,
      unanswered.map(({ job }) => job.id),
    )
  }
  return statuses
}

/**
 * Writes the end of one job. A job of a flow ends in the write that advances its run.
 * @returns the status with which the job ended, or null if this attempt is fenced
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

/** Takes the ends of the next batch, at least one. */
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

/**
 * Creates a function that writes together what ends within one turn of the event loop, or within GATHER_MS.
 * @param mayGather whether more jobs are about to end, so that an end may wait for them
 */
export const createEndBatch = (deps: EndDeps & FlowDeps, mayGather: () => boolean): EndJob => {
  const queue: Waiting[] = []
  let length = 0
  let gathering: ReturnType<typeof setTimeout> | null = null
  let isDue = false

  const writeBatch = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const statuses = await endTogether(
        deps,
        batch.map(({ end }) => end),
      )
      for (const [at, { resolve }] of batch.entries()) resolve(statuses[at] ?? null)
    } catch (error) {
      // one job may be the cause, and the others must not fail with it
      if (batch.length === 1) for (const { reject } of batch) reject(error)
      else for (const waiting of batch) await writeBatch([waiting])
    }
  }
  const flush = (): void => {
    if (gathering !== null) clearTimeout(gathering)
    gathering = null
    isDue = false
    length = 0
    const taken = queue.splice(0)
    const plain = taken.filter(({ end }) => end.claim.flow === null)
    // those of one run are written together (flows/run-queue.ts)
    for (const { end, resolve, reject } of taken) {
      if (end.claim.flow !== null) void writeEnd(deps, end).then(resolve, reject)
    }
    while (plain.length > 0) void writeBatch(takeBatch(plain))
  }
  const flushSoon = (): void => {
    if (isDue) return
    isDue = true
    setImmediate(flush)
  }

  return (end) => {
    const isGathered = mayGather()
    if (end.claim.flow !== null && queue.length === 0 && !isGathered) return writeEnd(deps, end)
    return new Promise((resolve, reject) => {
      queue.push({ end, resolve, reject })
      length += end.resultJson.length
      const isFull = queue.length >= GATHER_JOBS || length > MAX_RESULT_LENGTH
      if (isFull || !isGathered) flushSoon()
      else gathering ??= setTimeout(flush, GATHER_MS)
    })
  }
}
