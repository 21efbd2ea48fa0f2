import { describe, expect, test } from 'vitest'
import { leastLongestTurnMs } from '../../../test/support/longest-turn.ts'
import { APP, WS } from '../../../test/support/open-queue.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import type { AllDeps } from '../flows/engine.ts'
import {
  changeSchedule,
  checkTiming,
  createSchedule,
  deleteSchedule,
  previewTimes,
  type ScheduleChange,
  type ScheduleRequest,
} from './manage-schedule.ts'

const actor = actorFor(ADMIN)
const DAILY: ScheduleRequest = {
  app: APP,
  action: 'greet',
  flow: null,
  cron: '0 9 * * *',
  timezone: 'Asia/Seoul',
  input: { name: 'Ada' },
  enabled: true,
  overlap: 'allow',
}
const inputSchema = { type: 'object', required: ['name'] }

const place = await workspaceForFile()
await place.deploy({ key: 'greet', inputSchema })

const create = (more: Partial<ScheduleRequest> = {}) =>
  createSchedule(place.deps, { ws: WS, actor, request: { ...DAILY, ...more } })
const change = (id: string, more: ScheduleChange, deps: AllDeps = place.deps) =>
  changeSchedule(deps, { ws: WS, id, actor }, more)

describe('a new schedule', () => {
  test('has its next fire time at once', async () => {
    const { nextFireAt } = await create()
    const next = new Date(nextFireAt ?? 0)
    expect(next.getTime()).toBeGreaterThan(Date.now())
    // 9 o'clock in Seoul
    expect([next.getUTCHours(), next.getUTCMinutes()]).toEqual([0, 0])
  })

  test('has none while it is disabled', async () => {
    expect(await create({ enabled: false })).toMatchObject({ nextFireAt: null })
  })

  test('is on record and wakes the scheduler', async () => {
    const heard: string[] = []
    const stop = place.deps.hints.scheduleChanged.subscribe((id) => heard.push(id))
    const { id } = await create()
    stop()
    expect(heard).toEqual([id])
    expect(await place.audit()).toContain(`schedule.created ${id}`)
  })

  test.each([
    ['a cron expression that is none', { cron: 'every day' }, 'bad_schedule'],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, 'bad_schedule'],
    ['an unknown app', { app: 'none' }, 'app_not_found'],
    ['an unknown action', { action: 'none' }, 'action_not_found'],
    ['an unknown flow', { action: null, flow: 'none' }, 'flow_not_found'],
    ['an input that does not fit the schema', { input: {} }, 'input_schema'],
  ])('is refused with %s', async (_, more, code) => {
    await expect(create(more)).rejects.toMatchObject({ code })
  })
})

describe('a change', () => {
  test('of the input alone keeps the next fire time', async () => {
    const { id, nextFireAt } = await create({ cron: '@every 1h' })
    const changed = await change(id, { input: { name: 'Bob' } })
    expect(changed.nextFireAt).toBe(nextFireAt)
    expect(JSON.parse(changed.inputJson)).toEqual({ name: 'Bob' })
  })

  test('of the cron expression computes it again', async () => {
    const { id } = await create()
    const { nextFireAt } = await change(id, { cron: '30 9 * * *' })
    expect(new Date(nextFireAt ?? 0).getUTCMinutes()).toBe(30)
  })

  test('disables and enables again', async () => {
    const { id } = await create()
    expect((await change(id, { enabled: false })).nextFireAt).toBeNull()
    expect((await change(id, { enabled: true })).nextFireAt).not.toBeNull()
  })

  test('is made again when others change the schedule meanwhile', async () => {
    const { id } = await create()
    let others = 2
    const { db } = place.deps
    const racing: AllDeps = {
      ...place.deps,
      db: {
        ...db,
        write: async (...args) => {
          others -= 1
          if (others >= 0) await change(id, { input: { name: `other ${others}` } })
          return db.write(...args)
        },
      },
    }
    expect(await change(id, { timezone: 'UTC' }, racing)).toMatchObject({
      timezone: 'UTC',
      inputJson: '{"name":"other 0"}',
    })
  })

  test('is refused when others change it all the time', async () => {
    const { id } = await create()
    const { db } = place.deps
    let count = 0
    const racing: AllDeps = {
      ...place.deps,
      db: {
        ...db,
        write: async (...args) => {
          count += 1
          await change(id, { input: { name: `other ${count}` } })
          return db.write(...args)
        },
      },
    }
    await expect(change(id, { timezone: 'UTC' }, racing)).rejects.toMatchObject({
      kind: 'conflict',
    })
  })

  test('of an unknown schedule, or one of another workspace, is not found', async () => {
    const { id } = await create()
    await expect(change('none', {})).rejects.toMatchObject({ kind: 'not_found' })
    await expect(changeSchedule(place.deps, { ws: 'other', id, actor }, {})).rejects.toMatchObject({
      kind: 'not_found',
    })
  })
})

test('a schedule whose target is gone may be disabled, and not enabled', async () => {
  const { id } = await create()
  await place.deploy({ key: 'other' })
  expect(await change(id, { enabled: false })).toMatchObject({ enabled: false })
  await expect(change(id, { enabled: true })).rejects.toMatchObject({ code: 'action_not_found' })
  await place.deploy({ key: 'greet', inputSchema })
})

test('a deleted schedule is not found a second time', async () => {
  const { id } = await create()
  await deleteSchedule(place.deps, { ws: WS, id, actor })
  await expect(deleteSchedule(place.deps, { ws: WS, id, actor })).rejects.toMatchObject({
    kind: 'not_found',
  })
  expect((await place.audit()).filter((entry) => entry === `schedule.deleted ${id}`)).toHaveLength(
    1,
  )
})

test('previews of rare fire times leave turns to others', async () => {
  const timing = checkTiming('59 23 29 2 *', 'America/St_Johns')
  const previews = () =>
    Array.from({ length: 50 }, () => previewTimes(timing, { from: 0, count: 100 }))
  expect(await leastLongestTurnMs(() => Promise.all(previews()))).toBeLessThan(50)
})

test('a preview lists the next fire times', async () => {
  const from = Date.parse('2026-03-01T00:00:00Z')
  const times = await previewTimes(checkTiming('0 12 * * 1', 'UTC'), { from, count: 3 })
  expect(times.map((time) => new Date(time).toISOString())).toEqual([
    '2026-03-02T12:00:00.000Z',
    '2026-03-09T12:00:00.000Z',
    '2026-03-16T12:00:00.000Z',
  ])
})
