/** Jobs that do not start within `startTimeoutS` of their action [jobs 21], on both databases. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { START_TIMEOUT } from '#core/job/start-timeout.ts'
import { correctRows } from '#service/nodes/correct-rows.ts'
import { cancelLate } from '#service/queue/cancel-late-jobs.ts'
import { handBackJobs } from '#service/queue/hand-back-jobs.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { recordJump } from '#store/nodes/clock-jumps.ts'
import { SQL_NOW, sql } from '#store/sql.ts'
import { findWorkDue } from '#store/work-due.ts'
import { completeJob } from '../support/complete-job.ts'
import { openQueue, QUEUE_BACKENDS, type Queue } from '../support/open-queue.ts'

const TIMEOUT_MS = 60_000
const QUIET_MS = 10_000
const timed = { startTimeoutS: TIMEOUT_MS / 1_000 }
const ACTIONS = [
  { key: 'greet' },
  { key: 'push', ...timed },
  { key: 'again', ...timed, retry: { maxAttempts: 2, delayMs: 0, backoffFactor: 1 } },
  { key: 'paced', ...timed, rate: { limit: 1, perS: 3_600, key: 'all' } },
  { key: 'merged', ...timed, debounce: { key: 'all', quietS: QUIET_MS / 1_000, maxS: 80_000 } },
] as const
const CANCELED = { status: 'canceled', cancel_by: START_TIMEOUT.by }

describe.each(QUEUE_BACKENDS)('start timeouts on %s', (_, openDatabase) => {
  let queue: Queue
  beforeAll(async () => {
    const opened = await openDatabase()
    queue = await openQueue(opened.db)
    await queue.deploy(...ACTIONS)
    return opened.close
  })
  beforeEach(() => queue.db.write([sql`DELETE FROM jobs`, sql`DELETE FROM rate_starts`]))

  /** Lets time pass by moving all times back. */
  const pass = (ms: number) =>
    queue.db.write([
      sql`UPDATE jobs SET start_by = start_by - ${ms}, run_at = run_at - ${ms} WHERE status = 'queued'`,
    ])
  /** Milliseconds from the job's creation to its latest start. */
  const windowOf = async (id: string) => {
    const { start_by: startBy, created_at: createdAt } = await queue.row(id)
    return Number(startBy) - Number(createdAt)
  }
  const only = (jobs: readonly ClaimedJob[]): ClaimedJob => {
    const [job] = jobs
    if (job === undefined || jobs.length > 1) throw new Error(`${jobs.length} jobs were claimed.`)
    return job
  }
  const fail = (job: ClaimedJob) =>
    completeJob(queue.deps, {
      job,
      outcome: { kind: 'failure', error: { name: 'Error', message: 'no' } },
      retry: { maxAttempts: 2, delayMs: 0, backoffFactor: 1 },
      logs: [],
    })

  it('let a job start in time', async () => {
    const id = await queue.enqueue({ action: 'push' })
    expect(await windowOf(id)).toBe(TIMEOUT_MS)
    await pass(TIMEOUT_MS - 5_000)
    expect(await cancelLate(queue.deps)).toEqual([])
    expect(only(await queue.claim(1))).toMatchObject({ id, isCanceled: false })
  })

  it('are those of actions that have one', async () => {
    const id = await queue.enqueue()
    expect(await queue.row(id)).toMatchObject({ start_by: null })
    expect((await findWorkDue(queue.db)).startTimeoutMs).toBeNull()
  })

  it('cancel a queued job that is late, with its billing row', async () => {
    const late = await queue.enqueue({ action: 'push' })
    expect((await findWorkDue(queue.db)).startTimeoutMs).toBeGreaterThan(TIMEOUT_MS - 30_000)
    await pass(TIMEOUT_MS + 1)
    const inTime = await queue.enqueue({ action: 'push' })
    expect((await findWorkDue(queue.db)).startTimeoutMs).toBeLessThan(0)
    expect(await cancelLate(queue.deps)).toEqual([late])
    expect(await queue.row(late)).toMatchObject({
      ...CANCELED,
      attempt: 0,
      result: JSON.stringify({ name: 'Canceled', message: START_TIMEOUT.reason }),
    })
    expect(await queue.ledger(late)).toMatchObject([{ outcome: 'canceled' }])
    expect(await queue.row(inTime)).toMatchObject({ status: 'queued' })
    expect(await cancelLate(queue.deps)).toEqual([])
  })

  it('mark a job that a worker claims too late, so that it ends without a run', async () => {
    const id = await queue.enqueue({ action: 'push' })
    await pass(TIMEOUT_MS + 1)
    const job = only(await queue.claim(1))
    expect(job).toMatchObject({ id, isCanceled: true })
    expect(await cancelLate(queue.deps)).toEqual([])
    const outcome = { kind: 'canceled' } as const
    expect(await completeJob(queue.deps, { job, outcome, retry: null, logs: [] })).toBe('canceled')
    expect(await queue.row(id)).toMatchObject({ ...CANCELED, cancel_reason: START_TIMEOUT.reason })
  })

  it('end with the first start', async () => {
    await queue.enqueue({ action: 'again' })
    expect(await fail(only(await queue.claim(1)))).toBe('retrying')
    await pass(TIMEOUT_MS + 1)
    expect(await cancelLate(queue.deps)).toEqual([])
    expect(only(await queue.claim(1)).isCanceled).toBe(false)
  })

  it('hold again for a job that is handed back before its script began', async () => {
    const id = await queue.enqueue({ action: 'push' })
    const job = only(await queue.claim(1))
    await handBackJobs(queue.deps, { jobs: [{ claim: job, started: false }] })
    await pass(TIMEOUT_MS + 1)
    expect(await cancelLate(queue.deps)).toEqual([id])
  })

  it('count from when the job is due', async () => {
    expect(await windowOf(await queue.enqueue({ action: 'push', delayMs: 5_000 }))).toBe(
      TIMEOUT_MS + 5_000,
    )
    const at = Date.now() + 3_600_000
    const later = await queue.enqueue({ action: 'push', scheduledFor: at })
    expect(await queue.row(later)).toMatchObject({ start_by: at + TIMEOUT_MS })
    const past = await queue.enqueue({ action: 'push', scheduledFor: 1 })
    expect(await windowOf(past)).toBe(TIMEOUT_MS)
  })

  it('count from the request, not from a place in a rate', async () => {
    await queue.enqueue({ action: 'paced' })
    const waiting = await queue.enqueue({ action: 'paced' })
    expect(await windowOf(waiting)).toBe(TIMEOUT_MS)
    expect(Number((await queue.row(waiting)).run_at)).toBeGreaterThan(Date.now() + 3_000_000)
    const held = await queue.enqueue({ action: 'push', requestedAt: Date.now() - TIMEOUT_MS - 1 })
    expect(await cancelLate(queue.deps)).toEqual([held])
  })

  it('let a late job take no start of its rate, also while all are taken', async () => {
    const late = await queue.enqueue({ action: 'paced' })
    await pass(TIMEOUT_MS + 1)
    const inTime = await queue.enqueue({ action: 'paced' })
    await queue.db.write([sql`UPDATE jobs SET run_at = ${SQL_NOW}, ready = 1`])
    expect(only(await queue.claim(1))).toMatchObject({ id: late, isCanceled: true })
    expect(only(await queue.claim(1))).toMatchObject({ id: inTime, isCanceled: false })
    const next = await queue.enqueue({ action: 'paced' })
    await queue.db.write([sql`UPDATE jobs SET run_at = ${SQL_NOW}, ready = 1 WHERE id = ${next}`])
    await pass(TIMEOUT_MS + 1)
    expect(only(await queue.claim(1))).toMatchObject({ id: next, isCanceled: true })
  })

  it('start again with the input of a later request', async () => {
    const id = await queue.enqueue({ action: 'merged', mayDebounce: true })
    expect(await windowOf(id)).toBe(QUIET_MS + TIMEOUT_MS)
    await pass(QUIET_MS + TIMEOUT_MS + 1)
    expect(await queue.enqueue({ action: 'merged', mayDebounce: true })).toBe(id)
    expect(await cancelLate(queue.deps)).toEqual([])
    expect(Number((await queue.row(id)).start_by)).toBeGreaterThan(Date.now() + TIMEOUT_MS)
  })

  /** Lets the clock jump: moves the times of what was queued before, and corrects them as a scheduler does. */
  const jump = async (byMs: number) => {
    await queue.db.write([
      sql`UPDATE jobs SET created_at = created_at - ${byMs}, start_by = start_by - ${byMs}, run_at = run_at - ${byMs},
        debounce_until = debounce_until - ${byMs}`,
    ])
    const { epoch } = await findWorkDue(queue.db)
    const seen = { id: queue.deps.newId(), epoch: epoch + 1, byMs, node: 'n', leaseMs: 1 }
    await queue.db.write(recordJump({ ...seen, windowMs: 0 }))
    expect(await correctRows(queue.db)).toBe('all')
  }
  const leftMs = async (id: string) =>
    Number((await queue.row(id)).start_by) - (await findWorkDue(queue.db)).now
  const HOUR_MS = 3_600_000

  it.each([[[HOUR_MS]], [[-HOUR_MS]], [[HOUR_MS, -HOUR_MS]], [[-HOUR_MS, HOUR_MS]]])(
    'are as long after jumps of the clock as before: %j',
    async (jumps) => {
      const due = await queue.enqueue({ action: 'push' })
      const first = await queue.enqueue({ action: 'paced' })
      const waiting = await queue.enqueue({ action: 'paced' })
      for (const byMs of jumps) await jump(byMs)
      for (const id of [due, first, waiting]) {
        expect(await leftMs(id)).toBeGreaterThan(TIMEOUT_MS - 30_000)
        expect(await leftMs(id)).toBeLessThanOrEqual(TIMEOUT_MS)
      }
      expect(await cancelLate(queue.deps)).toEqual([])
    },
  )

  it('begin with a jump of the clock forward over the time at which the job is due', async () => {
    const id = await queue.enqueue({ action: 'push', scheduledFor: Date.now() + HOUR_MS / 2 })
    await jump(HOUR_MS)
    expect(await leftMs(id)).toBeGreaterThan(TIMEOUT_MS - 30_000)
    expect(await leftMs(id)).toBeLessThanOrEqual(TIMEOUT_MS)
  })

  it.each([HOUR_MS, -HOUR_MS])(
    'keep their length for jobs that are due later: %i',
    async (byMs) => {
      const at = Date.now() + 2 * HOUR_MS
      const later = await queue.enqueue({ action: 'push', scheduledFor: at })
      const quiet = await queue.enqueue({ action: 'merged', mayDebounce: true })
      await jump(byMs)
      const { start_by: startBy, run_at: runAt } = await queue.row(later)
      expect(Number(startBy) - Number(runAt)).toBe(TIMEOUT_MS)
      expect(await leftMs(quiet)).toBeGreaterThan(TIMEOUT_MS - 30_000)
      expect(await leftMs(quiet)).toBeLessThanOrEqual(TIMEOUT_MS + QUIET_MS)
    },
  )

  it('cancel a page of each workspace in a turn', async () => {
    const ids = new Set<string>()
    for (let n = 0; n < 250; n += 1) ids.add(await queue.enqueue({ action: 'push' }))
    await pass(TIMEOUT_MS + 1)
    const first = await cancelLate(queue.deps)
    expect(first).toHaveLength(200)
    expect(new Set([...first, ...(await cancelLate(queue.deps))])).toEqual(ids)
  })
})
