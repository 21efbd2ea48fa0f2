/**
 * `ctx.run`, `ctx.startFlow`, `ctx.sendEvent` and `ctx.cancel`: a job or a function starts and cancels jobs and flow runs of its
 * workspace, and sends events to it [jobs 15]. What it starts and sends passes the same checks as a request over the API.
 */

import type { Deadline } from '#core/flow/run.ts'
import {
  lostStarter,
  nextChainDepth,
  readStartOptions,
  refuseCallOptions,
  refuseCancelWithJob,
  requireCustomerMayStart,
  type StartCall,
  type StartOptions,
} from '#core/job/start-call.ts'
import { readTarget, requireInput, type StartTarget, targetText } from '#core/job/start-target.ts'
import type { JsonObject } from '#core/json/value.ts'
import type { SandboxCallbacks } from '#sandbox/sandbox.ts'
import { credentialOfApp } from '#store/idempotency-keys.ts'
import { endStepOfRun } from '#store/jobs/called-runs.ts'
import { type Claim, isRunning } from '#store/jobs/lease.ts'
import { findStarter, type Starter } from '#store/jobs/starts.ts'
import { mayRecord } from '#store/jobs/steps.ts'
import type { StartCalled } from '../durable/open-durable.ts'
import type { EventDeps } from '../events/start-targets.ts'
import { type StartRequest, startRun } from '../flows/start-run.ts'
import { readCallJson } from '../portions/read-json.ts'
import { checkFlowTag, checkRunTag } from '../queue/check-tag.ts'
import { enqueueJob } from '../queue/enqueue-job.ts'
import { findFirst, type Idempotency, START_ROUTE } from '../queue/idempotency.ts'
import { cancelWork } from './cancel-work.ts'
import { sendFromWork } from './send-from-work.ts'
import { type Caller, mayBeRepeated, numberText, type Waiter } from './start-caller.ts'

export type StartWorkDeps = EventDeps

export type WorkAccess = Pick<SandboxCallbacks, 'start' | 'cancel'>

export type StartingJob = Readonly<{
  app: string
  claim: Claim
  /** The trace of the job, to which everything it starts belongs too. */
  traceparent: string | null
}>

/** Returns a function that reads, once, what calls inherit from the job. */
const callerOf = (
  { db }: Pick<StartWorkDeps, 'db'>,
  { app, claim, traceparent }: StartingJob,
): (() => Promise<Caller>) => {
  const { ws, id } = claim
  const trace = traceparent === null ? {} : { traceparent }
  const origin = { ws, app, claim, triggerKind: 'job', createdBy: `job:${id}`, ...trace } as const
  let starter: Starter | null = null
  return async () => {
    starter ??= await findStarter(db, claim)
    if (starter === null) throw lostStarter()
    return { ...origin, ...starter }
  }
}

/** Opens what one attempt of a job may start and cancel. */
export const openJobStarts = (deps: StartWorkDeps, job: StartingJob): WorkAccess => {
  const caller = callerOf(deps, job)
  return {
    start: async (call) => startWork(deps, await caller(), call),
    cancel: async (call) => cancelWork(deps, await caller(), call),
  }
}

export type StartingFunction = Readonly<{
  ws: string
  app: string
  name: string
  deployedBy: string
  /** The trace of the request that called it. */
  traceparent?: string
}>

/**
 * Opens what one attempt calls (`ctx.call`, `ctx.callFlow`). It starts like jobs and flow runs of `ctx.run` and `ctx.startFlow`, and
 * ends the step that waits for it.
 */
export const openJobCalls = (deps: StartWorkDeps, job: StartingJob): StartCalled => {
  const caller = callerOf(deps, job)
  return async ({ name, calls, target, options, inputJson }, { tries, alongside }) => {
    refuseCallOptions(calls, options)
    const call = { kind: calls, target, options, inputJson, number: tries }
    return startWork(deps, await caller(), call, { step: name, tries, alongside })
  }
}

/** Opens what one call of a function may start and cancel. */
export const openFunctionStarts = (
  deps: StartWorkDeps,
  { ws, app, name, deployedBy, traceparent }: StartingFunction,
): WorkAccess => {
  const caller: Caller = {
    ws,
    app,
    triggerKind: 'function',
    createdBy: `function:${app}/${name}`,
    permissionedAs: deployedBy,
    customerId: null,
    chainDepth: null,
    holdsAppsWrite: false,
    claim: null,
    callsOf: null,
    ...(traceparent === undefined ? {} : { traceparent }),
  }
  return {
    start: (call) => startWork(deps, caller, call),
    cancel: (call) => cancelWork(deps, caller, call),
  }
}

const startWork = async (
  deps: StartWorkDeps,
  caller: Caller,
  call: StartCall,
  waiter: Waiter | null = null,
): Promise<string> => {
  const { kind } = call
  if (kind === 'event') return sendFromWork(deps, caller, call)
  const target = readTarget({ ...call, kind }, caller.app)
  const options = readStartOptions(kind, call.options)
  if (caller.claim === null) refuseCancelWithJob(options)
  if (caller.customerId !== null) requireCustomerMayStart(kind, options)
  const key = keyOf(caller, { target, options, call, waiter })
  const first = mayBeRepeated(caller, call, options)
    ? await findFirst(deps, { ws: caller.ws, ...key })
    : null
  if (first !== null) return first
  const chainDepth = caller.chainDepth === null ? 0 : nextChainDepth(caller.chainDepth)
  const input = requireInput(await readCallJson(call.inputJson, 'input', deps.limits.maxBodyBytes))
  const work = { caller, waiter, target, options, key, chainDepth, input }
  return target.kind === 'flow'
    ? startFlow(deps, work)
    : startJob(deps, { ...work, inputJson: call.inputJson })
}

type Call = Readonly<{
  target: StartTarget
  options: StartOptions
  call: StartCall
  waiter: Waiter | null
}>

/** Returns the key of a call. */
const keyOf = (
  { app, customerId, claim, callsOf }: Caller,
  { target, options, call, waiter }: Call,
): Readonly<{ idempotency?: Idempotency }> => {
  const { idempotencyKey: key } = options
  const text = targetText(target)
  if (key !== undefined) {
    const credential = credentialOfApp(app, customerId)
    return { idempotency: { credential, route: START_ROUTE, key, bodyHash: text } }
  }
  if (claim === null || callsOf === null) return {}
  // an attempt of a flow step takes over the steps that wait for called jobs, so they are its own
  const jobId = waiter === null ? callsOf : claim.id
  return { idempotency: { jobId, key: numberText(call, waiter), target: text } }
}

const traced = ({ traceparent }: Caller): Pick<Caller, 'traceparent'> =>
  traceparent === undefined ? {} : { traceparent }

type Work = Readonly<{
  caller: Caller
  waiter: Waiter | null
  target: StartTarget
  options: StartOptions
  key: Readonly<{ idempotency?: Idempotency }>
  chainDepth: number
  input: JsonObject
}>

const startJob = async (
  deps: StartWorkDeps,
  {
    caller,
    waiter,
    target,
    options,
    key,
    chainDepth,
    input,
    inputJson,
  }: Work & { inputJson: string },
): Promise<string> => {
  const { ws, customerId, holdsAppsWrite, claim } = caller
  const { app, key: action } = target
  const { tag, priority, delayS, scheduledFor } = options
  if (tag !== undefined) await checkRunTag(deps, { ws, app, action, tag, holdsAppsWrite })
  const { jobId } = await enqueueJob(deps, {
    ws,
    app,
    action,
    inputJson,
    input,
    triggerKind: caller.triggerKind,
    createdBy: caller.createdBy,
    permissionedAs: caller.permissionedAs,
    chainDepth,
    holdsAppsWrite,
    ...key,
    ...(customerId === null ? {} : { customerId }),
    ...traced(caller),
    ...(claim === null ? {} : { startedBy: claim }),
    ...(claim === null || waiter === null
      ? {}
      : { alongside: waiter.alongside, calledBy: { jobId: claim.id, step: waiter.step } }),
    ...(tag === undefined ? {} : { tag }),
    ...(priority === undefined ? {} : { priority }),
    ...(delayS === undefined ? {} : { delayMs: Math.round(delayS * 1_000) }),
    ...(scheduledFor === undefined ? {} : { scheduledFor: Date.parse(scheduledFor) }),
  })
  return jobId
}

/** Returns what binds a flow run to the job that starts it. A run that the job calls is always canceled with the job. */
const boundTo = (
  { newId }: StartWorkDeps,
  claim: Claim,
  { waiter, cancelWithJob }: Readonly<{ waiter: Waiter | null; cancelWithJob: boolean }>,
): Partial<StartRequest> => {
  const { ws, id } = claim
  const canceledWith = waiter !== null || cancelWithJob ? { canceledWith: id } : {}
  if (waiter === null) return { condition: isRunning(claim), ...canceledWith }
  const runId = newId()
  return {
    ...canceledWith,
    runId,
    condition: mayRecord(claim),
    // a run may end in the write that starts it
    alongside: (guard) => [...waiter.alongside(runId), endStepOfRun({ ws, runId }, id, guard)],
  }
}

/** @returns when a flow run starts; undefined for at once */
const dueOf = ({ delayS = 0, scheduledFor }: StartOptions): Deadline | undefined => {
  if (scheduledFor !== undefined) return { at: Date.parse(scheduledFor) }
  return delayS === 0 ? undefined : { afterMs: Math.round(delayS * 1_000) }
}

const startFlow = async (
  deps: StartWorkDeps,
  { caller, waiter, target, options, key, chainDepth, input }: Work,
): Promise<string> => {
  const { ws, claim, triggerKind, createdBy, permissionedAs, holdsAppsWrite } = caller
  const { tag, priority, cancelWithJob = false } = options
  const due = dueOf(options)
  if (tag !== undefined) await checkFlowTag(deps, { ws, tag, holdsAppsWrite })
  const started = await startRun(deps, {
    ws,
    app: target.app,
    flow: target.key,
    input,
    triggerKind,
    createdBy,
    permissionedAs,
    chainDepth,
    holdsAppsWrite,
    ...key,
    ...traced(caller),
    ...(due === undefined ? {} : { due }),
    ...(tag === undefined ? {} : { tag }),
    ...(priority === undefined ? {} : { priority }),
    ...(claim === null ? {} : boundTo(deps, claim, { waiter, cancelWithJob })),
  })
  if (started === null) throw lostStarter()
  return started.runId
}
