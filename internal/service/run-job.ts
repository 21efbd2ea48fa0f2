/**
 * Runs one claimed job in the sandbox and tells how it ended. What the job needs (code, input, variables, resources)
 * is looked up here and goes to the guest by a frame, never by environment or file.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json.ts'
import type { Sandbox, SandboxOutcome } from '#sandbox/provider.ts'
import { type DeploymentAction, findDeploymentAction } from '#store/deployments.ts'
import type { ClaimedJob } from '#store/job-queue.ts'
import { openAppState } from './app-state.ts'
import type { Deps } from './deps.ts'
import { createResumeUrls } from './flows/approval-link.ts'
import { type OpenedJob, openClaimedJob } from './flows/open-job.ts'
import { type BundleSource, loadBundle } from './load-bundle.ts'
import { createSecretReader, type SecretReader } from './read-secrets.ts'

export type RunJobDeps = Pick<Deps, 'db' | 'keyring' | 'limits' | 'pinned'> &
  BundleSource &
  Readonly<{
    sandbox: Sandbox
    /** Under which people reach a server; what links in mails are made of. */
    baseUrl: string
  }>

export type RunRequest = Readonly<{
  job: ClaimedJob
  onLog: (text: string) => void
  signal: AbortSignal
}>

export type JobRunner = Readonly<{
  run: (request: RunRequest) => Promise<SandboxOutcome>
  /** The pinned action: immutable, so kept in memory. */
  findAction: (job: ClaimedJob) => Promise<DeploymentAction>
}>

const MAX_KNOWN_ACTIONS = 5_000

export const createJobRunner = (deps: RunJobDeps): JobRunner => {
  const secrets = createSecretReader(deps.keyring)
  const known = new Map<string, DeploymentAction>()

  const findAction = async (job: ClaimedJob): Promise<DeploymentAction> => {
    const key = `${job.deploymentId}/${job.action}`
    const cached = known.get(key)
    if (cached !== undefined) return cached
    const action = await findDeploymentAction(deps.db, job.deploymentId, job.action)
    if (action === null) throw new Error(`Job ${job.id} points to a deployment without its action.`)
    if (known.size >= MAX_KNOWN_ACTIONS) known.clear()
    known.set(key, action)
    return action
  }

  return {
    findAction,
    run: async (request) =>
      runInSandbox(deps, { ...request, secrets, action: await findAction(request.job) }),
  }
}

type SandboxRequest = RunRequest & Readonly<{ action: DeploymentAction; secrets: SecretReader }>

const runInSandbox = async (deps: RunJobDeps, request: SandboxRequest): Promise<SandboxOutcome> => {
  const { action, secrets } = request
  const job = await openClaimedJob(deps, request.job)
  const { definition } = action
  return deps.sandbox.run(
    {
      key: { ws: job.ws, app: job.app, commit: action.commit },
      job: { id: job.id, action: job.action, attempt: job.attempt },
      fresh: definition.isolation === 'fresh',
      entrypoint: action.entrypoint,
      bundleHash: action.bundleHash,
      loadCode: () => loadBundle(deps, action.bundleHash),
      inputJson: job.inputJson,
      trigger: { kind: job.triggerKind, ...readTrigger(job) },
      variables: secrets.variables(job),
      resources: secrets.resources(job),
      flow: job.flowContext,
      limits: {
        // what was deployed before a cap was set is held to the cap too
        timeoutMs: Math.min(definition.timeoutS, deps.limits.jobMaxTimeoutS) * 1_000,
        memoryMb: Math.min(
          definition.memoryMb ?? deps.limits.jobMemoryMb,
          deps.limits.jobMaxMemoryMb,
        ),
        resultBytes: deps.limits.maxResultBytes,
        logBytes: deps.limits.maxLogBytes,
        network: definition.network,
      },
    },
    {
      onLog: request.onLog,
      getResumeUrls: async (approver) => createResumeUrls(deps, job, approver),
      state: openAppState(deps, { ws: job.ws, app: job.app, held: job }),
    },
    request.signal,
  )
}

const toJson = (text: string): JsonValue => JSON.parse(text)

/** What a webhook's script gets [jobs 11.3]; `encoding` tells how a body that is no UTF-8 was carried. */
type WebhookTrigger = Readonly<{
  raw: string
  headers: Readonly<Record<string, string>>
  encoding: 'utf8' | 'base64'
}>

/** The body stands once, as the input. */
const readTrigger = ({ rawJson, triggerJson }: OpenedJob): WebhookTrigger | null => {
  if (triggerJson === null) return null
  const value = toJson(triggerJson)
  const raw = toJson(rawJson)
  if (!isJsonObject(value) || typeof raw !== 'string') return null
  const { headers, encoding } = value
  return {
    raw,
    headers: isJsonObject(headers) ? toTexts(headers) : {},
    encoding: encoding === 'base64' ? 'base64' : 'utf8',
  }
}

const toTexts = (object: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, String(value)]))
