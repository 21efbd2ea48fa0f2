/** A flow run that is canceled with the job that has started it [jobs 15.4]. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cancelMarkedRuns, cancelRunAs } from '#service/flows/cancel-run.ts'
import { startRunUnconditionally } from '#service/flows/start-run.ts'
import { cancelJob } from '#service/queue/cancel-job.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import type { JobRunner } from '#service/queue/run-job.ts'
import { openFunctionStarts } from '#service/starts/start-work.ts'
import { sql } from '#store/sql.ts'
import { deployTexts } from '../support/deploy-texts.ts'
import { APP, BY, type Queue, WS } from '../support/open-queue.ts'
import { openRunner } from '../support/open-runner.ts'
import { adminSession } from '../support/principals.ts'
import { runOne } from './run-durable.ts'

const AGENT = `export const main = async (ctx) => {
  const { cancelWithJob, ends, failsUntil } = ctx.input
  const { flowRunId } = await ctx.startFlow('ask', {}, { cancelWithJob })
  if (ctx.job.attempt < (failsUntil ?? 0)) throw new Error('Not yet.')
  if (!ends) await ctx.waitForEvent('decided', { name: 'ask.decided', match: flowRunId })
  return flowRunId
}`
const MANIFEST = `key: ${APP}
actions:
  - { key: agent, entrypoint: agent.js }
flows:
  - key: ask
    steps: [{ key: decide, kind: approval }]
  - key: agents
    steps: [{ key: agent, action: agent, input: { cancelWithJob: true } }]
  - key: retried
    steps:
      - { key: agent, action: agent, input: { cancelWithJob: true, failsUntil: 3 }, retry: { maxAttempts: 3, delayMs: 0 } }
`

let queue: Queue
let runner: JobRunner
let close: () => Promise<void>
beforeAll(async () => {
  ;({ queue, runner, close } = await openRunner())
  await deployTexts(queue.deps, { 'app.yaml': MANIFEST, 'agent.js': AGENT })
})
afterAll(() => close())

const runs = (jobId: string) =>
  queue.db.all(sql`SELECT status FROM flow_runs WHERE created_by = ${`job:${jobId}`}`)

const runAgent = async (input: object): Promise<string> => {
  const id = await queue.enqueue({ action: 'agent', input: { ...input } })
  await runOne(queue, runner)
  expect(await runs(id)).toEqual([{ status: 'waiting_approval' }])
  return id
}

/** Cancels the job, and does what a scheduler does each second. */
const cancel = async (id: string): Promise<void> => {
  await cancelJob(queue.deps, { ws: WS, id, caller: adminSession(BY), reason: 'Not needed.' })
  await cancelMarkedRuns(queue.deps)
}

it('is canceled for the reason for which the job is', async () => {
  const id = await runAgent({ cancelWithJob: true })
  await cancel(id)
  expect(await runs(id)).toEqual([{ status: 'canceled' }])
  const read = sql`SELECT count(*) AS n FROM flow_runs WHERE status = 'waiting_approval'`
  expect(await queue.db.one(read)).toEqual({ n: 0 })
})

it.each([
  ['the option is missing', {}],
  ['the option is false', { cancelWithJob: false }],
])('goes on if %s', async (_, input) => {
  const id = await runAgent(input)
  await cancel(id)
  expect(await runs(id)).toEqual([{ status: 'waiting_approval' }])
})

it('goes on after the job has ended in another way', async () => {
  const id = await runAgent({ cancelWithJob: true, ends: true })
  await cancel(id)
  expect(await runs(id)).toEqual([{ status: 'waiting_approval' }])
})

it('is canceled with the flow run of the job', async () => {
  const { runId } = await startRunUnconditionally(queue.deps, {
    ...{ ws: WS, app: APP, flow: 'agents', input: {}, triggerKind: 'api' },
    ...{ createdBy: BY, permissionedAs: BY },
  })
  await runOne(queue, runner)
  const job = await queue.db.one(sql`SELECT id FROM jobs WHERE flow_run_id = ${runId}`)
  const id = String(job?.id)
  expect(await runs(id)).toEqual([{ status: 'waiting_approval' }])
  await cancelRunAs(queue.deps, { ws: WS, id: runId, reason: 'Not needed.' })
  await cancelMarkedRuns(queue.deps)
  expect(await runs(id)).toEqual([{ status: 'canceled' }])
})

it('is canceled with a later attempt of the flow step whose first attempt has started it', async () => {
  const { runId } = await startRunUnconditionally(queue.deps, {
    ...{ ws: WS, app: APP, flow: 'retried', input: {}, triggerKind: 'api' },
    ...{ createdBy: BY, permissionedAs: BY },
  })
  await runOne(queue, runner)
  const read = sql`SELECT id FROM jobs WHERE flow_run_id = ${runId} ORDER BY flow_attempt`
  const [first] = await queue.db.all(read)
  for (const _ of ['second', 'third']) {
    expect(await runs(String(first?.id))).toEqual([{ status: 'waiting_approval' }])
    await runOne(queue, runner)
  }
  expect(await queue.db.all(read)).toHaveLength(3)
  await cancelRunAs(queue.deps, { ws: WS, id: runId, reason: 'Not needed.' })
  await cancelMarkedRuns(queue.deps)
  expect(await runs(String(first?.id))).toEqual([{ status: 'canceled' }])
})

it('is refused to a function, which has no job', async () => {
  const starts = openFunctionStarts(
    { ...queue.deps, ...enqueueDepsOf(queue.deps) },
    { ws: WS, app: APP, name: 'hello', deployedBy: BY },
  )
  const call = { target: 'ask', number: 1, inputJson: '{}', options: { cancelWithJob: true } }
  await expect(starts.start({ ...call, kind: 'flow' })).rejects.toThrow('cancelWithJob is for jobs')
  await expect(starts.start({ ...call, kind: 'action', target: 'agent' })).rejects.toThrow(
    'cancelWithJob',
  )
})
