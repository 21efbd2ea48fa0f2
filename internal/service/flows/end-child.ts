/** Ends a child job of a flow and advances its run in one write, so that neither happens without the other [flows 7.6]. */

import type { RetryPolicy } from '#core/action/retry.ts'
import { rememberSize } from '#core/flow/data-size.ts'
import type { ChildOutcome } from '#core/flow/run.ts'
import { canceledError, type JobError } from '#core/job/job-error.ts'
import type { TerminalStatus } from '#core/job/transitions.ts'
import type { WorkerLoss } from '#core/job/worker-loss.ts'
import type { Statement } from '#store/database.ts'
import { cancelQueuedJob } from '#store/jobs/cancel.ts'
import type { ClaimedFlow } from '#store/jobs/claimed-job.ts'
import { completeJobs, endFlowJob } from '#store/jobs/end.ts'
import { findFlowChild } from '#store/jobs/flow-children.ts'
import { isClaimed, isLost, isQueued } from '#store/jobs/guards.ts'
import { type Claim, findAttemptStatus } from '#store/jobs/lease.ts'
import { type LostJob, rescueJob } from '#store/jobs/rescue.ts'
import { ValueTooLarge } from '#store/value-size.ts'
import { createPace } from '../portions/pace.ts'
import { parseJson } from '../portions/parse-json.ts'
import { findCalledJobs } from '../queue/called-jobs.ts'
import { resultTooLarge } from '../queue/result-too-large.ts'
import { advanceRun } from './advance-run.ts'
import { slotPlace, storingFlowCipher } from './cipher.ts'
import type { FlowDeps } from './engine.ts'
import type { AdvanceRequest } from './run-requests.ts'

export type ChildJob = Claim &
  Readonly<{ flow: ClaimedFlow; wrappedKey: string; inputJson: string }>

export type ChildEnd = Readonly<{
  job: ChildJob
  status: TerminalStatus
  /** As the script returned it, or the error. */
  resultJson: string
  error: JobError | null
  /** The retry policy of the action. */
  retry: RetryPolicy | null
  /** Whether no further attempt may follow. */
  isFinal: boolean
  logs: readonly Statement[]
  /** Called each time the write is handed to the database. */
  onQueued: () => void
}>

type Address = Readonly<{ ws: string; flow: ClaimedFlow; input: string }>

const requestOf = (
  { ws, flow, input }: Address,
  outcome: ChildOutcome,
): Pick<AdvanceRequest, 'ws' | 'id' | 'child' | 'index' | 'event'> => ({
  ws,
  id: flow.runId,
  index: flow.index,
  child: { slot: flow.slot, input },
  event: { kind: 'child_ended', slot: flow.slot, attempt: flow.attempt, outcome },
})

/** Ends a child for the worker that holds the claim. @returns how the job ended, or null if the attempt is fenced */
export const endChild = async (deps: FlowDeps, end: ChildEnd): Promise<TerminalStatus | null> => {
  const { job, status, logs } = end
  const { flow, ws } = job
  const pace = createPace()
  // a large result waits for its turn, because others may have ended at the same moment
  await pace(end.resultJson.length)
  const sealed = trySeal(deps, job, end.resultJson)
  if (sealed instanceof ValueTooLarge) return endChild(deps, asTooLarge(end, sealed))
  await pace(end.resultJson.length)
  const outcome = await toOutcome(end)
  await pace(end.resultJson.length)
  const advanced = await advanceRun(deps, {
    ...requestOf({ ws, flow, input: job.inputJson }, outcome),
    characters: sealed.length,
    onQueued: end.onQueued,
    condition: isClaimed(job, false),
    // the log first: it may be written only while this attempt still runs
    alongside: (guard) => [...logs, ...endFlowJob({ claim: job, status, result: sealed }, guard)],
  })
  if (advanced === 'advanced') return status
  if (advanced === 'over') return endAlone(deps, end, sealed)
  return endCanceled(deps, end)
}

const sealResult = (deps: FlowDeps, { ws, wrappedKey, flow }: ChildJob, json: string): string =>
  storingFlowCipher(deps, { ws, wrappedKey }).sealJson(slotPlace(flow, 'result'), json)

const trySeal = (deps: FlowDeps, job: ChildJob, json: string): string | ValueTooLarge => {
  try {
    return sealResult(deps, job, json)
  } catch (thrown) {
    if (thrown instanceof ValueTooLarge) return thrown
    throw thrown
  }
}

/** Fails a job whose result cannot be stored, without a retry, because that would not change the result. */
const asTooLarge = (end: ChildEnd, fault: ValueTooLarge): ChildEnd => {
  const error = resultTooLarge(fault)
  return { ...end, status: 'failure', resultJson: JSON.stringify(error), error, isFinal: true }
}

const toOutcome = async ({
  status,
  resultJson,
  error,
  retry,
  isFinal,
}: ChildEnd): Promise<ChildOutcome> => {
  if (status !== 'success') {
    return {
      kind: 'failure',
      error: error ?? canceledError(),
      isFinal,
      random: Math.random(),
      ...(retry === null ? {} : { retry }),
    }
  }
  const value = await parseJson(resultJson)
  const bytes = Buffer.byteLength(resultJson)
  rememberSize(value, resultJson, bytes)
  return { kind: 'success', value, bytes }
}

/** Ends the job alone, because its run no longer needs it. */
const endAlone = async (
  { db }: FlowDeps,
  { job, status, logs, onQueued }: Pick<ChildEnd, 'job' | 'status' | 'logs' | 'onQueued'>,
  sealed: string,
): Promise<TerminalStatus | null> => {
  await db.write([...logs, ...completeJobs([{ claim: job, status, resultJson: sealed }])], {
    retry: true,
    onQueued,
  })
  const now = await findAttemptStatus(db, job)
  return now === null || now === 'queued' || now === 'running' ? null : now
}

/** Ends a child whose cancel was requested meanwhile, or whose attempt is fenced. */
const endCanceled = async (
  deps: FlowDeps,
  { job, logs, onQueued }: ChildEnd,
): Promise<TerminalStatus | null> => {
  const { ws, id, flow } = job
  const child = await findFlowChild(deps.db, ws, id)
  const error = canceledError(child?.cancelReason)
  const sealed = sealResult(deps, job, JSON.stringify(error))
  const advanced = await advanceRun(deps, {
    ...requestOf(
      { ws, flow, input: job.inputJson },
      { kind: 'failure', error, random: Math.random() },
    ),
    condition: isClaimed(job, true),
    onQueued,
    alongside: (guard) => [
      ...logs,
      ...endFlowJob({ claim: job, status: 'canceled', result: sealed }, guard),
    ],
  })
  if (advanced === 'advanced') return 'canceled'
  if (advanced === 'untrue') return null
  return endAlone(deps, { job, status: 'canceled', logs, onQueued }, sealed)
}

export type LostChild = LostJob & Readonly<{ flow: ClaimedFlow }>

/**
 * Ends a child whose worker was lost.
 * @param failure the error of the child if it fails
 * @returns false if it is no longer lost
 */
export const endLostChild = async (
  deps: FlowDeps,
  lost: LostChild,
  { event, failure }: Readonly<{ event: WorkerLoss; failure: JobError }>,
): Promise<boolean> => {
  const child = await findFlowChild(deps.db, lost.ws, lost.id)
  if (child === null) return false
  const error = event === 'observe_cancel' ? canceledError(child.cancelReason) : failure
  const rescue = (guard?: Statement) => rescueJob(lost, event, { error: failure, guard })
  const advanced = await advanceRun(deps, {
    // `retry` counts failures of the script, not crashes [flows 5.5]
    ...requestOf(
      { ws: lost.ws, flow: lost.flow, input: child.input },
      { kind: 'failure', error, isFinal: true },
    ),
    condition: isLost(lost),
    alongside: rescue,
  })
  if (advanced === 'over') await deps.db.write(rescue(), { retry: true })
  return advanced !== 'untrue'
}

export type CancelChild = Readonly<{ ws: string; id: string; by: string; reason: string }>

/**
 * Cancels a queued child of a flow, which fails its step.
 * @param condition a condition that implies that it is queued
 * @returns false if the job is not a child of a flow, or the condition does not hold
 */
export const cancelQueuedChild = async (
  deps: FlowDeps,
  cancel: CancelChild,
  condition: Statement = isQueued(cancel.ws, cancel.id),
): Promise<boolean> => {
  const { ws, id, reason } = cancel
  const child = await findFlowChild(deps.db, ws, id)
  if (child === null) return false
  const error = canceledError(reason)
  const known = await findCalledJobs(deps, ws, [id])
  const advanced = await advanceRun(deps, {
    ...requestOf(
      { ws, flow: child.flow, input: child.input },
      { kind: 'failure', error, random: Math.random() },
    ),
    condition,
    alongside: (guard) => cancelQueuedJob(cancel, known, guard),
  })
  if (advanced !== 'over') return advanced === 'advanced'
  // its run needs it no more
  const [ended] = await deps.db.write(cancelQueuedJob(cancel, known, condition), { retry: true })
  return ended?.changes === 1
}
