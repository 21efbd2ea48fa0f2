/**
 * Runs one claimed job in the sandbox. Its code, input, variables and resources are loaded here and sent to the guest as a
 * frame, never through its environment or files.
 */

import QuickLRU from 'quick-lru'
import { DEFAULT_CANCEL_GRACE_S } from '#core/action/definition.ts'
import { isKeyChanged } from '#core/instance-key-changed.ts'
import { attemptOf } from '#core/job/attempt.ts'
import type { LogStream } from '#core/job/log-stream.ts'
import { passesRequest } from '#core/job/trigger-kind.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json/value.ts'
import type { TriggerFacts } from '#sandbox/protocol/messages.ts'
import type { Sandbox, SandboxOutcome } from '#sandbox/sandbox.ts'
import { type DeploymentAction, findDeploymentAction } from '#store/apps/deployments.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { openAppState } from '../apps/app-state.ts'
import { openDurable } from '../durable/open-durable.ts'
import { grantsOf } from '../egress-grants.ts'
import { createResumeUrls } from '../flows/approval-link.ts'
import type { AllDeps } from '../flows/engine.ts'
import { type OpenedJob, openClaimedJob } from '../flows/open-job.ts'
import { type BundleSource, loadBundle } from '../load-bundle.ts'
import { createSecretReader, type SecretReader } from '../secrets/read-secrets.ts'
import { openJobCalls, openJobStarts, type StartWorkDeps } from '../starts/start-work.ts'
import type { RunOutcome } from './complete-job.ts'
import { enqueueDepsOf } from './enqueue-job.ts'
import { openProgress } from './job-progress.ts'

export type RunJobDeps = AllDeps &
  BundleSource &
  Readonly<{
    sandbox: Sandbox
    /** Address of the server for people, used in links. */
    baseUrl: string
  }>

export type RunRequest = Readonly<{
  job: ClaimedJob
  /** As `findAction` returns it for the job. */
  action: DeploymentAction
  onLog: (text: string, stream: LogStream) => void
  signal: AbortSignal
  /** Aborted when the job is canceled; the script then has its grace time. */
  canceled?: AbortSignal
}>

/** As the sandbox reports it, with the rest of the history ready to be written. */
export type JobOutcome =
  | Exclude<SandboxOutcome, { kind: 'failure' | 'suspended' }>
  | Extract<RunOutcome, { kind: 'failure' | 'suspended' }>

export type JobRunner = Readonly<{
  run: (request: RunRequest) => Promise<JobOutcome>
  /** Finds the pinned action, which never changes and is cached. */
  findAction: (job: ClaimedJob) => Promise<DeploymentAction>
}>

const MAX_CACHED_ACTIONS = 5_000

/** Creates the runner of one worker. */
export const createJobRunner = (allDeps: RunJobDeps): JobRunner => {
  const deps = { ...allDeps, ...enqueueDepsOf(allDeps) }
  const secrets = createSecretReader(deps.keyring)
  // the jobs of one claim start together and share one read
  const actions = new QuickLRU<string, Promise<DeploymentAction>>({ maxSize: MAX_CACHED_ACTIONS })

  const readAction = async (job: ClaimedJob): Promise<DeploymentAction> => {
    const action = await findDeploymentAction(deps.db, job.deploymentId, job.action)
    if (action === null) throw new Error(`Job ${job.id} points to a deployment without its action.`)
    return action
  }
  const findAction = async (job: ClaimedJob): Promise<DeploymentAction> => {
    const key = `${job.deploymentId}/${job.action}`
    const known = actions.get(key) ?? readAction(job)
    actions.set(key, known)
    try {
      return await known
    } catch (error) {
      if (actions.get(key) === known) actions.delete(key)
      throw error
    }
  }

  return {
    findAction,
    run: (request) => runInSandbox(deps, { ...request, secrets }),
  }
}

type SandboxRequest = RunRequest & Readonly<{ secrets: SecretReader }>

const runInSandbox = async (
  deps: RunJobDeps & StartWorkDeps,
  request: SandboxRequest,
): Promise<JobOutcome> => {
  const { action, secrets } = request
  const job = await openClaimedJob(deps, request.job)
  const { definition } = action
  const durable = await openDurable(
    deps,
    job,
    openJobCalls(deps, { app: job.app, claim: job, traceparent: job.traceparent }),
  )
  const progress = openProgress(deps, job)
  const work = openJobStarts(deps, { app: job.app, claim: job, traceparent: job.traceparent })
  const unable = new AbortController()
  const outcome = await deps.sandbox.run(
    {
      key: { ws: job.ws, app: job.app, commit: action.commit },
      job: { id: job.id, action: job.action, attempt: shownAttempt(job) },
      fresh: definition.isolation === 'fresh',
      entrypoint: action.entrypoint,
      bundleHash: action.bundleHash,
      loadCode: () => loadBundle(deps, action.bundleHash),
      inputJson: job.inputJson,
      trigger: { kind: job.triggerKind, ...readTrigger(job) },
      variables: secrets.variables(job),
      resources: secrets.resources(job),
      flow: job.flowContext,
      traceparent: job.traceparent,
      limits: {
        // the current caps also apply to actions that were deployed before
        timeoutMs: Math.min(definition.timeoutS, deps.limits.jobMaxTimeoutS) * 1_000,
        cancelGraceMs: (definition.cancelGraceS ?? DEFAULT_CANCEL_GRACE_S) * 1_000,
        memoryMb: Math.min(
          definition.memoryMb ?? deps.limits.jobMemoryMb,
          deps.limits.jobMaxMemoryMb,
        ),
        resultBytes: deps.limits.maxResultBytes,
        logBytes: deps.limits.maxLogBytes,
        network: definition.network,
        granted: await grantsOf(deps, job.ws, definition.network),
      },
    },
    {
      onLog: request.onLog,
      ...(request.canceled === undefined ? {} : { canceled: request.canceled }),
      onProgress: progress.set,
      getResumeUrls: async (approver) => createResumeUrls(deps, job, approver),
      start: whileKeyHolds(work.start, unable),
      cancel: whileKeyHolds(work.cancel, unable),
      state: openAppState(deps, { ws: job.ws, app: job.app, writer: { claim: job } }),
      durable,
    },
    AbortSignal.any([request.signal, unable.signal]),
  )
  await progress.flush()
  unable.signal.throwIfAborted()
  const failed = durable.failedSteps()
  if (outcome.kind === 'failure') return { ...outcome, thrown: failed }
  if (outcome.kind !== 'suspended') return outcome
  const { kind, steps } = outcome
  return { kind, steps, failed, history: durable.sealHistory(outcome.history) }
}

/** The script cannot handle a change of the instance key, so the change ends the attempt, and another node runs the job. */
const whileKeyHolds =
  <Call, Answer>(act: (call: Call) => Promise<Answer>, unable: AbortController) =>
  (call: Call): Promise<Answer> =>
    act(call).catch((error: unknown) => {
      if (isKeyChanged(error)) unable.abort(error)
      throw error
    })

/** A flow makes a job of each attempt of a step, and the script counts on [flows 5.3]. */
const shownAttempt = ({ attempt, flow }: ClaimedJob): number =>
  attemptOf(attempt) + (flow === null ? 0 : flow.attempt - 1)

const toJson = (text: string): JsonValue => JSON.parse(text)

/** Reads what `ctx.trigger` has besides the kind. */
const readTrigger = ({ triggerKind, rawJson, triggerJson }: OpenedJob): TriggerFacts => {
  const value = toJson(triggerJson ?? 'null')
  if (!isJsonObject(value)) return {}
  if (passesRequest(triggerKind)) return readRequest(value, rawJson)
  const { event, fireTime } = value
  if (typeof fireTime === 'string') return { fireTime }
  if (!isJsonObject(event)) return {}
  const { id, name, key = null } = event
  return { event: { id: String(id), name: String(name), key: key === null ? null : String(key) } }
}

/**
 * Reads the trigger of a webhook [jobs 11.3]. The body is stored once, as the input. A replay may replace it by a value whose JSON
 * is then the body.
 */
const readRequest = ({ headers, encoding, isJson }: JsonObject, rawJson: string): TriggerFacts => {
  const shownHeaders = isJsonObject(headers) ? toTexts(headers) : {}
  const body = isJson === true ? null : toJson(rawJson)
  if (typeof body !== 'string') return { raw: rawJson, headers: shownHeaders, encoding: 'utf8' }
  return { raw: body, headers: shownHeaders, encoding: encoding === 'base64' ? 'base64' : 'utf8' }
}

const toTexts = (object: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, String(value)]))
