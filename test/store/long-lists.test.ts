/** Reads of a workspace that has very much let other work run meanwhile. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { summarizeWorkspaceJobs } from '#service/queue/summarize-jobs.ts'
import { readLog, readLogItems } from '#service/read-log.ts'
import { findNames } from '#store/apps/names.ts'
import { deleteSchedule } from '#store/schedules/schedules.ts'
import { sql } from '#store/sql.ts'
import { listWebhooks } from '#store/webhooks/webhooks.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { leastLongestTurnMs } from '../support/longest-turn.ts'
import { openTemporaryDatabase, type TemporaryDatabase } from '../support/temporary-database.ts'

const WS = 'default'
const ACTIONS = 500
const APPS = 1_000
const MANIFEST = {
  webhooks: [{ key: 'paid', action: 'a', verify: { scheme: 'none' } }],
  padding: Array.from({ length: 10_000 }, (_, at) => `text ${at}`),
}
let opened: TemporaryDatabase
beforeAll(async () => {
  opened = await openTemporaryDatabase('admin@localhost')
  await opened.db.write([
    sql`INSERT INTO bundles (hash, code, source_map, created_at) VALUES ('b', x'', x'', 1)`,
    sql`INSERT INTO deployments (id, ws, app, commit_id, source, manifest, created_by, created_at)
      VALUES ('d', ${WS}, 'app1', 'c', 'upload', ${JSON.stringify(MANIFEST)}, 'me', 1)`,
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ACTIONS})
      INSERT INTO deployment_actions (deployment_id, key, entrypoint, bundle_hash, definition)
      SELECT 'd', 'action' || i, 'a.ts', 'b', '{}' FROM n`,
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${APPS})
      INSERT INTO apps (ws, key, name, deployment_id, created_at, updated_at)
      SELECT ${WS}, 'app' || i, 'App', 'd', 1, 1 FROM n`,
  ])
})
afterAll(() => opened.close())

test('a name is looked for in 500,000 names with turns for others', async () => {
  const find = (text: string) => findNames(opened.db, { ws: WS, text, limit: 3 })
  expect(await leastLongestTurnMs(() => find('x'.repeat(50)))).toBeLessThan(50)
  expect(await find('APP999/action499')).toEqual([
    { kind: 'action', app: 'app999', key: 'action499' },
  ])
  const places = (await find('app99')).map(({ kind, app, key }) => `${kind} ${app} ${key}`)
  expect(places).toEqual(['app app99 app99', 'app app990 app990', 'app app991 app991'])
})

test('webhooks of 1,000 apps are listed with turns for others, each once', async () => {
  const list = (afterApp: string, limit: number) =>
    listWebhooks(opened.db, WS, { afterApp, afterKey: afterApp === '' ? '' : 'paid', limit })
  expect(await leastLongestTurnMs(() => list('', 100))).toBeLessThan(50)
  const seen: string[] = []
  for (let page = await list('', 300); page.length > 0; page = await list(seen.at(-1) ?? '', 300))
    seen.push(...page.map(({ app }) => app))
  expect(seen).toEqual(Array.from({ length: APPS }, (_, at) => `app${at + 1}`).toSorted())
})

test('jobs of 5,000 apps are counted with turns for others', async () => {
  const { db } = opened
  const [jobs, apps] = [400_000, 5_000]
  await db.write([
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${jobs})
      INSERT INTO ledger (job_id, ws, app, action, outcome, duration_ms, completed_at)
      SELECT 'j' || i, ${WS}, 'app' || (i % ${apps}), 'a', CASE WHEN i % 3 THEN 'success' ELSE 'failure' END, 1, ${Date.now()} FROM n`,
  ])
  const count = () => summarizeWorkspaceJobs({ reads: db }, WS, 3_600)
  expect(await leastLongestTurnMs(count)).toBeLessThan(50)
  const { byApp, completedCount, failedCount } = await count()
  expect([byApp.length, completedCount + failedCount, failedCount]).toEqual([apps, jobs, 133_333])
})

test('the tail of a log of 30,000 chunks is read with turns for others', async () => {
  const { db } = opened
  const line = 'a line of some thirty characters\n'
  const chunks = 30_000
  await db.write([
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${chunks})
      INSERT INTO job_logs (job_id, attempt, seq, chunk) SELECT 'j', 1, i, CAST(${line} AS BLOB) FROM n`,
  ])
  const read = async (tailBytes: number | null) => (await readLog(db, 'j', tailBytes)).length
  expect(await leastLongestTurnMs(() => read(900_000))).toBeLessThan(50)
  expect(await read(900_000)).toBe(900_000)
  expect(await read(3)).toBe(3)
  expect(await read(line.length * chunks + 1)).toBe(line.length * chunks)
  expect(await read(null)).toBe(line.length * chunks)
  for await (const _ of readLogItems(db, { ws: WS, id: 'none' }, 5)) expect.unreachable()
})

test('a schedule with 100,000 fire times is deleted in a short turn', async () => {
  const { db } = opened
  const id = '01a1fd91-3d6b-770e-a570-5f660007cb1b'
  await db.write([
    sql`INSERT INTO schedules (id, ws, app, action, cron, timezone, input, enabled, created_by, created_at, updated_at)
      VALUES (${id}, ${WS}, 'app1', 'a', '@every 1s', 'UTC', '{}', 0, 'me', 1, 1)`,
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO schedule_slots (schedule_id, slot, outcome, at) SELECT ${id}, i, 'fired', i FROM n`,
  ])
  const before = cpuMs()
  await db.write([deleteSchedule(WS, id, null)])
  expect(cpuMs() - before).toBeLessThan(50)
})
