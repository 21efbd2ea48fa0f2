/** The duration of a durable job in the ledger: the time that it ran, without its suspensions. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { cancelJob } from '#service/queue/cancel-job.ts'
import type { JobRunner } from '#service/queue/run-job.ts'
import { asNumber } from '#store/column.ts'
import { findJob } from '#store/jobs/read.ts'
import { sql } from '#store/sql.ts'
import { BY, type Queue, WS } from '../support/open-queue.ts'
import { openRunner } from '../support/open-runner.ts'
import { adminSession } from '../support/principals.ts'
import { deployCode, passTime, runOne } from './run-durable.ts'

/** Milliseconds of work before the first suspension. */
const WORK_MS = 300
const WORK = `await new Promise((go) => setTimeout(go, ${WORK_MS}))`
const ACTIONS = {
  ends: `export const main = async (ctx) => {
    await ctx.step('work', async () => { ${WORK} })
    await ctx.sleep('pause', { days: 1 })
  }`,
  fails: `export const main = async (ctx) => {
    await ctx.step('work', async () => { ${WORK} })
    await ctx.sleep('pause', { days: 1 })
    throw new Error('no')
  }`,
  later: `export const main = async (ctx) => {
    ${WORK}
    await ctx.sleep('pause', { days: 1 })
    throw new Error('no')
  }`,
}

let queue: Queue
let runner: JobRunner
let close: () => Promise<void>

beforeAll(async () => {
  ;({ queue, runner, close } = await openRunner())
  await deployCode(queue, ACTIONS, {
    fails: ', retry: { maxAttempts: 2, delayMs: 0 }',
    later: ', retry: { maxAttempts: 2, delayMs: 60000 }',
  })
})
afterAll(() => close())
afterEach(() => queue.db.write([sql`DELETE FROM jobs WHERE status IN ('queued', 'running')`]))

/** Enqueues a job and runs it until its first suspension. */
const suspend = async (action: keyof typeof ACTIONS): Promise<string> => {
  const id = await queue.enqueue({ action, input: {} })
  expect(await runOne(queue, runner)).toMatchObject({ id, ended: 'suspended' })
  return id
}

/** Returns the duration in the ledger, and checks that the job shows the same. */
const durationOf = async (id: string): Promise<number> => {
  const entry = await queue.db.one(sql`SELECT duration_ms FROM ledger WHERE job_id = ${id}`)
  expect((await findJob(queue.db, WS, id))?.durationMs).toBe(entry?.duration_ms)
  return asNumber(entry?.duration_ms ?? null)
}

/** Far less than the day of the suspension, which must not count. */
const MOST_MS = 60_000

it('is that of all stretches', async () => {
  const id = await suspend('ends')
  expect((await findJob(queue.db, WS, id))?.durationMs).toBeNull()
  await passTime(queue, id)
  expect(await runOne(queue, runner)).toMatchObject({ id, ended: 'success' })
  expect(await durationOf(id)).toBeGreaterThanOrEqual(WORK_MS)
  expect(await durationOf(id)).toBeLessThan(MOST_MS)
})

it('is that of the stretches before a cancel', async () => {
  const id = await suspend('ends')
  await cancelJob(queue.deps, { ws: WS, id, caller: adminSession(BY), reason: null })
  expect(await durationOf(id)).toBeGreaterThanOrEqual(WORK_MS)
  expect(await durationOf(id)).toBeLessThan(MOST_MS)
})

it('is that of the attempt that failed, if a job is canceled before its retry', async () => {
  const id = await suspend('later')
  await passTime(queue, id)
  expect(await runOne(queue, runner)).toMatchObject({ id, ended: 'retrying' })
  await cancelJob(queue.deps, { ws: WS, id, caller: adminSession(BY), reason: null })
  // both stretches of the attempt
  expect(await durationOf(id)).toBeGreaterThanOrEqual(2 * WORK_MS)
  expect(await durationOf(id)).toBeLessThan(MOST_MS)
})

it('is 0 for a job that is canceled before its first attempt', async () => {
  const id = await queue.enqueue({ action: 'ends', input: {} })
  await cancelJob(queue.deps, { ws: WS, id, caller: adminSession(BY), reason: null })
  expect(await durationOf(id)).toBe(0)
})

it('begins again with the next attempt', async () => {
  const id = await suspend('fails')
  await passTime(queue, id)
  expect(await runOne(queue, runner)).toMatchObject({ id, ended: 'retrying' })
  expect(await runOne(queue, runner)).toMatchObject({ id, ended: 'failure' })
  expect(await durationOf(id)).toBeLessThan(WORK_MS)
})
