/** Steps whose job does not start within the start timeout of its action [jobs 21]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { START_TIMEOUT } from '#core/job/start-timeout.ts'
import { cancelLate } from '#service/queue/cancel-late-jobs.ts'
import { sql } from '#store/sql.ts'
import { completeJob } from '../support/complete-job.ts'
import { type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

const ERROR = { name: 'Canceled', message: START_TIMEOUT.reason }
const FLOWS = [
  {
    key: 'notify',
    steps: [{ key: 'push', action: 'push', retry: { maxAttempts: 3, delayMs: 0 } }],
    failureModule: { key: 'report', action: 'report', input: { step: `\${failedStep}` } },
  },
]

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({
    flows: FLOWS,
    actions: { push: () => 'sent', report: (input) => input },
    definitions: { push: { startTimeoutS: 60 } },
  })
})
afterAll(() => caller.app.close())

/** Starts a run whose step is late. */
const startLate = async (): Promise<string> => {
  const id = await caller.start('notify')
  const late = sql`UPDATE jobs SET start_by = 1 WHERE flow_run_id = ${id}`
  expect((await caller.app.deps.db.write([late]))[0]?.changes).toBe(1)
  return id
}

const expectFailed = async (id: string): Promise<void> => {
  await caller.work()
  expect(await caller.run(id)).toMatchObject({
    status: 'failed',
    error: ERROR,
    steps: [{ key: 'push', status: 'failure', attempt: 1, error: ERROR }, { key: 'report' }],
  })
}

describe('a step that does not start in time', () => {
  it('fails, without a retry, while it is queued', async () => {
    const id = await startLate()
    expect(await cancelLate(caller.app.deps)).toHaveLength(1)
    expect(await cancelLate(caller.app.deps)).toEqual([])
    await expectFailed(id)
  })

  it('fails, without a retry, when a worker claims it too late', async () => {
    const id = await startLate()
    const [job] = await caller.claim()
    if (job === undefined) throw new Error('The job was not claimed.')
    expect(job.isCanceled).toBe(true)
    const outcome = { kind: 'canceled' } as const
    const end = { job, outcome, retry: { maxAttempts: 3, delayMs: 0, backoffFactor: 1 }, logs: [] }
    expect(await completeJob(caller.app.deps, end)).toBe('canceled')
    await expectFailed(id)
  })
})
