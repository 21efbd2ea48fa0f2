/** Lists that are ordered by time find each page, and each part of a search, by their index. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listApiKeys } from '#store/credentials/api-keys.ts'
import { listConsumerKeys } from '#store/credentials/consumer-keys.ts'
import type { Reader } from '#store/database.ts'
import { listJobs } from '#store/jobs/list.ts'
import { listNotifications } from '#store/notifications.ts'
import { listSchedules } from '#store/schedules/schedules.ts'
import { sql } from '#store/sql.ts'
import { smallestIdAt } from '#store/uuid-bounds.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { openTemporaryDatabase, type TemporaryDatabase } from '../support/temporary-database.ts'

const WS = 'default'
let opened: TemporaryDatabase
beforeAll(async () => {
  opened = await openTemporaryDatabase('admin@localhost')
})
afterAll(() => opened.close())

/** Returns how SQLite runs the statement with which a list reads a page. */
const planOf = async (list: (db: Reader) => Promise<unknown>): Promise<readonly string[]> => {
  const { db } = opened
  const steps: string[] = []
  const all: Reader['all'] = async (statement) => {
    const explained = { ...statement, sql: `EXPLAIN QUERY PLAN ${statement.sql}` }
    for (const { detail } of await db.all(explained)) steps.push(String(detail))
    return []
  }
  await list({ ...db, all })
  return steps
}

test.each([
  [
    'API keys',
    'SEARCH api_keys USING INDEX api_keys_by_time (ws=? AND (created_at,key_id)<(?,?))',
    (db: Reader) => listApiKeys(db, WS, { before: { createdAt: 1, keyId: 'ak_1' }, limit: 9 }),
  ],
  [
    'notifications',
    'SEARCH notifications USING INDEX notifications_by_time (ws=? AND (created_at,id)<(?,?))',
    (db: Reader) => listNotifications(db, WS, { before: { createdAt: 1, id: '1' }, limit: 9 }),
  ],
  [
    'the keys of a customer',
    'SEARCH k USING INDEX consumer_keys_by_consumer (consumer_id=? AND id<?)',
    (db: Reader) => listConsumerKeys(db, { ws: WS, id: 'c' }, { beforeId: '1', limit: 9 }),
  ],
  [
    'the schedules of an app',
    'SEARCH schedules USING INDEX schedules_by_app (ws=? AND app=? AND id<?)',
    (db: Reader) => listSchedules(db, WS, { app: 'a', enabled: null, beforeId: '1', limit: 9 }),
  ],
])('a page of %s costs the same anywhere in the list', async (_, step, list) => {
  expect(await planOf(list)).toEqual([step])
})

test('running jobs are found among those that wait', async () => {
  const filter = { app: null, action: null, triggerKind: null, since: null, until: null }
  const statuses = ['running'] as const
  const plan = await planOf((db) =>
    listJobs(db, WS, { ...filter, statuses, beforeId: 'f', limit: 9 }),
  )
  expect(plan).toContain('SEARCH r USING COVERING INDEX jobs_running (ws=?)')
  expect(plan).toContain('SEARCH jobs USING PRIMARY KEY (ws=? AND id=?)')
  expect(plan.filter((step) => step.includes('jobs_open'))).toEqual([])
})

test('the pages of API keys of one millisecond contain each key once', async () => {
  const { db } = opened
  await db.write([
    sql`INSERT INTO api_keys (key_id, ws, name, hash, created_by, created_at)
      SELECT 'ak_' || value, ${WS}, 'relay', 'hash', 'me', value / 3 FROM json_each('[0,1,2,3,4,5,6]')`,
  ])
  const read: string[] = []
  for (;;) {
    const before =
      read.length === 0 ? null : { createdAt: at(read.at(-1)), keyId: read.at(-1) ?? '' }
    const page = await listApiKeys(db, WS, { before, limit: 2 })
    read.push(...page.map(({ keyId }) => keyId))
    if (page.length < 2) break
  }
  expect(read).toEqual(['ak_6', 'ak_5', 'ak_4', 'ak_3', 'ak_2', 'ak_1', 'ak_0'])
})

test('each part of a search within a span of time reads its own rows alone', async () => {
  const { db } = opened
  const now = await db.now()
  const [since, until] = [now - 3_600_000, now + 3_600_000]
  await db.write([
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO jobs (ws, id, app, action, deployment_id, status, tag, run_at, crash_limit, trigger_kind, created_by,
        permissioned_as, created_at, completed_at)
      SELECT ${WS}, ${smallestIdAt(now).slice(0, 24)} || format('%012x', i), 'shop', 'sell', 'd', 'success', 'default', ${now}, 3,
        'api', 'me', 'me', ${now}, ${now} FROM n`,
  ])
  const search = async (span: Readonly<{ since: number | null; until: number | null }>) => {
    const before = cpuMs()
    const filter = { statuses: [], app: null, action: 'none', triggerKind: null, ...span }
    expect(await listJobs(db, WS, { ...filter, beforeId: null, limit: 9 }, 100)).toEqual([])
    return cpuMs() - before
  }
  await search({ since: null, until: null })
  const plain = await search({ since: null, until: null })
  const costs = [await search({ since, until }), await search({ since, until })]
  // parts that begin or end with the span read a hundred times as many rows
  expect(Math.min(...costs)).toBeLessThan(plain * 4)
})

const at = (keyId = ''): number => Math.trunc(Number(keyId.slice(3)) / 3)
