/** Retention of jobs and events with large values lets other work run. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepExpired, sweepJobs } from '#service/sweep.ts'
import { sql } from '#store/sql.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { insertJobs } from '../support/insert-job.ts'
import { leastLongestTurnMs } from '../support/longest-turn.ts'

const { signal } = new AbortController()
const MOST_MS = 50
const MEGABYTE = sql`hex(zeroblob(500000))`
const DAY_MS = 86_400_000

let app: TestApp
let deploymentId = ''
beforeAll(async () => {
  app = await createTestApp({ checksBatches: false })
  deploymentId = await deployActions(app.deps, [{ ws: WS, app: 'hello', key: 'greet' }])
})
afterAll(() => app.close())

const insertLargeJobs = async (count: number, daysAgo: number): Promise<void> => {
  const { db } = app.deps
  const createdAt = Date.now() - daysAgo * DAY_MS
  const job = { ws: WS, deploymentId, app: 'hello', action: 'greet', createdAt }
  for (const id of await insertJobs(
    db,
    Array.from({ length: count }, () => job),
  )) {
    await db.write([
      sql`UPDATE jobs SET status = 'success', result = ${MEGABYTE}, completed_at = ${createdAt} WHERE ws = ${WS} AND id = ${id}`,
      sql`UPDATE job_inputs SET input = ${MEGABYTE} WHERE job_id = ${id}`,
    ])
  }
}

test('jobs with inputs and results of a megabyte are deleted a few at a time', async () => {
  for (let at = 0; at < 4; at += 1) await insertLargeJobs(30, 70 - at * 10)
  const deleted: number[] = []
  const ms = await leastLongestTurnMs(
    async (at) =>
      void deleted.push(await sweepJobs(app.deps, { retentionDays: 65 - at * 10, signal })),
    { enoughMs: MOST_MS },
  )
  expect(new Set(deleted)).toEqual(new Set([30]))
  expect(ms).toBeLessThan(MOST_MS)
}, 120_000)

test('expired events of a megabyte are deleted a few at a time', async () => {
  const { db } = app.deps
  const counts: number[] = []
  const write: typeof db.write = async (batch, options) => {
    const results = await db.write(batch, options)
    if (Array.isArray(results)) counts.push(results.reduce((sum, { changes }) => sum + changes, 0))
    return results
  }
  for (let at = 0; at < 20; at += 1) {
    await db.write([
      sql`INSERT INTO events (ws, id, call, name, key, data, sent_by, chain_depth, delivered, pending, at)
        VALUES (${WS}, ${`event-${at}`}, ${`call-${at}`}, 'paid', NULL, ${MEGABYTE}, 'me', 0, 0, 0, 1)`,
    ])
  }
  await sweepExpired({ db: { ...db, write } }, { signal })
  expect(await db.one(sql`SELECT count(*) AS n FROM events`)).toEqual({ n: 0 })
  expect(Math.max(...counts)).toBeLessThanOrEqual(2)
})
