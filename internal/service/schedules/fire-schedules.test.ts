/** The decisions of a fire time; races and both databases are in test/jobs/schedules.test.ts. */
import { beforeEach, describe, expect, test } from 'vitest'
import { listScheduleSlots } from '#store/schedules/fire-times.ts'
import { sql } from '#store/sql.ts'
import { deployActions } from '../../../test/support/deploy-action.ts'
import { APP, WS } from '../../../test/support/open-queue.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { createDueTurns } from '../due-turns.ts'
import { createQueueGate } from '../queue/queue-gate.ts'
import { fireDueSchedules } from './fire-schedules.ts'
import { createFireTasks } from './fire-tasks.ts'
import { changeSchedule, createSchedule, requireSchedule } from './manage-schedule.ts'

const actor = actorFor(ADMIN)
const MINUTE_MS = 60_000

const place = await workspaceForFile()
let id = ''
beforeEach(async () => {
  await place.db.write([sql`DELETE FROM schedules`, sql`DELETE FROM jobs WHERE status = 'queued'`])
  await place.deploy({ key: 'greet' })
  const request = {
    app: APP,
    action: 'greet',
    flow: null,
    cron: '* * * * *',
    timezone: 'UTC',
    input: { name: 'Ada' },
    enabled: true,
    overlap: 'allow' as const,
  }
  ;({ id } = await createSchedule(place.deps, { ws: WS, actor, request }))
})

const makeDue = async (agoMs = 0): Promise<void> => {
  const at = Math.floor(((await place.db.now()) - agoMs) / MINUTE_MS) * MINUTE_MS
  await place.db.write([sql`UPDATE schedules SET next_fire_at = ${at} WHERE id = ${id}`])
}
const fire = (queueMax = 100_000) => {
  const limits = { ...place.deps.limits, queueMax }
  const deps = { ...place.deps, limits }
  return fireDueSchedules({ ...deps, gate: createQueueGate(deps) }, { graceMs: 0 })
}
const outcomes = async (queueMax?: number) => (await fire(queueMax)).map(({ outcome }) => outcome)
const jobs = () =>
  place.db.all(sql`SELECT created_by, trigger_kind FROM jobs WHERE status = 'queued'`)
/** The outcomes of the fire times, newest first. */
const recorded = async () =>
  (await listScheduleSlots(place.db, id, { before: null, limit: 9 })).map(
    ({ slot, outcome, reason }) => ({ slot, outcome, reason }),
  )
const nextFireAt = async () => (await requireSchedule(place.deps, WS, id)).nextFireAt

describe('a schedule that is due', () => {
  beforeEach(() => makeDue())

  test('queues one job as the schedule, and its next fire time is ahead', async () => {
    expect(await outcomes()).toEqual(['fired'])
    expect(await jobs()).toEqual([{ created_by: `schedule:${id}`, trigger_kind: 'schedule' }])
    expect(await nextFireAt()).toBeGreaterThan((await place.db.now()) - 1)
    expect(await outcomes()).toEqual([])
  })

  test('fires once when two schedulers try', async () => {
    const ends = (await Promise.all([outcomes(), outcomes()])).flat()
    expect(ends.filter((outcome) => outcome === 'fired')).toHaveLength(1)
    expect(await jobs()).toHaveLength(1)
  })

  test('wakes workers for its job when the answer of the database was lost', async () => {
    const { db, deps } = place
    const write: typeof db.write = async (batch, options) => {
      const written = await db.write(batch, options)
      return options?.retry === true ? db.write(batch, options) : written
    }
    const queued: string[] = []
    const stop = deps.hints.jobQueued.subscribe((tag) => void queued.push(tag))
    const firings = await fireDueSchedules({ ...deps, db: { ...db, write } }, { graceMs: 0 })
    stop()
    expect(firings.map(({ outcome }) => outcome)).toEqual(['fired'])
    expect(queued).toEqual(['default'])
    expect(await jobs()).toHaveLength(1)
  })

  test('is disabled when its target is gone', async () => {
    await place.deploy({ key: 'other' })
    const slot = await nextFireAt()
    expect(await outcomes()).toEqual(['disabled'])
    expect(await requireSchedule(place.deps, WS, id)).toMatchObject({ enabled: false })
    const reason = `The action ${APP}/greet no longer exists.`
    expect(await recorded()).toEqual([{ slot, outcome: 'skipped', reason }])
  })

  test('is deleted when a deleted app has left it, and not reported as disabled', async () => {
    await place.db.write([sql`DELETE FROM apps WHERE ws = ${WS} AND key = ${APP}`])
    expect(await outcomes()).toEqual(['late'])
    await expect(requireSchedule(place.deps, WS, id)).rejects.toMatchObject({ kind: 'not_found' })
    expect(await recorded()).toEqual([])
  })

  test('stays enabled when a deployment brings its target back at that moment', async () => {
    await place.deploy({ key: 'other' })
    const { db } = place
    const write: typeof db.write = async (batch, options) => {
      await place.deploy({ key: 'greet' })
      return db.write(batch, options)
    }
    await fireDueSchedules({ ...place.deps, db: { ...db, write } }, { graceMs: 0 })
    expect(await requireSchedule(place.deps, WS, id)).toMatchObject({ enabled: true })
    expect(await outcomes()).toEqual(['fired'])
  })

  test('stays due while deployments keep its flow from starting', async () => {
    const { db, deps } = place
    const deploy = () =>
      deployActions(
        deps,
        [{ ws: WS, app: APP, key: 'greet' }],
        [{ key: 'day', steps: [{ key: 'first', action: 'greet' }] }],
      )
    await deploy()
    await changeSchedule(deps, { ws: WS, id, actor }, { action: null, flow: 'day' })
    const write: typeof db.write = async (batch, options) => {
      await deploy()
      return db.write(batch, options)
    }
    const busy = fireDueSchedules({ ...deps, db: { ...db, write } }, { graceMs: 0 })
    await expect(busy).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await outcomes()).toEqual(['fired'])
  })

  test('skips the fire time when its input no longer fits, and goes on', async () => {
    await place.deploy({ key: 'greet', inputSchema: { required: ['age'] } })
    const [firing] = await fire()
    expect(firing).toMatchObject({ outcome: 'skipped' })
    expect(firing?.reason).toContain('age')
    expect(await requireSchedule(place.deps, WS, id)).toMatchObject({ enabled: true })
    expect(await jobs()).toEqual([])
  })

  test('waits for room while the queue of its workspace is full', async () => {
    await place.enqueue()
    expect(await outcomes(1)).toEqual(['postponed'])
    expect((await jobs()).filter(({ trigger_kind }) => trigger_kind === 'schedule')).toEqual([])
  })

  test.each([
    ['is disabled', { enabled: false }],
    ['gets another timing', { cron: '@hourly' }],
  ])('has the fire time on record as skipped when it %s while it waits', async (_, change) => {
    await place.enqueue()
    const slot = await nextFireAt()
    await outcomes(1)
    await changeSchedule(place.deps, { ws: WS, id, actor }, change)
    const reason = 'The schedule was disabled or changed before it could fire.'
    expect(await recorded()).toEqual([{ slot, outcome: 'skipped', reason }])
    expect(await place.audit()).toContain(`schedule.changed ${id}`)
  })

  test('still waits when only its input changes', async () => {
    await place.enqueue()
    await outcomes(1)
    await changeSchedule(place.deps, { ws: WS, id, actor }, { input: { name: 'Bob' } })
    expect(await recorded()).toEqual([])
    expect(await outcomes()).toEqual(['fired'])
  })

  test('that has not come yet leaves no record when the schedule is disabled', async () => {
    await fire()
    await place.db.write([sql`DELETE FROM schedule_slots`])
    await changeSchedule(place.deps, { ws: WS, id, actor }, { enabled: false })
    expect(await recorded()).toEqual([])
  })
})

test('fire times that no scheduler met are skipped together, the last one fires', async () => {
  await makeDue(10 * MINUTE_MS)
  expect(await outcomes()).toEqual(['fired'])
  expect(await jobs()).toHaveLength(1)
})

const addDue = async (count: number): Promise<void> => {
  await makeDue()
  const copy = (at: number) =>
    sql`INSERT INTO schedules (id, ws, app, action, cron, timezone, input, enabled, next_fire_at, created_by, created_at, updated_at)
      SELECT id || ${at}, ws, app, action, cron, timezone, input, enabled, next_fire_at, created_by, 1, 1
      FROM schedules WHERE id = ${id}`
  await place.db.write([
    // a minute may end during the test
    sql`UPDATE schedules SET cron = '@every 1h'`,
    ...Array.from({ length: count }, (_, at) => copy(at)),
  ])
}

test('the writes of a workspace with many due schedules leave room for those of others', async () => {
  await addDue(40)
  let underWay = 0
  let most = 0
  const { db } = place
  const write: typeof db.write = async (batch, options) => {
    underWay += 1
    most = Math.max(most, underWay)
    const written = await db.write(batch, options)
    underWay -= 1
    return written
  }
  const deps = { ...place.deps, db: { ...db, write } }
  expect(await fireDueSchedules(deps, { graceMs: 0 })).toHaveLength(41)
  expect(most).toBe(8)
})

test('a turn passes over no schedule because others of its workspace are still being fired', async () => {
  await addDue(150)
  const { promise: room, resolve: makeRoom } = Promise.withResolvers<void>()
  const gate = { ...place.deps.gate, pass: () => room.then(() => () => undefined) }
  const tasks = createFireTasks({ patienceMs: 1 })
  const turns = createDueTurns()
  const turn = () => fireDueSchedules({ ...place.deps, gate }, { graceMs: 0, turns, tasks })
  await turn()
  await turn()
  makeRoom()
  await tasks.settled()
  await turn()
  await tasks.settled()
  expect(await jobs()).toHaveLength(151)
})
