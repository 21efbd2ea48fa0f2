/** The single query of a scheduler finds everything that the query of each duty would find. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { createSchedule } from '#service/schedules/manage-schedule.ts'
import { raw, sql } from '#store/sql.ts'
import { findWorkDue, type WorkDue } from '#store/work-due.ts'
import { openQueue, QUEUE_ADMIN, type Queue, WS } from '../support/open-queue.ts'
import { openTemporaryDatabase } from '../support/temporary-database.ts'

let queue: Queue
let close: () => Promise<void>
beforeEach(async () => {
  const opened = await openTemporaryDatabase(QUEUE_ADMIN)
  close = opened.close
  queue = await openQueue(opened.db)
  await queue.deploy()
})
afterEach(() => close())

const look = (): Promise<WorkDue> => findWorkDue(queue.db)
const NOW = raw("CAST(unixepoch('subsec') * 1000 AS INTEGER)")

test('nothing is due on an empty queue', async () => {
  const { now, epoch, ...due } = await look()
  expect(Math.abs(now - Date.now())).toBeLessThan(5_000)
  expect(epoch).toBe(0)
  expect(due).toEqual({
    hasCorrections: false,
    hasFireTimesToCorrect: false,
    isBusy: false,
    delayedMs: null,
    leaseMs: null,
    startTimeoutMs: null,
    waitMs: null,
    reminderMs: null,
    pendingEventAgeMs: null,
    hasRunsToCancel: false,
    hasRunsAwaitingRoom: false,
    hasOperations: false,
    revocationMs: null,
    fireMs: null,
    hasWaitingFireTimes: false,
    notificationMs: null,
    gitSyncMs: null,
    relayMs: null,
  })
})

test('a job keeps the scheduler awake from its insert to its end; a delayed one until it is due', async () => {
  const delayed = await queue.enqueue({ delayMs: 60_000 })
  const first = await look()
  expect(first.isBusy).toBe(false)
  expect(first.delayedMs).toBeGreaterThan(50_000)
  await queue.makeDue(delayed)
  expect((await look()).delayedMs).toBeLessThan(0)
  await queue.enqueue()
  expect(await look()).toMatchObject({ isBusy: true, leaseMs: null })
  const jobs = await queue.claim(5)
  expect(jobs.length).toBeGreaterThan(0)
  const running = await look()
  expect(running.isBusy).toBe(true)
  expect(running.leaseMs).toBeGreaterThan(queue.deps.limits.jobLeaseMs / 2)
  for (const { id } of jobs) await queue.expire(id)
  expect((await look()).leaseMs).toBeLessThan(0)
})

test('schedules are due at their next fire time, and at once while they wait for room', async () => {
  const { id } = await createSchedule(queue.deps, {
    ws: WS,
    actor: CLI_ACTOR,
    request: {
      app: 'hello',
      action: 'greet',
      flow: null,
      cron: '@every 1h',
      timezone: 'UTC',
      input: {},
      enabled: true,
      overlap: 'allow',
    },
  })
  const { fireMs } = await look()
  expect(fireMs).toBeGreaterThan(3_500_000)
  expect(fireMs).toBeLessThanOrEqual(3_600_000)
  await queue.db.write([sql`UPDATE schedules SET waiting_since = ${NOW} WHERE id = ${id}`])
  expect(await look()).toMatchObject({ fireMs: null, hasWaitingFireTimes: true })
})

test('what waits for a time is due then, each kind by itself', async () => {
  const { db } = queue
  await db.write([
    sql`INSERT INTO notifications (ws, id, event, subject, target, next_at, created_at)
      VALUES (${WS}, 'n', 'test', 's', '{}', ${NOW} + 5000, ${NOW})`,
    sql`INSERT INTO git_sources (id, ws, name, url, path, auto_sync_s, created_by, created_at)
      VALUES ('g', ${WS}, 'g', 'https://example.com', '', 60, 'a', ${NOW} - 20000)`,
    sql`INSERT INTO operations (id, ws, kind, status, matched, filter, created_by, holds_apps_write, created_at)
      VALUES ('o', ${WS}, 'cancel', 'running', 0, '{}', 'a', 0, ${NOW})`,
  ])
  const due = await look()
  expect(due.notificationMs).toBeGreaterThan(0)
  expect(due.notificationMs).toBeLessThanOrEqual(5_000)
  expect(due.gitSyncMs).toBeGreaterThan(30_000)
  expect(due.gitSyncMs).toBeLessThanOrEqual(40_000)
  expect(due.hasOperations).toBe(true)
})

test('a workspace that is held has nothing due', async () => {
  const { db } = queue
  await queue.enqueue()
  const [job] = await queue.claim(1)
  await queue.expire(job?.id ?? '')
  await db.write([
    sql`INSERT INTO notifications (ws, id, event, subject, target, next_at, created_at)
      VALUES (${WS}, 'n', 'test', 's', '{}', ${NOW}, ${NOW})`,
    sql`INSERT INTO held_workspaces (ws, file_id, since) VALUES (${WS}, 'f', ${NOW})`,
  ])
  expect(await look()).toMatchObject({ leaseMs: null, notificationMs: null })
})

test('a look seeks in indexes and reads no table of jobs, runs or schedules through', async () => {
  let text = ''
  await findWorkDue({
    one: (statement) => {
      text = statement.sql
      return queue.db.one(statement)
    },
  })
  const plan = (await queue.db.all(raw(`EXPLAIN QUERY PLAN ${text}`))).map(({ detail }) =>
    String(detail),
  )
  const scans = plan.filter((detail) => /^SCAN (?!CONSTANT)/.test(detail))
  // partial indexes cover open work; the tables without one are small
  expect(
    scans.filter(
      (detail) => !/USING (COVERING )?INDEX|git_sources|held_workspaces|clock_jumps/.test(detail),
    ),
  ).toEqual([])
})
