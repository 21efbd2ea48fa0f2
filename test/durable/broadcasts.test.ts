/** An event that wakes many durable jobs at once [events 2.3]. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deliverPendingEvents } from '#service/events/deliver-pending-events.ts'
import { sendEvent } from '#service/events/send-event.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { sizeOfValues, statementsOf } from '#store/batch.ts'
import { sql } from '#store/sql.ts'
import { BY, openQueue, type Queue, WS } from '../support/open-queue.ts'
import { openTemporaryDatabase, type TemporaryDatabase } from '../support/temporary-database.ts'

let opened: TemporaryDatabase
let queue: Queue
let modelId: string
beforeAll(async () => {
  opened = await openTemporaryDatabase()
  queue = await openQueue(opened.db)
  await queue.deploy()
  modelId = await queue.enqueue()
})
afterAll(() => opened.close())
beforeEach(() => queue.db.write([sql`DELETE FROM event_waits`, sql`DELETE FROM events`]))

/** Adds jobs that sleep until an event. */
const addSleepers = (count: number) => {
  const ids = JSON.stringify(Array.from({ length: count }, () => queue.deps.newId()))
  const each = sql`json_each(${ids})`
  return queue.db.write([
    sql`INSERT INTO jobs (ws, id, app, action, deployment_id, status, tag, run_at, crash_limit, trigger_kind, created_by,
        permissioned_as, created_at, ready, began_at, suspended_kind, suspended_name)
      SELECT ws, value, app, action, deployment_id, 'queued', tag, run_at, crash_limit, trigger_kind, created_by,
        permissioned_as, created_at, 0, 1, 'event', 'wait' FROM ${each}, jobs WHERE jobs.id = ${modelId}`,
    sql`INSERT INTO job_steps (job_id, name, position, kind, status, attempts, started_at)
      SELECT value, 'wait', 0, 'event', 'running', 1, 1 FROM ${each}`,
    sql`INSERT INTO event_waits (id, ws, name, key, owner_kind, owner_id, step, position, began_at, created_at)
      SELECT value, ${WS}, 'go', 'all', 'job', value, 'wait', 0, 1, 1 FROM ${each}`,
  ])
}

const deps = () => ({ ...queue.deps, ...enqueueDepsOf(queue.deps) })
const wake = (data: string, given = deps()) =>
  sendEvent(given, { ws: WS, name: 'go', key: 'all', data, id: null, sentBy: BY })
const open = async () =>
  (await queue.db.all(sql`SELECT 1 FROM event_waits WHERE status = 'open'`)).length
const events = () => queue.db.all(sql`SELECT pending, delivered FROM events`)

test('an event with large data gives it to each job, in writes of limited size', async () => {
  await addSleepers(20)
  const sizes: number[] = []
  const write: typeof queue.db.write = (batch, options) => {
    sizes.push(sizeOfValues(statementsOf(batch)))
    return queue.db.write(batch, options)
  }
  const given = { ...deps(), db: { ...queue.db, write } }
  expect(await wake('x'.repeat(300_000), given)).toMatchObject({ delivered: 20 })
  expect(await open()).toBe(0)
  // one write would have 8 MB
  expect(Math.max(...sizes)).toBeLessThan(1_500_000)
})

test('an interrupted delivery to many jobs goes on in several turns, which leave time for others', async () => {
  await addSleepers(1_401)
  let writes = 0
  const passFault = (point: string): void => {
    if (point === 'event_committed') writes += 1
    if (writes === 2) throw new Error('The process ends here.')
  }
  await expect(wake('', { ...deps(), passFault })).rejects.toThrow()
  expect(await open()).toBe(1_201)
  await queue.db.write([
    sql`UPDATE events SET at = at - 20000`,
    sql`UPDATE event_waits SET ended_at = ended_at - 20000`,
  ])
  await deliverPendingEvents(deps())
  expect(await open()).toBe(201)
  expect(await events()).toMatchObject([{ pending: 1 }])
  await deliverPendingEvents(deps())
  expect(await events()).toMatchObject([{ pending: 0, delivered: 1_401 }])
})
