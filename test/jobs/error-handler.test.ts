/** The promise of a workspace's error handler: one job for each job that fails, in the write that ends it. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import type { RunOutcome } from '#service/queue/complete-job.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { changeWorkspace } from '#service/workspaces/change-workspace.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { completeJob } from '../support/complete-job.ts'
import { openQueue, QUEUE_BACKENDS, type Queue, WS } from '../support/open-queue.ts'

const OOPS: RunOutcome = {
  kind: 'failure',
  error: { name: 'Oops', message: 'no' },
}

describe.each(QUEUE_BACKENDS)('the error handler on %s', (_, openDatabase) => {
  let queue: Queue
  beforeAll(async () => {
    const opened = await openDatabase()
    queue = await openQueue(opened.db)
    await queue.deploy({ key: 'greet' }, { key: 'tell', tag: 'errors' })
    return opened.close
  })
  beforeEach(async () => {
    await queue.db.write([sql`DELETE FROM jobs WHERE status IN ('queued', 'running')`])
    await setHandler('hello/tell')
  })

  const setHandler = (errorHandler: string | null) =>
    changeWorkspace(queue.deps, WS, { actor: CLI_ACTOR, change: { errorHandler } })
  const claimOne = async (tag = 'default'): Promise<ClaimedJob> => {
    const [job] = await queue.claim(1, [tag])
    if (job === undefined) throw new Error(`There was nothing to claim under ${tag}.`)
    return job
  }
  const end = (job: ClaimedJob, outcome: RunOutcome) =>
    completeJob(queue.deps, { job, outcome, retry: null, logs: [] })
  const handlerJobs = () => queue.claim(10, ['errors'])
  const fail = async (): Promise<string> => {
    const id = await queue.enqueue()
    await end(await claimOne(), OOPS)
    return id
  }

  it('is run once for a job that failed, with its id and error', async () => {
    const woken: string[] = []
    const unsubscribe = queue.deps.hints.jobQueued.subscribe((tag) => woken.push(tag))
    const id = await fail()
    unsubscribe()
    const [handler, ...more] = await handlerJobs()
    expect(more).toEqual([])
    expect(handler).toMatchObject({ app: 'hello', action: 'tell', triggerKind: 'error_handler' })
    expect(JSON.parse(handler?.inputJson ?? '')).toEqual({
      job_id: id,
      workspace: WS,
      app: 'hello',
      action: 'greet',
      attempt: 1,
      error: { name: 'Oops', message: 'no' },
    })
    expect(await queue.row(handler?.id ?? '')).toMatchObject({
      created_by: `error_handler:${id}`,
      permissioned_as: `error_handler:${id}`,
    })
    expect(woken).toContain('errors')
  })

  it('gets the attempt that people see, also of a job that was suspended', async () => {
    await queue.enqueue()
    const suspended = { kind: 'suspended', steps: [], failed: [], history: [] } as const
    expect(await end(await claimOne(), suspended)).toBe('suspended')
    await end(await claimOne(), OOPS)
    const [handler] = await handlerJobs()
    expect(JSON.parse(handler?.inputJson ?? '')).toMatchObject({ attempt: 1 })
  })

  it('is run for a job whose workers were lost too often, not before', async () => {
    const id = await queue.enqueue()
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await handlerJobs()).toEqual([])
      await claimOne()
      await queue.expire(id)
      await rescueJobs(queue.deps)
    }
    const [handler] = await handlerJobs()
    expect(JSON.parse(handler?.inputJson ?? '')).toMatchObject({
      job_id: id,
      error: { name: 'WorkerLost' },
    })
  })

  it('is not run for a success, a cancel or a later try', async () => {
    await queue.enqueue()
    await end(await claimOne(), { kind: 'success', resultJson: '1' })
    await queue.enqueue()
    await end(await claimOne(), { kind: 'canceled' })
    await queue.enqueue()
    await completeJob(queue.deps, {
      job: await claimOne(),
      outcome: OOPS,
      retry: { maxAttempts: 2, delayMs: 0, backoffFactor: 1 },
      logs: [],
    })
    expect(await handlerJobs()).toEqual([])
  })

  it('is not run for its own failure', async () => {
    await fail()
    await end(await claimOne('errors'), OOPS)
    expect(await handlerJobs()).toEqual([])
  })

  it('is not run for the trial of a draft, which its person looks at', async () => {
    const id = await queue.enqueue()
    await queue.db.write([sql`UPDATE jobs SET app = 'hello--try-0123abcd' WHERE id = ${id}`])
    await end(await claimOne(), OOPS)
    expect(await queue.row(id)).toMatchObject({ status: 'failure' })
    expect(await handlerJobs()).toEqual([])
  })

  it('is not run for the late word of a lost worker', async () => {
    const id = await queue.enqueue()
    const late = await claimOne()
    await queue.expire(id)
    await rescueJobs(queue.deps)
    expect(await end(late, OOPS)).toBe('fenced')
    expect(await handlerJobs()).toEqual([])
  })

  it.each([null, 'hello/gone', 'gone/gone'])(
    'that is %s does not keep jobs from ending',
    async (handler) => {
      await queue.db.write([sql`UPDATE workspaces SET error_handler = ${handler} WHERE id = ${WS}`])
      const id = await fail()
      expect(await queue.row(id)).toMatchObject({ status: 'failure' })
      expect(await handlerJobs()).toEqual([])
    },
  )
})
