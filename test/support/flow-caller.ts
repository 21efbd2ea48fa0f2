/** A caller of the flow routes that also acts as the worker: actions are functions of the test. */
import { z } from 'zod'
import type { JsonValue } from '#core/json/value.ts'
import { createResumeUrls } from '#service/flows/approval-link.ts'
import { cancelMarkedRuns } from '#service/flows/cancel-run.ts'
import { type OpenedJob, openClaimedJob } from '#service/flows/open-job.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { insertLogChunk } from '#store/jobs/log.ts'
import { claimJobs } from './claim-jobs.ts'
import { completeJob } from './complete-job.ts'
import {
  createTestApp,
  type TestAnswer,
  type TestApp,
  type TestAppOptions,
  type TestRequest,
  WS,
} from './create-test-app.ts'
import { type ActionOptions, deployActions } from './deploy-action.ts'

export const FLOWS = `/api/w/${WS}/flows`
export const FLOW_RUNS = `/api/w/${WS}/flow-runs`
export const APP = 'shop'

/** The behaviour of an action. An exception is its failure. */
export type Behaviour = (input: JsonValue, job: OpenedJob) => unknown

const stepShape = z.looseObject({
  key: z.string(),
  kind: z.string(),
  status: z.string(),
  attempt: z.number(),
  max_attempts: z.number(),
  job_ids: z.array(z.string()),
  flow_run_ids: z.array(z.string()).optional(),
  result: z.json(),
  error: z.json(),
  approvals: z.array(z.looseObject({ approver: z.string(), values: z.json() })).optional(),
  arms: z.array(z.object({ key: z.string(), status: z.string() })).optional(),
})

export const runShape = z.looseObject({
  id: z.string(),
  status: z.string(),
  trigger_kind: z.string(),
  created_by: z.string(),
  completed_at: z.string().nullable(),
  current_step: z.object({ index: z.number(), key: z.string() }).nullable(),
  input: z.json(),
  result: z.json(),
  error: z.json(),
  steps: z.array(stepShape),
})
export type SeenRun = z.infer<typeof runShape>

const started = z.object({ flow_run_id: z.uuid() })

export type FlowCaller = Readonly<{
  app: TestApp
  token: string
  start: (flow: string, input?: unknown, more?: TestRequest) => Promise<string>
  call: (method: string, path: string, json?: unknown, more?: TestRequest) => Promise<TestAnswer>
  run: (id: string) => Promise<SeenRun>
  claim: (limit?: number) => Promise<readonly ClaimedJob[]>
  /** Runs the behaviour of the job's action, and writes the end of the job. */
  perform: (job: ClaimedJob) => Promise<string>
  /** Cancels marked runs, and works until the queue is empty. @returns the number of jobs */
  work: () => Promise<number>
  /** The links that the action of a job would send. */
  links: (job: ClaimedJob, approver?: string) => ReturnType<typeof createResumeUrls>
  deploy: (flows: readonly unknown[]) => Promise<string>
}>

const BASE_URL = 'http://svc.test'
const LOG_LINE = new TextEncoder().encode('done\n')

export type FlowWorld = Readonly<{
  flows: readonly unknown[]
  actions: Readonly<Record<string, Behaviour>>
  /** Differences from the default definition of an action. */
  definitions?: Readonly<Record<string, Partial<ActionOptions>>>
  app?: TestAppOptions
}>

export const openFlowCaller = async ({
  flows,
  actions,
  definitions = {},
  app: options = {},
}: FlowWorld): Promise<FlowCaller> => {
  const app = await createTestApp(options)
  const token = await app.token(['*'])
  const requests = Object.keys(actions).map((key) => ({
    ws: WS,
    app: APP,
    key,
    ...definitions[key],
  }))
  const deploy = (of: readonly unknown[]): Promise<string> => {
    const [first, ...others] = requests
    if (first === undefined) throw new Error('An app has an action.')
    return deployActions(app.deps, [first, ...others], of)
  }
  await deploy(flows)
  const call: FlowCaller['call'] = (method, path, json, more = {}) =>
    app.call(method, path, { token, ...(json === undefined ? {} : { json }), ...more })
  const claim: FlowCaller['claim'] = (limit = 100) =>
    claimJobs(app.deps, { worker: 'w1', tags: ['default'], limit, leaseMs: 60_000 })
  const perform: FlowCaller['perform'] = async (job) => {
    const opened = await openClaimedJob(app.deps, job)
    const outcome = await behave(actions[job.action], opened)
    const retry = definitions[job.action]?.retry ?? null
    // every end includes a part of the log, as a worker's does
    const logs = [insertLogChunk({ claim: job, seq: 0, bytes: LOG_LINE })]
    return completeJob(app.deps, { job, outcome, retry, logs })
  }
  return {
    app,
    token,
    call,
    claim,
    perform,
    deploy,
    start: async (flow, input = {}, more) => {
      const answer = await call('POST', `${FLOWS}/run/${APP}/${flow}`, input, more)
      return started.parse(answer.json).flow_run_id
    },
    run: async (id) => runShape.parse((await call('GET', `${FLOW_RUNS}/${id}`)).json),
    work: async () => {
      for (let done = 0; ; ) {
        await cancelMarkedRuns(app.deps)
        const jobs = await claim()
        if (jobs.length === 0) return done
        await Promise.all(jobs.map(perform))
        done += jobs.length
      }
    },
    links: async (job, approver = 'external') =>
      createResumeUrls(
        { ...app.deps, baseUrl: BASE_URL },
        await openClaimedJob(app.deps, job),
        approver,
      ),
  }
}

const behave = async (behaviour: Behaviour | undefined, job: OpenedJob) => {
  try {
    const result = await behaviour?.(JSON.parse(job.inputJson), job)
    return { kind: 'success', resultJson: JSON.stringify(result ?? null) } as const
  } catch (thrown) {
    const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown))
    const isFinal = name === 'NonRetryableError'
    return { kind: 'failure', error: { name, message }, isFinal } as const
  }
}

/** The path of a link, for calls of the app. */
export const pathOf = (url: string): string => url.slice(BASE_URL.length)
