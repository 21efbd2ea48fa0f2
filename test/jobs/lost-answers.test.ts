/** Ends of attempts whose answer from the database is lost: the outcome is the same, and workers are woken for what waits again. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { createJobCompleter, type Ending } from '#service/queue/complete-job.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { changeWorkspace } from '#service/workspaces/change-workspace.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { completeJob } from '../support/complete-job.ts'
import { losingAnswers } from '../support/lost-answers.ts'
import { openQueue, QUEUE_ADMIN, type Queue, WS } from '../support/open-queue.ts'
import { openTemporaryDatabase } from '../support/temporary-database.ts'

const FAILURE = { kind: 'failure', error: { name: 'Oops', message: 'no' } } as const
const SUSPENDED = { kind: 'suspended', steps: ['nap'], failed: [], history: [] } as const

let queue: Queue
let isLosing = false
let woken: string[] = []
beforeAll(async () => {
  const opened = await openTemporaryDatabase(QUEUE_ADMIN)
  queue = await openQueue(losingAnswers(opened.db, () => isLosing))
  await queue.deploy({ key: 'greet', tag: 'greetings' }, { key: 'tell', tag: 'errors' })
  queue.deps.hints.jobQueued.subscribe((tag) => woken.push(tag))
  return opened.close
})
beforeEach(async () => {
  await queue.db.write([sql`DELETE FROM jobs WHERE status IN ('queued', 'running')`])
})

const claimOne = async (): Promise<ClaimedJob> => {
  const id = await queue.enqueue()
  const [job] = await queue.claim(1, ['greetings'])
  expect(job?.id).toBe(id)
  woken = []
  if (job === undefined) throw new Error('There was nothing to claim.')
  return job
}
const whileLosing = <T>(work: () => Promise<T>): Promise<T> => {
  isLosing = true
  return work().finally(() => {
    isLosing = false
  })
}
const end = (job: ClaimedJob, more: Pick<Ending, 'outcome'> & Partial<Ending>) =>
  whileLosing(() => completeJob(queue.deps, { job, retry: null, logs: [], ...more }))

it('an attempt is followed by one other', async () => {
  const retry = { maxAttempts: 3, delayMs: 0, backoffFactor: 1 }
  const job = await claimOne()
  await end(job, { outcome: FAILURE, retry })
  expect(woken).toEqual(['greetings'])
  expect(await queue.row(job.id)).toMatchObject({ status: 'queued', failure_count: 1 })
})

it('a job is suspended', async () => {
  const job = await claimOne()
  expect(await end(job, { outcome: SUSPENDED })).toBe('suspended')
  expect(woken).toEqual(['greetings'])
  expect(await queue.row(job.id)).toMatchObject({ status: 'queued', suspended_name: 'nap' })
})

it('the error handler of a job is queued once, and workers are woken for it', async () => {
  const change = { errorHandler: 'hello/tell' }
  await changeWorkspace(queue.deps, WS, { actor: CLI_ACTOR, change })
  const alone = await claimOne()
  expect(await end(alone, { outcome: FAILURE })).toBe('failure')
  expect(woken).toEqual(['errors'])
  const inBatch = await claimOne()
  const complete = createJobCompleter(queue.deps, () => true)
  const ending = { job: inBatch, outcome: FAILURE, retry: null, logs: [] }
  const listeners = { onQueued: () => undefined, onSuspended: () => undefined }
  expect(await whileLosing(() => complete({ ...ending, ...listeners }))).toBe('failure')
  expect(woken).toEqual(['errors'])
  const lost = await claimOne()
  await queue.db.write([sql`UPDATE jobs SET crash_count = 99 WHERE id = ${lost.id}`])
  await queue.expire(lost.id)
  await whileLosing(() => rescueJobs(queue.deps))
  expect(await queue.row(lost.id)).toMatchObject({ status: 'failure' })
  expect(woken).toEqual(['errors'])
  expect(await queue.claim(10, ['errors'])).toHaveLength(3)
  await changeWorkspace(queue.deps, WS, { actor: CLI_ACTOR, change: { errorHandler: null } })
})

it('an attempt that was rescued meanwhile is fenced', async () => {
  const job = await claimOne()
  await queue.expire(job.id)
  await whileLosing(() => rescueJobs(queue.deps))
  expect(woken).toEqual(['greetings'])
  const retry = { maxAttempts: 3, delayMs: 0, backoffFactor: 1 }
  expect(await end(job, { outcome: FAILURE, retry })).toBe('fenced')
  expect(await end(job, { outcome: SUSPENDED })).toBe('fenced')
  expect(await queue.row(job.id)).toMatchObject({ failure_count: 0, crash_count: 1 })
})
