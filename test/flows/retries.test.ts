/** Retries of a step: the step's `retry` replaces its action's, and the run shows the actual attempts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { sql } from '#store/sql.ts'
import { type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

const retry = (maxAttempts: number) => ({ maxAttempts, delayMs: 0, backoffFactor: 1 })
const OF_ACTION = retry(4)

const fail = () => {
  throw new Error('no')
}
const throws = (name: string) => () => {
  throw Object.assign(new Error('no'), { name })
}
const seen: string[] = []

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({
    actions: {
      fail,
      failOnce: fail,
      decline: throws('CardDeclined'),
      final: throws('NonRetryableError'),
      fragile: fail,
      tell: () => {
        seen.push('tell')
        return fail()
      },
    },
    definitions: {
      fail: { retry: OF_ACTION },
      tell: { retry: retry(2) },
      fragile: { onWorkerLost: 'fail' },
    },
    flows: [
      { key: 'own', steps: [{ key: 's', action: 'fail', retry: retry(3) }] },
      { key: 'taken', steps: [{ key: 's', action: 'fail' }] },
      {
        key: 'declined',
        steps: [{ key: 's', action: 'decline', retry: { ...retry(3), notOn: ['CardDeclined'] } }],
      },
      { key: 'final', steps: [{ key: 's', action: 'final', retry: retry(3) }] },
      { key: 'lost', steps: [{ key: 's', action: 'failOnce', retry: retry(3) }] },
      { key: 'fragile', steps: [{ key: 's', action: 'fragile', retry: retry(3) }] },
      { key: 'none', steps: [{ key: 's', action: 'failOnce' }] },
      { key: 'once', steps: [{ key: 's', action: 'fail', retry: retry(1) }] },
      {
        key: 'loop',
        steps: [{ key: 's', kind: 'forloop', action: 'fail', items: [1, 2], retry: retry(2) }],
      },
      {
        key: 'arms',
        steps: [
          {
            key: 's',
            kind: 'branchall',
            branches: [{ key: 'x', action: 'fail' }],
          },
        ],
      },
      {
        // the step's own `retry` does not count [flows 2.2], because the arm's action decides
        key: 'arm',
        steps: [
          {
            key: 's',
            kind: 'branchone',
            retry: retry(2),
            branches: [{ key: 'x', condition: 'true', action: 'fail' }],
          },
        ],
      },
      {
        key: 'module',
        steps: [{ key: 's', action: 'failOnce' }],
        failureModule: { key: 'oops', action: 'tell' },
      },
    ],
  })
})
afterAll(() => caller.app.close())

describe('a step', () => {
  it.each([
    ['with a retry of its own', 'own', 3],
    ['without one takes its action’s', 'taken', 4],
    ['without any is tried once', 'none', 1],
    ['may ask for a single try of an action that has more', 'once', 1],
    ['that is a loop', 'loop', 2],
    ['that is a branchall takes the arm’s', 'arms', 4],
    ['that is a branchone takes the arm’s', 'arm', 4],
  ])('%s', async (_, flow, attempts) => {
    const id = await caller.start(flow)
    expect(await caller.work()).toBe(attempts)
    const run = await caller.run(id)
    expect(run).toMatchObject({
      status: 'failed',
      steps: [{ status: 'failure', attempt: attempts, max_attempts: attempts }],
    })
    expect(run.steps[0]?.job_ids).toHaveLength(attempts)
    const jobs = await caller.app.deps.db.all(
      sql`SELECT attempt, max_attempts FROM jobs WHERE flow_run_id = ${id}`,
    )
    for (const job of jobs) expect(job).toEqual({ attempt: 1, max_attempts: 1 })
  })

  it.each([
    ['notOn names', 'declined'],
    ['is a NonRetryableError', 'final'],
  ])('is not tried again after an error that %s', async (_, flow) => {
    const id = await caller.start(flow)
    expect(await caller.work()).toBe(1)
    expect(await caller.run(id)).toMatchObject({
      status: 'failed',
      steps: [{ status: 'failure', attempt: 1, max_attempts: 3 }],
    })
  })

  it.each([
    ['after the last crash that a job may have', 'lost', 3],
    ['after the first crash of an action that may not run twice', 'fragile', 1],
  ])('is not tried again %s', async (_, flow, crashes) => {
    const id = await caller.start(flow)
    for (let crash = 0; crash < crashes; crash += 1) {
      const [job] = await caller.claim(1)
      await caller.app.deps.db.write([
        sql`UPDATE jobs SET lease_until = 1 WHERE id = ${job?.id ?? ''}`,
      ])
      await rescueJobs(caller.app.deps)
    }
    expect(await caller.run(id)).toMatchObject({
      status: 'failed',
      error: { name: 'WorkerLost' },
      steps: [{ status: 'failure', attempt: 1, max_attempts: 3 }],
    })
  })

  it('that is the failure module takes its action’s', async () => {
    const id = await caller.start('module')
    await caller.work()
    expect(seen).toEqual(['tell', 'tell'])
    expect(await caller.run(id)).toMatchObject({
      status: 'failed',
      error: { message: 'no' },
      steps: [{}, { kind: 'failure_module', status: 'failure', attempt: 2, max_attempts: 2 }],
    })
  })
})
