/** Lists of due rows read their indexes alone, so that the many rows of one workspace do not delay the others. */
import { describe, expect, it } from 'vitest'
import { workspaceForFile } from '../../test/support/test-workspace.ts'
import { listPendingEvents } from './events/events.ts'
import { listMarkedRuns } from './flows/cancels.ts'
import { listDueReminders, listDueWaits } from './flows/waits.ts'
import { listLateJobs } from './jobs/late.ts'
import { listLostJobs } from './jobs/rescue.ts'
import { listDueNotifications } from './notifications.ts'
import { listDueSchedules, listWaitingWorkspaces } from './schedules/fire-times.ts'
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
    expect(plan.at(-2)).toMatch(/^SEARCH notifications USING PRIMARY KEY/)
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
