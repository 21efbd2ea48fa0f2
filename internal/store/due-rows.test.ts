/** Lists of due rows read their indexes alone, so that the many rows of one workspace do not delay the others. */
import { describe, expect, it } from 'vitest'
import { WS } from '../../test/support/open-queue.ts'
import { ADMIN, workspaceForFile } from '../../test/support/test-workspace.ts'
import { endOf } from './due-place.ts'
import { listPendingEvents } from './events/events.ts'
import { listMarkedRuns } from './flows/cancels.ts'
import { listDueReminders, listDueWaits } from './flows/waits.ts'
import { listLateJobs } from './jobs/late.ts'
import { listLostJobs } from './jobs/rescue.ts'
import { listDueNotifications } from './notifications.ts'
import { listDueSchedules, listWaitingWorkspaces } from './schedules/fire-times.ts'
import { sql } from './sql.ts'
import { findWorkDue } from './work-due.ts'

const place = await workspaceForFile()
const { db } = place.deps

/** Runs a read whose statements return nothing. @returns how SQLite would run them */
const planOf = async (read: (on: typeof db) => Promise<unknown>): Promise<readonly string[]> => {
  const plans: string[] = []
  const all: typeof db.all = async (statement) => {
    const plan = await db.all({ ...statement, sql: `EXPLAIN QUERY PLAN ${statement.sql}` })
    plans.push(...plan.map(({ detail }) => String(detail)))
    return []
  }
  const one: typeof db.one = async (statement) => (await all(statement))[0] ?? null
  await read({ ...db, all, one }).catch(() => null)
  return plans
}

const PAGE = { graceMs: 0, asOf: null, limit: 200, behind: [{ ws: 'a', at: 1, id: 'x' }] }

describe('due rows', () => {
  it.each([
    ['waits', listDueWaits, 'flow_runs_by_deadline'],
    ['reminders', listDueReminders, 'flow_runs_by_reminder'],
    ['schedules', listDueSchedules, 'schedules_due'],
    ['lost jobs', listLostJobs, 'jobs_leased'],
    ['late jobs', listLateJobs, 'jobs_to_start'],
    ['events', listPendingEvents, 'events_pending'],
    ['canceled subflows', listMarkedRuns, 'flow_runs_to_cancel'],
  ] as const)('are found in the index alone: %s', async (_, list, index) => {
    const plan = await planOf((on) => list(on, PAGE))
    expect(plan).toContainEqual(expect.stringContaining(`USING COVERING INDEX ${index}`))
  })

  it('are found in the index alone: workspaces whose schedules wait', async () => {
    const plan = await planOf((on) => listWaitingWorkspaces(on, { afterWs: '', limit: 9 }))
    expect(plan).toContainEqual(expect.stringContaining('USING COVERING INDEX schedules_waiting'))
  })

  it('are not sorted before the first of them are chosen: notifications', async () => {
    const plan = await planOf((on) => listDueNotifications(on, { limit: 20 }))
    expect(plan).toContain('MATERIALIZE others')
    const sorting = plan.findLastIndex((step) => step.startsWith('USE TEMP B-TREE'))
    expect(plan[sorting - 1]).toMatch(/^SEARCH notifications USING PRIMARY KEY/)
    expect(plan).toContainEqual(expect.stringContaining('USING COVERING INDEX notifications_due'))
  })

  it.each([
    'jobs_leased',
    'jobs_to_start',
    'flow_runs_by_deadline',
    'flow_runs_by_reminder',
    'events_pending',
    'event_starts_pending',
    'flow_runs_to_cancel',
    'flow_runs_awaiting_room',
    'schedules_due',
    'schedules_waiting',
    'notifications_due',
  ])('of a held workspace are passed over in the index alone: %s', async (index) => {
    const plan = await planOf(findWorkDue)
    const reads = plan.filter((step) => step.includes(`INDEX ${index}`))
    expect(reads).not.toEqual([])
    expect(reads.filter((step) => !step.includes('USING COVERING INDEX'))).toEqual([])
  })
})

/** Inserts schedules that are due at the same time. Their ids begin with a letter, which orders them. */
const insertDue = (ws: string, letter: string, count: number) =>
  sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})
    INSERT INTO schedules (id, ws, app, action, cron, timezone, input, enabled, next_fire_at, created_by, created_at, updated_at)
    SELECT format('%s%06d', ${letter}, n), ${ws}, 'a', 'b', '@hourly', 'UTC', '{}', 1, 1000, ${ADMIN}, 0, 0 FROM n`

describe('a page that leaves out many rows', () => {
  it('passes over them in parts, and contains each other row once in its order', async () => {
    await place.addWorkspace('flood')
    await db.write([
      insertDue(WS, 'a', 2),
      insertDue('flood', 'b', 30_000),
      insertDue(WS, 'c', 2),
      insertDue('flood', 'd', 30_000),
      insertDue(WS, 'e', 3),
    ])
    const wanted = ['a000001', 'a000002', 'c000001', 'c000002', 'e000001', 'e000002']
    for (const left of [endOf('flood'), { ws: 'flood', at: 1_000, id: 'z' }]) {
      let parts = 0
      const all: typeof db.all = (statement) => {
        parts += 1
        return db.all(statement)
      }
      const page = { graceMs: 0, limit: 6, behind: [left] }
      const found = await listDueSchedules({ ...db, all }, page)
      expect(found.map(({ id }) => id)).toEqual(wanted)
      expect(parts).toBe(4)
    }
  })

  it('ends at its limit, behind the place of its workspace', async () => {
    const page = { graceMs: 0, limit: 3, behind: [{ ws: 'flood', at: 1_000, id: 'b029999' }] }
    const found = await listDueSchedules(db, page)
    expect(found.map(({ id }) => id)).toEqual(['a000001', 'a000002', 'b030000'])
  })
})
