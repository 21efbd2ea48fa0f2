/** The log output of a flow step's job is complete when the job has ended [jobs 6.1]. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cancelJob } from '#service/queue/cancel-job.ts'
import type { RunOutcome } from '#service/queue/complete-job.ts'
import { createJobLog } from '#service/queue/job-log.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { completeJob } from '../support/complete-job.ts'
import { ADMIN, WS } from '../support/create-test-app.ts'
import { FLOW_RUNS, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'
import { adminSession } from '../support/principals.ts'

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({
    actions: { talk: () => 1 },
    flows: [
      { key: 'one', steps: [{ key: 'a', action: 'talk' }] },
      {
        key: 'two',
        steps: [
          { key: 'a', action: 'talk' },
          { key: 'b', action: 'talk' },
        ],
      },
      {
        key: 'wide',
        steps: [{ key: 'a', kind: 'forloop_parallel', action: 'talk', items: [1, 2, 3] }],
      },
    ],
  })
})
afterAll(() => caller.app.close())

/** Ends a job like a worker whose last output was never flushed. */
const endWithLog = async (job: ClaimedJob, outcome: RunOutcome, text: string): Promise<string> => {
  const { deps } = caller.app
  const log = createJobLog({
    claim: job,
    now: () => Date.now(),
    write: (statements) => deps.db.write(statements, { retry: true }),
    onWritten: () => undefined,
  })
  log.append(text, 'stdout')
  return completeJob(deps, { job, outcome, retry: null, logs: await log.finish() })
}

const logOf = async (id: string): Promise<string> =>
  (await caller.call('GET', `/api/w/${WS}/jobs/${id}/logs`)).text

const claimOne = async (): Promise<ClaimedJob> => {
  const [job] = await caller.claim()
  if (job === undefined) throw new Error('No job is queued.')
  return job
}

const DONE: RunOutcome = { kind: 'success', resultJson: '1' }
const FAILED: RunOutcome = {
  kind: 'failure',
  error: { name: 'Error', message: 'no' },
}

describe('the log of a step', () => {
  it.each([
    ['that succeeds', 'one', DONE],
    ['that fails', 'one', FAILED],
    ['that another step follows', 'two', DONE],
  ])('%s is whole', async (_, flow, outcome) => {
    await caller.start(flow)
    const job = await claimOne()
    await endWithLog(job, outcome, 'the last line\n')
    expect(await logOf(job.id)).toBe('the last line\n')
    await caller.work()
  })

  it('that was to be canceled is whole', async () => {
    await caller.start('one')
    const job = await claimOne()
    const { deps } = caller.app
    await cancelJob(deps, { ws: WS, id: job.id, caller: adminSession(ADMIN), reason: null })
    expect(await endWithLog(job, { kind: 'canceled' }, 'stopped here\n')).toBe('canceled')
    expect(await logOf(job.id)).toBe('stopped here\n')
  })

  it('of a run that was canceled meanwhile is whole', async () => {
    const id = await caller.start('one')
    const job = await claimOne()
    await caller.call('POST', `${FLOW_RUNS}/${id}/cancel`, {})
    await endWithLog(job, { kind: 'canceled' }, 'too late\n')
    expect(await logOf(job.id)).toBe('too late\n')
  })

  it('is each item’s own when items end together', async () => {
    await caller.start('wide')
    const jobs = await caller.claim()
    await Promise.all(jobs.map((job) => endWithLog(job, DONE, `item ${job.id}\n`)))
    for (const { id } of jobs) expect(await logOf(id)).toBe(`item ${id}\n`)
  })
})
