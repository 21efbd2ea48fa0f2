/** A caller of the job routes that also acts as the worker: each test runs, claims and ends its own jobs. */
import { z } from 'zod'
import type { WrittenEnd } from '#core/job/attempt.ts'
import type { RunOutcome } from '#service/queue/complete-job.ts'
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
import { deployActions } from './deploy-action.ts'

export const JOBS = `/api/w/${WS}/jobs`
export const RUN = `${JOBS}/run/hello/greet`
export const UNKNOWN_ID = '019abcde-0000-7000-8000-000000000000'

const accepted = z.looseObject({ job_id: z.uuid() })
export const jobIdOf = (answer: TestAnswer): string => accepted.parse(answer.json).job_id

const INPUT_SCHEMA = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
}

export type JobCaller = Readonly<{
  app: TestApp
  deploymentId: string
  run: (json: unknown, path?: string, more?: TestRequest) => Promise<TestAnswer>
  runFor: (json?: unknown, path?: string) => Promise<string>
  get: (id: string, part?: string, more?: TestRequest) => Promise<TestAnswer>
  cancel: (id: string, more?: TestRequest) => Promise<TestAnswer>
  claim: (tag: string) => Promise<ClaimedJob>
  /** Runs a job under its own tag, so that a test claims only this job. */
  runAndClaim: (input?: unknown) => Promise<ClaimedJob>
  /** Claims the next job that is queued under the tag. */
  claimNext: (tag: string) => Promise<ClaimedJob>
  end: (job: ClaimedJob, outcome: RunOutcome) => Promise<WrittenEnd>
  log: (job: ClaimedJob, seq: number, text: string | Uint8Array) => Promise<void>
  close: () => Promise<void>
}>

/** An app `hello` with `greet` (tag greetings) and `strict` (with a schema). The caller is the super admin. */
export const openJobCaller = async (options: TestAppOptions = {}): Promise<JobCaller> => {
  const app = await createTestApp(options)
  // apps:write, so that each test may choose its own tag
  const token = await app.token(['jobs:run', 'jobs:read', 'apps:write'])
  const deploymentId = await deployActions(app.deps, [
    { ws: WS, app: 'hello', key: 'greet', tag: 'greetings' },
    { ws: WS, app: 'hello', key: 'strict', tag: 'strict', inputSchema: INPUT_SCHEMA },
  ])
  const run: JobCaller['run'] = (json, path = RUN, more = {}) =>
    app.call('POST', path, { token, json, ...more })
  const runFor: JobCaller['runFor'] = async (json = {}, path = RUN) =>
    jobIdOf(await run(json, path))
  const claim = async (tag: string): Promise<ClaimedJob> => {
    const request = { worker: 'w1', tags: [tag], limit: 1, leaseMs: 60_000 }
    const [job] = await claimJobs(app.deps, request)
    if (job === undefined) throw new Error(`No job waits under ${tag}.`)
    return job
  }
  let tags = 0
  return {
    app,
    deploymentId,
    run,
    runFor,
    get: (id, part = '', more = {}) => app.call('GET', `${JOBS}/${id}${part}`, { token, ...more }),
    cancel: (id, more = {}) => app.call('POST', `${JOBS}/${id}/cancel`, { token, ...more }),
    claim,
    runAndClaim: async (input = {}) => {
      const tag = `own-${tags++}`
      await runFor(input, `${RUN}?tag=${tag}`)
      return claim(tag)
    },
    claimNext: (tag) =>
      new Promise((resolve, reject) => {
        const { jobQueued, jobQueuing } = app.deps.hints
        const onQueued = (queued: string): void => {
          if (queued !== tag) return
          for (const unsubscribe of subscriptions) unsubscribe()
          claim(tag).then(resolve, reject)
        }
        // a job that is due immediately is claimed in the commit that queues it
        const subscriptions = [jobQueued, jobQueuing].map((hint) => hint.subscribe(onQueued))
      }),
    end: (job, outcome) => completeJob(app.deps, { job, outcome, retry: null, logs: [] }),
    log: async (job, seq, text) => {
      const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
      await app.deps.db.write([insertLogChunk({ claim: job, seq, bytes })])
    },
    close: app.close,
  }
}
