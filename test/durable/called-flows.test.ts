/** Flow runs that durable code calls and waits for: `ctx.callFlow` [durable 3.9]. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { JsonValue } from '#core/json/value.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { listJobSteps } from '#service/durable/list-steps.ts'
import { sendEvent } from '#service/events/send-event.ts'
import { answerApproval } from '#service/flows/answer-approval.ts'
import { cancelMarkedRuns, cancelRunAs } from '#service/flows/cancel-run.ts'
import { endWaits } from '#service/flows/end-waits.ts'
import { restartRun } from '#service/flows/restart-run.ts'
import { startRunUnconditionally } from '#service/flows/start-run.ts'
import { cancelJob } from '#service/queue/cancel-job.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { createJobRunner, type JobRunner } from '#service/queue/run-job.ts'
import type { Database } from '#store/database.ts'
import { STEPS_START } from '#store/jobs/steps.ts'
import { sql } from '#store/sql.ts'
import { denoProvider, openPool } from '../sandbox/job.ts'
import {
  APP,
  BY,
  openQueue,
  QUEUE_ADMIN,
  QUEUE_BACKENDS,
  type Queue,
  WS,
} from '../support/open-queue.ts'
import { adminSession } from '../support/principals.ts'
import { deployCode, resultOf, runOne, stepsOf } from './run-durable.ts'

const ACTIONS = {
  calls: `export const main = async (ctx) => {
    const { flow, input, options } = ctx.input
    try { return { got: await ctx.callFlow('run', flow, input, options), attempt: ctx.job.attempt } } catch (error) {
      const { name, message, code, flow, flowRunId, jobId } = error
      return { name, message, code, flow, flowRunId, jobId }
    }
  }`,
  retries: `export const main = async (ctx) => {
    const n = await ctx.callFlow('run', 'double', { n: 4 })
    if (ctx.job.attempt < 3) throw new Error('Not yet.')
    return { ...n, attempt: ctx.job.attempt }
  }`,
  fallsBehind: `export const main = async (ctx) => {
    const tries = await ctx.state.update(ctx.flow.runId, (n) => (n ?? 0) + 1)
    const [n] = await Promise.all([
      ctx.callFlow('run', ctx.input.flow, { n: 5 }),
      ctx.step('check', () => { if (tries < 2) throw new Error('Not yet.') }),
    ])
    return n
  }`,
  loops: `export const main = (ctx) => ctx.callFlow('again', 'loop', {})`,
  double: 'export const main = (ctx) => ({ n: ctx.input.n * 2 })',
  fails: `export const main = () => { throw new RangeError('It does not fit.') }`,
}
const RETRY = ', retry: { maxAttempts: 3, delayMs: 0, backoffFactor: 1 }'
const FLOWS = `flows:
  - { key: double, steps: [{ key: one, action: double }] }
  - { key: fails, steps: [{ key: one, action: fails }] }
  - { key: skips, steps: [{ key: one, action: double, skipIf: "true" }] }
  - { key: asks, steps: [{ key: decide, kind: approval }] }
  - { key: waits, steps: [{ key: go, kind: event, name: go }] }
  - { key: strict, inputSchema: { required: [n] }, steps: [{ key: one, action: double }] }
  - { key: loop, steps: [{ key: one, action: loops }] }
  - { key: outer, steps: [{ key: one, action: fallsBehind${RETRY} }] }
`

/** Repeats writes as a connection does that has lost the first answer. */
const repeating = (db: Database): Database => ({
  ...db,
  write: async (batch, options) => {
    const answer = await db.write(batch, options)
    return options?.retry === true ? db.write(batch, options) : answer
  },
})

describe.each(QUEUE_BACKENDS)('a flow that durable code calls, over %s', (_, openDatabase) => {
  let queue: Queue
  let sandbox: Sandbox
  let runner: JobRunner
  const cleanups: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const { db, close } = await openDatabase()
    cleanups.push(close)
    queue = await openQueue(db)
    sandbox = openPool(denoProvider())
    cleanups.push(() => sandbox.close())
    runner = createJobRunner({ ...queue.deps, sandbox, baseUrl: 'http://svc.test' })
    await deployCode(queue, ACTIONS, { retries: RETRY }, FLOWS)
  })
  afterAll(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup()
  })
  afterEach(() => queue.db.write([sql`DELETE FROM jobs WHERE status IN ('queued', 'running')`]))

  const runsOf = (jobId: string) =>
    queue.db.all(sql`SELECT id, status FROM flow_runs WHERE created_by = ${`job:${jobId}`}`)
  const runOf = async (jobId: string): Promise<string> => {
    const [first] = await runsOf(jobId)
    return String(first?.id)
  }
  /** Queues the job and runs it until it waits for the run. */
  const call = async (flow: string, input: JsonValue = {}, options = {}): Promise<string> => {
    const id = await queue.enqueue({ action: 'calls', input: { flow, input, options } })
    await runOne(queue, runner)
    return id
  }
  const isReady = async (id: string) => {
    const { status, ready } = await queue.row(id)
    return { status, ready }
  }
  const runAll = async (): Promise<void> => {
    const read = sql`SELECT 1 FROM jobs WHERE status = 'queued' AND ready = 1 LIMIT 1`
    while ((await queue.db.one(read)) !== null) await runOne(queue, runner)
  }
  const go = (data: JsonValue) =>
    sendEvent(
      { ...queue.deps, ...enqueueDepsOf(queue.deps) },
      { ws: WS, name: 'go', key: null, data, id: null, sentBy: BY },
    )
  const cancel = (id: string) =>
    cancelJob(queue.deps, { ws: WS, id, caller: adminSession(BY), reason: 'Not needed.' })

  it('wakes its caller by its end, with its result', async () => {
    const tags: string[] = []
    const off = queue.deps.hints.jobQueued.subscribe((tag) => void tags.push(tag))
    const id = await call('double', { n: 21 })
    expect(await queue.row(id)).toMatchObject({ status: 'queued', ready: 0, suspended_kind: 'job' })
    tags.length = 0
    await runOne(queue, runner)
    off()
    expect(tags).toEqual(['default'])
    expect(await isReady(id)).toEqual({ status: 'queued', ready: 1 })
    const { ended } = await runOne(queue, runner)
    expect(ended).toBe('success')
    expect(await resultOf(queue, id)).toEqual({ got: { n: 42 }, attempt: 1 })
    expect(await runsOf(id)).toEqual([{ id: expect.any(String), status: 'completed' }])
    const [stored] = await stepsOf(queue, id, 'kind, status, attempts, result')
    expect(stored).toMatchObject({ kind: 'job', status: 'success', attempts: 1 })
    expect(String(stored?.result)).toMatch(/^v2\./)
  })

  it('is listed with its run, and its result is encrypted before the caller reads it', async () => {
    const id = await call('double', { n: 21 })
    await runOne(queue, runner)
    const [stored] = await stepsOf(queue, id, 'result')
    expect(String(stored?.result)).not.toContain('"n"')
    const query = { ws: WS, id, after: STEPS_START, limit: 10, mayRead: true }
    const { steps } = await listJobSteps(queue.deps, query)
    expect(steps).toMatchObject([
      { kind: 'job', status: 'success', childJobId: null, childFlowRunId: await runOf(id) },
    ])
    expect(String(steps[0]?.result?.text)).toBe('{"n":42}')
  })

  it('gives its result to a caller that has not waited yet', async () => {
    const id = await call('skips', { n: 1 })
    await runAll()
    expect(await resultOf(queue, id)).toMatchObject({ attempt: 1 })
    expect(await runsOf(id)).toMatchObject([{ status: 'completed' }])
  })

  it('throws its failure in its caller, with the flow and the run', async () => {
    const id = await call('fails')
    await runAll()
    const error = { name: 'RangeError', message: 'It does not fit.', flow: 'fails' }
    expect(await resultOf(queue, id)).toEqual({ ...error, flowRunId: await runOf(id) })
    expect(await stepsOf(queue, id, 'status, caught')).toEqual([{ status: 'failure', caught: 2 }])
  })

  it('throws Canceled in its caller when it is canceled', async () => {
    const id = await call('waits')
    const runId = await runOf(id)
    await cancelRunAs(queue.deps, { ws: WS, id: runId, reason: 'Enough.' })
    await runAll()
    const error = { name: 'Canceled', message: 'Enough.', flow: 'waits', flowRunId: runId }
    expect(await resultOf(queue, id)).toEqual(error)
  })

  it('throws the rejection of a person in its caller', async () => {
    const id = await call('asks')
    const by = { approver: QUEUE_ADMIN, via: 'session' } as const
    const answer = { kind: 'reject', reason: 'Too dear.' } as const
    await answerApproval(queue.deps, { ws: WS, id: await runOf(id), ...by, answer })
    await runAll()
    expect(await resultOf(queue, id)).toMatchObject({ name: 'ApprovalRejected', flow: 'asks' })
  })

  it.each([
    ['an unknown flow', 'nowhere', {}, {}, 'flow_not_found'],
    ['an input that does not fit', 'strict', {}, {}, 'input_schema'],
    ['a key', 'double', {}, { idempotencyKey: 'k' }, 'invalid'],
    ['cancelWithJob, which is always so', 'double', {}, { cancelWithJob: false }, 'invalid'],
  ])('is refused for %s', async (_what, flow, input, options, code) => {
    const id = await call(flow, input, options)
    await runAll()
    expect(await resultOf(queue, id)).toMatchObject({ code, flow })
    expect(await runsOf(id)).toEqual([])
    expect(await stepsOf(queue, id, 'status')).toEqual([{ status: 'failure' }])
  })

  it('starts no second run in the next attempts of its caller', async () => {
    const id = await queue.enqueue({ action: 'retries' })
    await runAll()
    expect(await resultOf(queue, id)).toEqual({ n: 8, attempt: 3 })
    expect(await runsOf(id)).toHaveLength(1)
  })

  it('starts no second run after the worker of its caller was lost', async () => {
    const id = await call('double', { n: 1 })
    await runOne(queue, runner)
    const [job] = await queue.claim(1)
    expect(job?.id).toBe(id)
    await queue.expire(id)
    await rescueJobs(queue.deps)
    await runAll()
    expect(await resultOf(queue, id)).toEqual({ got: { n: 2 }, attempt: 2 })
    expect(await runsOf(id)).toHaveLength(1)
  })

  it('starts once if the answer of the database to its start is lost', async () => {
    const db = repeating(queue.db)
    const lossy = createJobRunner({ ...queue.deps, db, sandbox, baseUrl: 'http://svc.test' })
    const id = await queue.enqueue({ action: 'calls', input: { flow: 'double', input: { n: 1 } } })
    expect((await runOne(queue, lossy)).ended).toBe('suspended')
    await runAll()
    expect(await resultOf(queue, id)).toEqual({ got: { n: 2 }, attempt: 1 })
    expect(await runsOf(id)).toHaveLength(1)
  })

  it('wakes workers for its caller if the answer of the database to its end is lost', async () => {
    const id = await call('waits')
    const tags: string[] = []
    const off = queue.deps.hints.jobQueued.subscribe((tag) => void tags.push(tag))
    const deps = { ...queue.deps, db: repeating(queue.db) }
    await cancelRunAs(deps, { ws: WS, id: await runOf(id), reason: 'Enough.' })
    off()
    expect(tags).toEqual(['default'])
    expect(await isReady(id)).toEqual({ status: 'queued', ready: 1 })
  })

  it('is canceled with its caller', async () => {
    const id = await call('waits')
    await cancel(id)
    await cancelMarkedRuns(queue.deps)
    expect(await runsOf(id)).toMatchObject([{ status: 'canceled' }])
    const query = { ws: WS, id, after: STEPS_START, limit: 10, mayRead: true }
    const { steps } = await listJobSteps(queue.deps, query)
    expect(steps).toMatchObject([{ status: 'failure' }])
    expect(String(steps[0]?.error?.text)).toContain('Not needed.')
  })

  it('wakes its caller no second time when it is restarted', async () => {
    const id = await call('double', { n: 3 })
    await runAll()
    const runId = await runOf(id)
    const caller = adminSession(BY)
    const restart = { ws: WS, id: runId, fromStep: 'one', latest: false, holdsAppsWrite: true }
    await restartRun(queue.deps, { ...restart, caller })
    await runAll()
    expect(await resultOf(queue, id)).toEqual({ got: { n: 6 }, attempt: 1 })
    expect(await stepsOf(queue, id, 'child_id')).toEqual([{ child_id: `flow-run:${runId}` }])
  })

  it('ends with the code with which it began, after its caller was deployed again', async () => {
    const id = await call('waits')
    const changed = `export const main = () => 'another version'`
    await deployCode(queue, { ...ACTIONS, calls: changed }, { retries: RETRY }, FLOWS)
    await go({ n: 7 })
    await endWaits(queue.deps)
    await runAll()
    expect(await resultOf(queue, id)).toMatchObject({ got: { data: { n: 7 } }, attempt: 1 })
    await deployCode(queue, ACTIONS, { retries: RETRY }, FLOWS)
  })

  it('calls itself only as often as jobs may start one another', async () => {
    const first = await queue.enqueue({ action: 'loops' })
    await runAll()
    expect(await queue.row(first)).toMatchObject({ status: 'failure' })
    expect(await resultOf(queue, first)).toMatchObject({ name: 'ChainTooDeep' })
    const [{ n } = { n: 0 }] = await queue.db.all(
      sql`SELECT count(*) AS n FROM flow_runs WHERE flow = 'loop'`,
    )
    expect(n).toBe(20)
  })

  const startOuter = async (flow: string): Promise<string> => {
    const { runId } = await startRunUnconditionally(queue.deps, {
      ...{ ws: WS, app: APP, flow: 'outer', input: { flow }, triggerKind: 'api' },
      ...{ createdBy: BY, permissionedAs: BY },
    })
    return runId
  }
  const outcomeOf = async (runId: string) => {
    const jobs = await queue.db.all(
      sql`SELECT id, status, result FROM jobs WHERE flow_run_id = ${runId} ORDER BY flow_attempt`,
    )
    const called = await queue.db.all(
      sql`SELECT r.id FROM flow_runs r JOIN jobs j ON r.created_by = 'job:' || j.id WHERE j.flow_run_id = ${runId}`,
    )
    const [first, last] = [jobs[0], jobs.at(-1)].map((job) => String(job?.id))
    return {
      statuses: jobs.map(({ status }) => status),
      runs: called.length,
      steps: await Promise.all(
        [first, last].map(async (id = '') => {
          const [step] = await stepsOf(queue, id, 'status, child_id')
          return step
        }),
      ),
    }
  }

  it('is taken over by the next attempt of a flow step', async () => {
    const runId = await startOuter('double')
    await runAll()
    expect(await outcomeOf(runId)).toMatchObject({ statuses: ['failure', 'success'], runs: 1 })
  })

  const TAKEN = { statuses: ['failure', 'success'], runs: 1 }
  const receive = async (): Promise<void> => {
    await go({ n: 1 })
    await endWaits(queue.deps)
  }

  it('ends the step of the next attempt that waits for it', async () => {
    const runId = await startOuter('waits')
    await runAll()
    const before = await outcomeOf(runId)
    expect(before).toMatchObject({ statuses: ['failure', 'queued'], runs: 1 })
    expect(before.steps).toMatchObject([{ status: 'failure' }, { status: 'running' }])
    await receive()
    await runAll()
    const after = await outcomeOf(runId)
    expect(after).toMatchObject(TAKEN)
    expect(after.steps).toMatchObject([{ status: 'failure' }, { status: 'success' }])
  })

  it('ends the step of the next attempt if it has ended before that attempt began', async () => {
    const runId = await startOuter('waits')
    await runOne(queue, runner)
    expect(await outcomeOf(runId)).toMatchObject({ statuses: ['failure', 'queued'] })
    await receive()
    await runAll()
    expect(await outcomeOf(runId)).toMatchObject(TAKEN)
  })

  it('is canceled with the flow run whose step has called it', async () => {
    const runId = await startOuter('waits')
    await runAll()
    await cancelRunAs(queue.deps, { ws: WS, id: runId, reason: 'Not needed.' })
    await cancelMarkedRuns(queue.deps)
    const open = sql`SELECT id FROM flow_runs WHERE flow = 'waits' AND completed_at IS NULL`
    expect(await queue.db.all(open)).toEqual([])
  })
})
