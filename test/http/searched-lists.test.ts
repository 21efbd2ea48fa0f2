/** Lists whose filters no index answers: they find what there is, and let other work run while they search. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { raw, sql } from '#store/sql.ts'
import { countTurns } from '../support/count-turns.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { copyJob, insertJobs } from '../support/insert-job.ts'

/** More than two parts of a search. */
const ROWS = 20_001
/** Older than every other row. */
const OLDEST = '01900000-0000-7000-8000-000000000000'
const NUMBERS = sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})`
const ID = raw("'01900000-0000-7000-8000-' || format('%012x', i)")

const page = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) })
const started = z.object({ flow_run_id: z.string() })

let app: TestApp
let token = ''

/** Copies a row of a table, once as the oldest row with these columns. */
const copyRow = async (table: string, id: string, oldest: Readonly<Record<string, string>>) => {
  const found = await app.deps.db.all(
    sql`SELECT name FROM pragma_table_info(${table}) WHERE name <> 'id'`,
  )
  const names = found.map(({ name }) => String(name))
  const columns = raw(names.join(', '))
  const changed = raw(names.map((name) => oldest[name] ?? name).join(', '))
  const source = sql`${raw(table)} WHERE id = ${id}`
  await app.deps.db.write([
    sql`INSERT INTO ${raw(table)} (id, ${columns}) ${NUMBERS} SELECT ${ID}, ${columns} FROM n, ${source}`,
    sql`INSERT INTO ${raw(table)} (id, ${columns}) SELECT ${OLDEST}, ${changed} FROM ${source}`,
  ])
}

const fillJobs = async (deploymentId: string) => {
  const { db } = app.deps
  const job = { ws: WS, deploymentId, app: 'hello', action: 'greet', status: 'failure' } as const
  const [id = ''] = await insertJobs(db, [
    { ...job, id: OLDEST, app: 'other', status: 'canceled', createdAt: 1_710_000_000_000 },
    { ...job, createdAt: 1_720_000_000_000 },
  ]).then((ids) => ids.slice(1))
  await copyJob(db, { id, count: ROWS, createdAt: 1_730_000_000_000 })
  await db.write([
    sql`INSERT INTO ledger (job_id, ws, app, action, outcome, duration_ms, completed_at)
      SELECT id, ws, app, action, status, 0, completed_at FROM jobs WHERE completed_at IS NOT NULL ON CONFLICT DO NOTHING`,
    sql`INSERT INTO job_dismissals SELECT ws, id, 'me', 1 FROM jobs`,
  ])
}

beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
  const flow = { key: 'one', steps: [{ key: 'first', action: 'greet' }] }
  const deploymentId = await deployActions(
    app.deps,
    [{ ws: WS, app: 'hello', key: 'greet' }],
    [flow],
  )
  const run = await app.call('POST', `/api/w/${WS}/flows/run/hello/one`, { token, json: {} })
  const { flow_run_id: runId } = started.parse(run.json)
  await copyRow('flow_runs', runId, { app: "'other'" })
  await app.deps.db.write([
    sql`INSERT INTO flow_run_dismissals SELECT ws, id, 'me', 1 FROM flow_runs`,
  ])
  const [entry] = await app.deps.db.all(sql`SELECT id FROM audit_log WHERE ws = ${WS} LIMIT 1`)
  await copyRow('audit_log', String(entry?.id), { action: "'other.done'", identity: "'other'" })
  await fillJobs(deploymentId)
})
afterAll(() => app.close())

/** Returns the ids that a list shows, and the turns of other work. */
const search = async (path: string) => {
  const { result, turns } = await countTurns(() =>
    app.call('GET', `/api/w/${WS}/${path}`, { token }),
  )
  return { ids: page.parse(result.json).items.map(({ id }) => id), turns }
}

describe('a list', () => {
  it.each([
    'jobs?status=canceled',
    'jobs?app=other&status=canceled',
    'jobs?dismissed=true&app=other',
    'jobs/folded?dismissed=true&app=other&status=canceled',
    'ledger?app=other',
    'audit?action=other.done',
    'audit?actor=other',
    'flow-runs?app=other',
    'flow-runs?dismissed=true&app=other',
  ])('%s searches the whole history in parts, between which other work runs', async (path) => {
    const { ids, turns } = await search(path)
    expect(ids).toEqual([OLDEST])
    expect(turns).toBeGreaterThanOrEqual(2)
  })

  it('that an index answers is read at once', async () => {
    const { ids, turns } = await search('jobs?app=other')
    expect(ids).toEqual([OLDEST])
    expect(turns).toBeLessThan(2)
  })

  it.each([
    'jobs?dismissed=false&status=canceled',
    'ledger?app=none',
    'audit?actor=none',
    'flow-runs?dismissed=false',
  ])('%s finds nothing, in parts', async (path) => {
    const { ids, turns } = await search(path)
    expect(ids).toEqual([])
    expect(turns).toBeGreaterThanOrEqual(2)
  })
})

describe('a bulk operation', () => {
  it.each([
    ['one job', 'other', 1],
    ['nothing', 'none', 0],
  ])('that matches %s searches the whole history in parts', async (_, name, matched) => {
    const filter = { app: name, status: 'canceled', dismissed: true }
    for (const isDry of [true, false]) {
      const json = { do: 'replay', filter, dry_run: isDry }
      const found = await countTurns(() =>
        app.call('POST', `/api/w/${WS}/jobs/bulk`, { token, json }),
      )
      expect(found.result.json).toMatchObject({ matched })
      expect(found.turns).toBeGreaterThanOrEqual(2)
    }
  })
})
