/** A durable job may have recorded thousands of steps and draws. Other work goes on while svc reads them for its next attempt. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stepCipher } from '#service/durable/cipher.ts'
import { openDurable } from '#service/durable/open-durable.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { openJobCalls } from '#service/starts/start-work.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { WS } from '../support/create-test-app.ts'
import { APP, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'
import { leastLongestTurnMs } from '../support/longest-turn.ts'

const MOST_MS = 50
const COUNT = 5_000

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({ flows: [], actions: { echo: (input) => input } })
})
afterAll(() => caller.app.close())

/** Records steps with a draw before each. */
const recordSteps = async (job: ClaimedJob): Promise<void> => {
  const { db, keyring } = caller.app.deps
  const cipher = stepCipher(keyring, { ...job, jobId: job.id })
  const all = Array.from({ length: COUNT }, (_, at) => {
    const name = `step-${at}`
    return [at, name, cipher.seal(name, 'result', '1'), cipher.seal(`${at}`, 'history', `[${at}]`)]
  })
  const each = sql`json_each(${JSON.stringify(all)})`
  await db.write([
    sql`INSERT INTO job_steps (job_id, position, name, kind, status, attempts, started_at, completed_at, result)
      SELECT ${job.id}, value ->> 0, value ->> 1, 'step', 'success', 1, 1, 1, value ->> 2 FROM ${each}`,
    sql`INSERT INTO job_history (job_id, first, entries) SELECT ${job.id}, value ->> 0, value ->> 3 FROM ${each}`,
  ])
}

it('reads the first page of thousands of steps and all draws in portions', async () => {
  await caller.call('POST', `/api/w/${WS}/jobs/run/${APP}/echo`, {})
  const [job] = await caller.claim(1)
  if (job === undefined) throw new Error('There was nothing to claim.')
  await recordSteps(job)
  const deps = { ...caller.app.deps, ...enqueueDepsOf(caller.app.deps) }
  const calls = openJobCalls(deps, { app: APP, claim: job, traceparent: null })
  let drawn: readonly unknown[] = []
  let steps = 0
  const ms = await leastLongestTurnMs(async () => {
    const { journal } = await openDurable(deps, { ...job, attempt: 2 }, calls)
    drawn = journal.history
    steps = journal.steps.length
  })
  expect(ms).toBeLessThan(MOST_MS)
  expect(drawn).toEqual(Array.from({ length: COUNT }, (_, at) => at))
  expect(steps).toBeGreaterThan(1_000)
})
