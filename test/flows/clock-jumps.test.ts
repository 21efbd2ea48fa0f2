/** The database's clock goes back by an hour: what waits for a length of time waits no longer than before. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { deliverPendingEvents } from '#service/events/deliver-pending-events.ts'
import { endWaits } from '#service/flows/end-waits.ts'
import { type ClockWatch, createClockWatch } from '#service/nodes/watch-clock.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { insertTest } from '#store/notifications.ts'
import { SQL_NOW, sql } from '#store/sql.ts'
import { findWorkDue } from '#store/work-due.ts'
import { dropFence, raiseFence } from '#store/workspaces/fence.ts'
import { releaseWorkspace } from '#store/workspaces/held.ts'
import { holdForMove } from '#store/workspaces/moved.ts'
import { WS } from '../support/create-test-app.ts'
import { APP, FLOWS, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'
import { type ShiftedClock, shiftClock } from '../support/shifted-clock.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
const ref = (path: string): string => `\${${path}}`

let clock: ShiftedClock
let caller: FlowCaller
let watching: ClockWatch
beforeAll(async () => {
  caller = await openFlowCaller({
    actions: { echo: (input) => input },
    flows: [
      { key: 'rest', steps: [{ key: 'only', kind: 'sleep', forS: 600 }] },
      {
        key: 'limited',
        concurrency: { limit: 1 },
        steps: [{ key: 'only', kind: 'sleep', until: ref('input.at') }],
      },
      { key: 'until', steps: [{ key: 'only', kind: 'sleep', until: ref('input.at') }] },
      {
        key: 'ask',
        steps: [
          {
            key: 'ok',
            kind: 'approval',
            timeoutS: 600,
            remind: { everyS: 300, action: 'echo' },
          },
        ],
      },
      { key: 'listen', steps: [{ key: 'wait', kind: 'event', name: 'paid', timeoutS: 600 }] },
    ],
    app: {
      checksBatches: false,
      wrapDatabase: (db) => {
        clock = shiftClock(db)
        return clock.db
      },
    },
  })
})
afterAll(() => caller.app.close())
beforeEach(async () => {
  const { deps } = caller.app
  await deps.db.write([sql`DELETE FROM clock_jumps`])
  const steadyNow = () => performance.now()
  watching = createClockWatch(deps, { steadyNow, node: 'here', onJump: () => undefined })
  await watching.check()
})

const jumpBack = async (): Promise<void> => {
  clock.jump(-HOUR)
  await watching.check()
}
const leftOf = async (id: string) => {
  const row = await caller.app.deps.db.one(
    sql`SELECT wait_until - ${SQL_NOW} AS wait, remind_at - ${SQL_NOW} AS remind FROM flow_runs WHERE id = ${id}`,
  )
  return { wait: Number(row?.wait), remind: Number(row?.remind) }
}

it('a sleep, a timeout and a reminder of a flow run', async () => {
  const ids = [
    await caller.start('rest'),
    await caller.start('ask'),
    await caller.start('listen'),
  ] as const
  await jumpBack()
  for (const id of ids) {
    const { wait } = await leftOf(id)
    expect(wait).toBeGreaterThan(9 * MINUTE)
    expect(wait).toBeLessThanOrEqual(10 * MINUTE)
  }
  const { remind } = await leftOf(ids[1])
  expect(remind).toBeGreaterThan(4 * MINUTE)
  expect(remind).toBeLessThanOrEqual(5 * MINUTE)
})

it('but not a sleep until a time', async () => {
  const at = new Date((await caller.app.deps.db.now()) + 2 * HOUR).toISOString()
  const id = await caller.start('until', { at })
  await jumpBack()
  const row = await caller.app.deps.db.one(sql`SELECT wait_until FROM flow_runs WHERE id = ${id}`)
  expect(row?.wait_until).toBe(Date.parse(at))
})

it('but not the start of a run at a chosen time', async () => {
  const at = new Date((await caller.app.deps.db.now()) + 2 * HOUR).toISOString()
  const path = `${FLOWS}/run/${APP}/rest?scheduled_for=${at}`
  const id = z.object({ flow_run_id: z.uuid() }).parse((await caller.call('POST', path, {})).json)
  await jumpBack()
  const row = await caller.app.deps.db.one(
    sql`SELECT wait_until FROM flow_runs WHERE id = ${id.flow_run_id}`,
  )
  expect(row?.wait_until).toBe(Date.parse(at))
})

it('a run that has received an event goes on at once', async () => {
  const { deps } = caller.app
  const id = await caller.start('listen')
  await deps.db.write([sql`UPDATE flow_runs SET wait_until = ${SQL_NOW} WHERE id = ${id}`])
  await jumpBack()
  expect((await endWaits(deps)).ended).toContain(id)
})

it('a run that has a concurrency slot begins at once', async () => {
  const { deps } = caller.app
  const at = new Date((await deps.db.now()) + 2 * HOUR).toISOString()
  const id = await caller.start('limited', { at })
  // triggers do not see the clock that the test moves
  await deps.db.write([sql`UPDATE flow_runs SET wait_until = ${SQL_NOW} WHERE id = ${id}`])
  await jumpBack()
  expect((await endWaits(deps)).ended).toContain(id)
})

it('a notification', async () => {
  const { db } = caller.app.deps
  const target = { webhook: 'https://example.com/' }
  await db.write([
    insertTest(WS, { id: 'n', target }),
    sql`UPDATE notifications SET next_at = next_at + ${MINUTE} WHERE id = 'test:n'`,
  ])
  await jumpBack()
  const row = await db.one(
    sql`SELECT next_at - ${SQL_NOW} AS ms FROM notifications WHERE id = 'test:n'`,
  )
  expect(Number(row?.ms)).toBeGreaterThan(MINUTE / 2)
  expect(Number(row?.ms)).toBeLessThanOrEqual(MINUTE)
})

it('an event whose delivery was interrupted', async () => {
  const { deps } = caller.app
  const id = await caller.start('listen')
  const sent = await caller.call('POST', `/api/w/${WS}/events`, { name: 'other', data: {} })
  expect(sent.status).toBeLessThan(300)
  // as after a crash between the event and its waits
  await deps.db.write([sql`UPDATE events SET pending = 1, name = 'paid'`])
  await jumpBack()
  expect((await findWorkDue(deps.db)).pendingEventAgeMs).toBeGreaterThan(10_000)
  await deliverPendingEvents({ ...deps, ...enqueueDepsOf(deps) })
  expect(await deps.db.one(sql`SELECT pending FROM events`)).toEqual({ pending: 0 })
  const wait = sql`SELECT status FROM event_waits WHERE owner_id = ${id}`
  expect(await deps.db.one(wait)).toEqual({ status: 'received' })
})

it('nothing of a workspace that a fence protects', async () => {
  const { db } = caller.app.deps
  const ids = [await caller.start('rest'), await caller.start('ask')] as const
  const read = () =>
    db.all(sql`SELECT wait_until, remind_at FROM flow_runs WHERE id IN (${ids[0]}, ${ids[1]})`)
  const before = await read()
  await db.write([holdForMove({ ws: WS, fileId: 'move' }), ...raiseFence(WS)])
  try {
    await jumpBack()
    expect(await db.all(sql`SELECT epoch FROM clock_jumps`)).toEqual([{ epoch: 1 }])
    expect(await read()).toEqual(before)
  } finally {
    await db.write([...dropFence(WS), releaseWorkspace({ ws: WS, fileId: 'move' })])
  }
})
