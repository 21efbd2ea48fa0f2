/** Runs one claimed job in two steps: the script, and the write of its result. */
import { setTimeout as pause } from 'node:timers/promises'
import { isKeyChanged } from '#core/instance-key-changed.ts'
import type { AttemptEnd } from '#core/job/attempt.ts'
import { isShortage } from '#core/machine-shortage.ts'
import { unlessNewer } from '#core/newer-svc.ts'
import type { Logger } from '#log/logger.ts'
import type { Deps } from '#service/deps.ts'
import type { FlowDeps } from '#service/flows/engine.ts'
import type { CompleteJob, RunOutcome } from '#service/queue/complete-job.ts'
import { handBackJobs } from '#service/queue/hand-back-jobs.ts'
import { createJobLog } from '#service/queue/job-log.ts'
import type { JobRunner, RunRequest } from '#service/queue/run-job.ts'
import { recordAttempt } from '#service/record-spans.ts'
import type { DeploymentAction } from '#store/apps/deployments.ts'
import { DatabaseError } from '#store/database.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'

/** Why an attempt was aborted: it was canceled, its lease was lost, or the worker stops. */
export type StopReason = 'canceled' | 'lost' | 'hand_back'

export type Running = {
  readonly job: ClaimedJob
  readonly abort: AbortController
  /** Notifies the script of the cancel, so that it has time to clean up. `abort` kills it. */
  readonly cancel: AbortController
  reason: StopReason | null
}

export type RunDeps = FlowDeps &
  Pick<Deps, 'now' | 'spans'> &
  Readonly<{
    runner: JobRunner
    completeJob: CompleteJob
    log: Logger
    /** Called when a job was suspended. The argument is the milliseconds until the job continues at the latest. */
    onSuspended: (dueInMs: number) => void
  }>

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000
/** Milliseconds until a job that this worker cannot run may be claimed again. */
const LEFT_DELAY_MS = 1_000

/**
 * Writes the result of an attempt.
 * @param onQueued called each time the write was handed to the database
 */
export type WriteEnd = (onQueued: () => void) => Promise<AttemptEnd>

/**
 * Runs the script of an attempt.
 * @returns the remaining step, which writes the result
 * @throws {Error} the script could not run; the lease then expires and the job is queued again. The same holds if the
 *   returned step throws because it could not write the result.
 */
export const runClaimedJob = async (deps: RunDeps, running: Running): Promise<WriteEnd> => {
  const { job } = running
  deps.passFault('run_started')
  const log = createJobLog({
    claim: job,
    now: deps.now,
    write: (statements) => deps.db.write(statements, { retry: true }),
    onWritten: () => deps.hints.jobLogged.emit(job.id),
  })
  const action = await unlessNewer(() => findWork(deps, running), null)
  if (action === null) return () => leave(deps, job)
  const { spans } = deps
  const own = spans.isOn ? spans.child(job.traceparent) : job.traceparent
  const startedAt = deps.now()
  const { signal } = running.abort
  const canceled = running.cancel.signal
  const request = { job: { ...job, traceparent: own }, action, onLog: log.append, signal, canceled }
  // a job that was claimed too late is canceled, and does not run
  const result: RunResult | null = job.isCanceled
    ? { kind: 'aborted' }
    : await runUnlessUnable(deps, running, request)
  if (result === null) return () => leave(deps, job)
  const endedAt = deps.now()
  const record = (end: AttemptEnd): AttemptEnd => {
    if (spans.isOn && own !== null) {
      void recordAttempt(deps, { job, traceparent: own, end, startedAt, endedAt })
    }
    return end
  }
  deps.passFault('run_ended')
  const { retry } = action.definition
  return async (onQueued) => {
    const logs = await log.finish()
    const handBack = async (): Promise<AttemptEnd> => {
      await handBackJobs(deps, { jobs: [{ claim: job, started: true }], logs })
      return record('handed_back')
    }
    if (result.kind === 'aborted' && running.reason === 'lost') return record('lost')
    if (result.kind === 'aborted' && running.reason === 'hand_back') return handBack()
    const outcome = toOutcome(result)
    const { onSuspended } = deps
    const ending = { job, outcome, retry, logs, onQueued, onSuspended }
    try {
      return record(await whileClaimed(running, () => deps.completeJob(ending)))
    } catch (error) {
      if (!isKeyChanged(error)) throw error
      return handBack()
    }
  }
}

/**
 * Runs the script. If the instance key changes meanwhile, the job is handed back.
 * @returns null if the machine lacks what a process needs
 */
const runUnlessUnable = async (
  { runner, log }: RunDeps,
  running: Running,
  request: RunRequest,
): Promise<RunResult | null> => {
  try {
    return await runner.run(request)
  } catch (error) {
    if (isKeyChanged(error)) {
      running.reason ??= 'hand_back'
      return { kind: 'aborted' }
    }
    if (!isShortage(error)) throw error
    log.warn('Could not start a process for a job; it is queued again.', {
      job: request.job.id,
      error,
    })
    await holdSlot(running)
    return null
  }
}

/** Holds the slot of a job, so that this worker does not claim and return the whole queue meanwhile. */
const holdSlot = ({ abort: { signal } }: Running): Promise<void> =>
  pause(LEFT_DELAY_MS, undefined, { signal }).catch(() => undefined)

/**
 * Finds what the attempt needs to run and to end: the action, and the flow whose run its end continues.
 * @returns null if this node has a former instance key, with which the job would fail
 */
const findWork = async (deps: RunDeps, running: Running): Promise<DeploymentAction | null> => {
  const { job } = running
  if (!deps.keyring.unwraps(job.wrappedKey, job.ws)) {
    await holdSlot(running)
    return null
  }
  const action = await deps.runner.findAction(job)
  if (job.flow !== null) await deps.flows.pinned.find(job.deploymentId)
  return action
}

/** Hands back a job that this worker cannot run. Its attempt has not begun. */
const leave = async (deps: RunDeps, job: ClaimedJob): Promise<AttemptEnd> => {
  await handBackJobs(deps, { jobs: [{ claim: job, started: false, delayMs: LEFT_DELAY_MS }] })
  return 'handed_back'
}

type RunResult = Awaited<ReturnType<JobRunner['run']>>

const toOutcome = (result: RunResult): RunOutcome =>
  result.kind === 'aborted' ? { kind: 'canceled' } : result

/** Repeats a write while the database is unreachable, so that the attempt need not run again. */
const whileClaimed = async <T>(running: Running, write: () => Promise<T>): Promise<T> => {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await write()
    } catch (error) {
      const mayPass = error instanceof DatabaseError && error.kind !== 'constraint'
      if (!mayPass || running.reason === 'lost' || running.reason === 'hand_back') throw error
    }
    await pause(pauseMs)
  }
}
