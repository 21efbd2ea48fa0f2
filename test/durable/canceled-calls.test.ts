/** Jobs that a canceled job has called [durable 3.3, 3.5], without a sandbox. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OpenedDurable, openDurable } from '#service/durable/open-durable.ts'
import { completeJob } from '#service/queue/complete-job.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { openJobCalls } from '#service/starts/start-work.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { WS } from '../support/create-test-app.ts'
import { APP, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

const JOBS = `/api/w/${WS}/jobs`

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({
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
  const step = { kind: 'job', name: 'call', position: 0, target: 'other', options: {} } as const
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
  const outcome = { kind: 'suspended', steps: ['call'], failed: [], history: null } as const
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
