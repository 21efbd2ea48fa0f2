/** Retention [jobs 13.1]: ended jobs are deleted after their window, with everything that belongs to them. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSweepDuty } from '#scheduler/duties/sweep-retention.ts'
import { sweepExpired, sweepFlowRuns, sweepJobs } from '#service/sweep.ts'
import { raw, sql } from '#store/sql.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { insertJobs } from '../support/insert-job.ts'

const DAY_MS = 86_400_000
const { signal } = new AbortController()

let app: TestApp
let token = ''
let deploymentId = ''
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
  deploymentId = await deployActions(app.deps, [{ ws: WS, app: 'hello', key: 'greet' }])
})
afterAll(() => app.close())

const logChunk = (jobId: string | undefined, bytes: Uint8Array) =>
  sql`INSERT INTO job_logs (job_id, attempt, seq, chunk) VALUES (${jobId ?? ''}, 1, 0, ${bytes})`

const daysAgo = (days: number): number => Date.now() - days * DAY_MS
const base = () => ({ ws: WS, deploymentId, app: 'hello', action: 'greet' })
const statusOf = async (id: string | undefined, part = '') =>
  (await app.call('GET', `/api/w/${WS}/jobs/${id}${part}`, { token })).status

test('ended jobs older than the window are gone everywhere but in the ledger', async () => {
  const [old, lateEnd, young, queued, running] = await insertJobs(app.deps.db, [
    { ...base(), status: 'success', createdAt: daysAgo(40) },
    { ...base(), status: 'success', createdAt: daysAgo(40), completedAt: daysAgo(2) },
    { ...base(), status: 'failure', createdAt: daysAgo(2) },
    { ...base(), status: 'queued', createdAt: daysAgo(400) },
    { ...base(), status: 'running', createdAt: daysAgo(400) },
  ])
  const attempt = sql`INSERT INTO job_attempts (job_id, attempt, outcome, started_at, ended_at)
    VALUES (${old ?? ''}, 1, 'failure', 1, 2)`
  await app.deps.db.write([logChunk(old, Buffer.from('marker of the old')), attempt])
  expect(await statusOf(old, '/logs')).toBe(200)
  expect(await sweepJobs(app.deps, { retentionDays: 30, signal })).toBe(1)
  for (const part of ['', '/result', '/attempts', '/logs'])
    expect(await statusOf(old, part)).toBe(404)
  for (const id of [lateEnd, young, queued, running]) expect(await statusOf(id)).toBe(200)
  const list = await app.call('GET', `/api/w/${WS}/jobs`, { token })
  expect(list.text).not.toContain(old)
  for (const table of ['job_inputs', 'job_logs', 'job_attempts']) {
    const left = sql`SELECT count(*) AS n FROM ${raw(table)} WHERE job_id = ${old ?? ''}`
    expect(await app.deps.db.one(left)).toEqual({ n: 0 })
  }
  const billed = sql`SELECT count(*) AS n FROM ledger WHERE job_id = ${old ?? ''}`
  expect(await app.deps.db.one(billed)).toEqual({ n: 1 })
})

/** Counts the rows that each write deletes. */
const countDeleted = () => {
  const counts: number[] = []
  const { db } = app.deps
  const write: typeof db.write = async (batch, options) => {
    const results = await db.write(batch, options)
    if (Array.isArray(results)) counts.push(results.reduce((sum, { changes }) => sum + changes, 0))
    return results
  }
  return { counts, deps: { ...app.deps, db: { ...db, write } } }
}

const countRows = (table: string) => app.deps.db.one(sql`SELECT count(*) AS n FROM ${raw(table)}`)

test('a job with a great many steps is deleted a few at a time, between which other work runs', async () => {
  const [id] = await insertJobs(app.deps.db, [
    { ...base(), status: 'success', createdAt: daysAgo(40) },
  ])
  await app.deps.db.write([
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
      INSERT INTO job_steps (job_id, name, position, kind, status, started_at, completed_at)
      SELECT ${id ?? ''}, 'step' || i, i, 'step', 'success', 1, 1 FROM n`,
  ])
  const { counts, deps } = countDeleted()
  expect(await sweepJobs(deps, { retentionDays: 30, signal })).toBe(1)
  expect(Math.max(...counts)).toBeLessThan(300)
  expect(await countRows('job_steps')).toEqual({ n: 0 })
})

test('a write deletes only a few jobs with large inputs or results', async () => {
  const ids = await insertJobs(
    app.deps.db,
    Array.from(
      { length: 12 },
      () => ({ ...base(), status: 'success', createdAt: daysAgo(40) }) as const,
    ),
  )
  const large = sql`hex(zeroblob(250000))`
  for (const id of ids) {
    await app.deps.db.write([
      sql`UPDATE job_inputs SET input = ${large} WHERE job_id = ${id}`,
      sql`INSERT INTO job_steps (job_id, name, position, kind, status, started_at, completed_at, result)
        VALUES (${id}, 'step', 1, 'step', 'success', 1, 1, ${large})`,
    ])
  }
  const { counts, deps } = countDeleted()
  expect(await sweepJobs(deps, { retentionDays: 30, signal })).toBe(12)
  // three jobs, each with its input and its step
  expect(Math.max(...counts)).toBeLessThanOrEqual(9)
  for (const table of ['job_inputs', 'job_steps']) {
    const left = sql`SELECT count(*) AS n FROM ${raw(table)} WHERE job_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
    expect(await app.deps.db.one(left)).toEqual({ n: 0 })
  }
})

test('a flow run with a great many rows is deleted a few at a time', async () => {
  await app.deps.db.write([
    sql`INSERT INTO flow_runs (ws, id, app, flow, deployment_id, status, trigger_kind, input, created_by, permissioned_as,
        step_index, transition, version, created_at, completed_at)
      VALUES (${WS}, 'run', 'hello', 'f', ${deploymentId}, 'completed', 'api', '{}', 'test', 'test', 1, 1, 1, 1, 2)`,
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
      INSERT INTO flow_slots (run_id, step_index, slot, input) SELECT 'run', 1, i, '{}' FROM n`,
    sql`INSERT INTO flow_slots (run_id, step_index, slot, input) VALUES ('of another', 1, 1, '{}')`,
  ])
  const { counts, deps } = countDeleted()
  await sweepFlowRuns(deps, { retentionDays: 30, signal })
  expect(Math.max(...counts)).toBeLessThan(300)
  expect(await countRows('flow_runs')).toEqual({ n: 0 })
  expect(await countRows('flow_slots')).toEqual({ n: 1 })
})

test('0 days keep everything', async () => {
  const [id] = await insertJobs(app.deps.db, [
    { ...base(), status: 'success', createdAt: daysAgo(4_000) },
  ])
  expect(await sweepJobs(app.deps, { retentionDays: 0, signal })).toBe(0)
  expect(await statusOf(id)).toBe(200)
})

const sweepAll = () => {
  const silent = () => undefined
  const duty = createSweepDuty({
    ...app.deps,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    leadership: { claim: async () => true, release: async () => undefined },
    retentionDays: 30,
    auditRetentionDays: 365,
  })
  return duty.runOnce(signal)
}
const fileSize = async () => {
  await app.deps.db.all(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
  return statSync(join(app.folder, 'svc.db')).size
}

test('the disk gets the space of calls of functions back, although no job is deleted', async () => {
  await app.deps.db.write([
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO function_calls (ws, app, name, id, method, status, duration_ms, log, at)
      SELECT ${WS}, 'shop', 'order', i, 'GET', 200, 1, hex(zeroblob(30000)), ${daysAgo(50)} FROM n`,
  ])
  const before = await fileSize()
  expect(before).toBeGreaterThan(18_000_000)
  await sweepAll()
  expect(await fileSize()).toBeLessThan(before / 4)
})

test('the disk gets its space back', async () => {
  const ids = await insertJobs(
    app.deps.db,
    Array.from(
      { length: 300 },
      () => ({ ...base(), status: 'success', createdAt: daysAgo(50) }) as const,
    ),
  )
  const bytes = Buffer.alloc(60_000, 'x')
  for (const jobId of ids) {
    await app.deps.db.write([logChunk(jobId, bytes)])
  }
  const before = await fileSize()
  expect(before).toBeGreaterThan(18_000_000)
  await sweepAll()
  expect(await fileSize()).toBeLessThan(before / 4)
})

test('a sweep with nothing to do writes nothing', async () => {
  await sweepJobs(app.deps, { retentionDays: 30, signal })
  await sweepExpired(app.deps, { signal })
  const changes = sql`SELECT total_changes() AS n`
  const before = await app.deps.db.one(changes)
  await sweepJobs(app.deps, { retentionDays: 30, signal })
  await sweepExpired(app.deps, { signal })
  expect(await app.deps.db.one(changes)).toEqual(before)
})

test('expired credentials and forgotten keys go, live ones stay', async () => {
  const session = (id: string, expiresAt: string) =>
    sql`INSERT INTO sessions (id, email, hash, expires_at, created_at)
       SELECT ${id}, email, ${id}, ${raw(expiresAt)}, 1 FROM users LIMIT 1`
  await app.deps.db.write([session('dead', '1'), session('live', '9999999999999')])
  await sweepExpired(app.deps, { signal })
  expect(await app.deps.db.all(sql`SELECT id FROM sessions`)).toEqual([{ id: 'live' }])
})
