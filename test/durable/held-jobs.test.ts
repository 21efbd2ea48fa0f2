/** What a script may write after the end of its lease [jobs 8.13], and after the cancel of its job [durable 3.3]. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openAppState } from '#service/apps/app-state.ts'
import { type OpenedDurable, openDurable } from '#service/durable/open-durable.ts'
import { cancelAs } from '#service/queue/cancel-job.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { openJobCalls, openJobStarts } from '#service/starts/start-work.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { APP, openQueue, type Queue, WS } from '../support/open-queue.ts'
import { openTemporaryDatabase } from '../support/temporary-database.ts'

let queue: Queue
let job: ClaimedJob
let durable: OpenedDurable

beforeAll(async () => {
  const opened = await openTemporaryDatabase()
  queue = await openQueue(opened.db)
  await queue.deploy({ key: 'greet' })
  return opened.close
})

beforeEach(async () => {
  await queue.db.write([sql`DELETE FROM jobs`])
  await queue.enqueue()
  const [claimed] = await queue.claim(1)
  if (claimed === undefined) throw new Error('There was nothing to claim.')
  job = claimed
  durable = await openDurable(queue.deps, job, openJobCalls(startDeps(), starting()))
})

const startDeps = () => ({ ...queue.deps, ...enqueueDepsOf(queue.deps) })
const starting = () => ({ app: APP, claim: job, traceparent: null })

const writes = {
  step: () =>
    durable.record({
      ...{ name: 'charge', position: 1, history: [], tries: 1, tookMs: 5 },
      end: { status: 'success', valueJson: '1' },
    }),
  sleep: () => durable.begin({ name: 'nap', position: 2, history: [], kind: 'sleep', ms: 60_000 }),
  event: () =>
    durable.begin({
      ...{ name: 'paid', position: 3, history: [], kind: 'event' },
      ...{ event: 'paid', key: null, timeoutMs: 60_000 },
    }),
  call: () =>
    durable.begin({
      ...{ name: 'call', position: 4, history: [], kind: 'job' },
      ...{ calls: 'action', target: 'greet', options: {}, inputJson: '{}' },
    }),
} as const

const others = {
  run: () =>
    openJobStarts(startDeps(), starting()).start({
      ...{ kind: 'action', target: 'greet', options: {}, inputJson: '{}', number: 1 },
    }),
  state: () => openAppState(queue.deps, { ws: WS, app: APP, writer: { claim: job } }).set('k', '1'),
} as const

describe.each(Object.entries({ ...writes, ...others }))('%s', (_name, write) => {
  it('is written after the end of the lease while no other attempt has the job, as after a jump of the clock', async () => {
    await queue.expire(job.id)
    await expect(write()).resolves.not.toThrow()
  })

  it('is refused once the job was rescued', async () => {
    await queue.expire(job.id)
    expect(await rescueJobs(queue.deps)).toMatchObject([{ id: job.id, status: 'queued' }])
    await expect(write()).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('is refused after the end of the lease while the workspace moves', async () => {
    await queue.expire(job.id)
    await queue.db.write([
      sql`INSERT INTO held_workspaces (ws, file_id, since) VALUES (${WS}, 'm', 1)`,
    ])
    await expect(write()).rejects.toMatchObject({ kind: 'conflict' })
    await queue.db.write([sql`DELETE FROM held_workspaces`])
  })
})

const cancel = () =>
  cancelAs(startDeps(), { ws: WS, id: job.id, by: 'ada', reason: 'enough' }, 'running')

describe('a canceled script', () => {
  it.each(Object.entries(writes))('gets Canceled from a durable call: %s', async (_name, write) => {
    expect(await cancel()).toBe('marked')
    await expect(write()).rejects.toMatchObject({
      kind: 'conflict',
      code: 'canceled',
      message: 'The job was canceled: it records no further step.',
    })
    expect(await queue.db.all(sql`SELECT name FROM job_steps WHERE job_id = ${job.id}`)).toEqual([])
  })

  it.each(Object.entries(others))('may go on with %s', async (_name, write) => {
    await cancel()
    await expect(write()).resolves.not.toThrow()
  })
})
