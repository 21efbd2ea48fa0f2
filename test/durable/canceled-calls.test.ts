/** Jobs that a canceled job has called [durable 3.3, 3.5], without a sandbox. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OpenedDurable, openDurable } from '#service/durable/open-durable.ts'
import { findCalledJobs } from '#service/queue/called-jobs.ts'
import { cancelAs } from '#service/queue/cancel-job.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { openJobCalls } from '#service/starts/start-work.ts'
import type { Database } from '#store/database.ts'
import { cancelStepJobs, listOpenStepJobs } from '#store/flows/cancel-children.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { text } from '#store/row.ts'
import { raw, sql, TRUE } from '#store/sql.ts'
import { completeJob } from '../support/complete-job.ts'
import { WS } from '../support/create-test-app.ts'
import { APP, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'
import { leastLongestTurnMs } from '../support/longest-turn.ts'
import { ADMIN, openTestWorkspace } from '../support/test-workspace.ts'

const JOBS = `/api/w/${WS}/jobs`

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({
    // the check writes each batch again
    app: { checksBatches: false },
    flows: [{ key: 'one', steps: [{ key: 'first', action: 'echo' }] }],
    actions: { echo: (input) => input, other: (input) => input },
  })
})
afterAll(() => caller.app.close())

const claimOne = async (): Promise<ClaimedJob> => {
  const [job] = await caller.claim(1)
  if (job === undefined) throw new Error('There was nothing to claim.')
  return job
}
const call = async (job: ClaimedJob): ReturnType<OpenedDurable['begin']> => {
  const deps = { ...caller.app.deps, ...enqueueDepsOf(caller.app.deps) }
  const calls = openJobCalls(deps, { app: APP, claim: job, traceparent: null })
  const durable = await openDurable(deps, job, calls)
  const step = {
    kind: 'job',
    calls: 'action',
    name: 'call',
    position: 0,
    target: 'other',
    options: {},
  } as const
  return durable.begin({ ...step, inputJson: '{}', history: [] })
}
const cancel = async ({ id }: ClaimedJob) =>
  (await caller.call('POST', `${JOBS}/${id}/cancel`, {})).json
const listCalled = ({ id }: ClaimedJob) =>
  caller.app.deps.db.all(sql`SELECT status FROM jobs WHERE called_by = ${id}`)

it('a suspended job of a flow is canceled with the job that it called', async () => {
  const run = await caller.start('one')
  const job = await claimOne()
  await call(job)
  const outcome = { kind: 'suspended', steps: ['call'], failed: [], history: [] } as const
  await completeJob(caller.app.deps, { job, outcome, retry: null, logs: [] })
  expect(await listCalled(job)).toEqual([{ status: 'queued' }])
  expect(await cancel(job)).toMatchObject({ completed_now: true })
  expect(await listCalled(job)).toEqual([{ status: 'canceled' }])
  expect((await caller.run(run)).status).toBe('failed')
})

it('a job whose cancel was requested calls no further job', async () => {
  await caller.call('POST', `${JOBS}/run/${APP}/echo`, {})
  const job = await claimOne()
  expect(await cancel(job)).toMatchObject({ soft_canceled: true })
  await expect(call(job)).rejects.toMatchObject({ kind: 'conflict' })
  expect(await listCalled(job)).toEqual([])
})

const CALLED = 4_000

/** Inserts jobs that the job has called, and as many that the first of them has called. */
const insertCalled = async (db: Database, parent: string): Promise<void> => {
  const columns = await text.all(db, sql`SELECT name FROM pragma_table_info('jobs')`)
  const first = `'${parent}-called-1'`
  const values = columns.map((column) => {
    if (column === 'id') return `j.id || '-called-' || n.at`
    if (column === 'called_by') return `iif(n.at > ${CALLED / 2}, ${first}, j.id)`
    return `j."${column}"`
  })
  await db.write([
    raw(`WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ${CALLED})
      INSERT INTO jobs (${columns.map((column) => `"${column}"`).join(', ')})
      SELECT ${values.join(', ')} FROM n, jobs j WHERE j.id = '${parent}'`),
  ])
}

it('a job is canceled with thousands of jobs that it called, without blocking others', async () => {
  const place = await openTestWorkspace()
  await place.deploy()
  const parents: string[] = []
  for (let at = 0; at < 4; at += 1) {
    const id = await place.enqueue()
    await insertCalled(place.db, id)
    parents.push(id)
  }
  const cancel = { ws: WS, by: ADMIN, reason: 'No longer needed.' }
  const turn = await leastLongestTurnMs(
    (at) => cancelAs(place.deps, { ...cancel, id: parents[at] ?? '' }, 'queued'),
    { enoughMs: 0 },
  )
  expect(turn).toBeLessThan(50)
  const ended = await place.db.one(
    sql`SELECT count(*) AS jobs, count(l.job_id) AS billed FROM jobs j LEFT JOIN ledger l ON l.job_id = j.id
      WHERE j.status = 'canceled' AND j.id GLOB '*-called-*'`,
  )
  expect(ended).toEqual({ jobs: 4 * CALLED, billed: 4 * CALLED })
  await place.close()
})

it('a flow step is left by thousands of jobs that its job called or that have ended, without blocking others', async () => {
  const place = await openTestWorkspace()
  const { db, deps } = place
  await place.deploy()
  const steps: { ws: string; runId: string; index: number }[] = []
  for (let at = 0; at < 4; at += 1) {
    const [job, ended] = [await place.enqueue(), await place.enqueue()]
    const step = { ws: WS, runId: `run-${at}`, index: 0 }
    await insertCalled(db, job)
    await insertCalled(db, ended)
    await db.write([
      sql`UPDATE jobs SET flow_run_id = ${step.runId}, flow_index = 0 WHERE id = ${job}`,
      sql`UPDATE jobs SET flow_run_id = ${step.runId}, flow_index = 0, status = 'success', completed_at = 1, called_by = NULL
        WHERE id = ${ended} OR id GLOB ${`${ended}-called-*`}`,
    ])
    steps.push(step)
  }
  const cause = { by: ADMIN, reason: 'No longer needed.' }
  const turn = await leastLongestTurnMs(
    async (at) => {
      const step = steps[at] ?? { ws: WS, runId: '', index: 0 }
      const known = await findCalledJobs(deps, WS, await listOpenStepJobs(db, step))
      await db.write(cancelStepJobs({ ...step, ...cause }, known, TRUE))
    },
    { enoughMs: 0 },
  )
  expect(turn).toBeLessThan(50)
  const counted = await db.all(
    sql`SELECT status, count(*) AS jobs, count(l.job_id) AS billed FROM jobs j LEFT JOIN ledger l ON l.job_id = j.id
      GROUP BY status ORDER BY status`,
  )
  expect(counted).toEqual([
    { status: 'canceled', jobs: 4 * (CALLED + 1), billed: 4 * (CALLED + 1) },
    { status: 'success', jobs: 4 * (CALLED + 1), billed: 0 },
  ])
  await place.close()
}, 60_000)
