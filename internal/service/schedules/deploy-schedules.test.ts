/** Schedules of a manifest are deployed with it [schedules 7]. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ScheduleDefinition } from '#core/schedule/definition.ts'
import { listScheduleSlots } from '#store/schedules/fire-times.ts'
import { listSchedules, type Schedule } from '#store/schedules/schedules.ts'
import { sql } from '#store/sql.ts'
import { actionDefinition } from '../../../test/support/action-definition.ts'
import { bundledCode, UPLOAD } from '../../../test/support/bundled-app.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { ADMIN, actorFor, MEMBER, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { deleteApp } from '../apps/manage-app.ts'
import type { ReadApp } from '../apps/read-app.ts'
import { deployApps, toOne } from '../deploy/deploy-app.ts'
import { redeployApp } from '../deploy/redeploy-app.ts'
import { fireDueSchedules } from './fire-schedules.ts'
import { changeSchedule, createSchedule, deleteSchedule } from './manage-schedule.ts'

const actor = actorFor(ADMIN)
const NIGHTLY: ScheduleDefinition = {
  key: 'nightly',
  action: 'greet',
  cron: '0 3 * * *',
  timezone: 'Asia/Seoul',
  input: { name: 'Ada' },
  enabled: true,
  overlap: 'allow',
}

const place = await workspaceForFile()
let app = ''
let count = 0
beforeEach(() => {
  count += 1
  app = `app-${count}`
})

const appOf = (schedules: readonly ScheduleDefinition[], keys: readonly string[]): ReadApp => ({
  manifest: {
    key: app,
    name: app,
    actions: keys.map(actionDefinition),
    flows: [],
    webhooks: [],
    schedules,
    events: [],
  },
  entries: keys.map((key) => ({ ...bundledCode('code'), entrypoint: `${key}.ts` })),
  functions: null,
  sources: new Map([['app.yaml', new TextEncoder().encode(`key: ${app}`)]]),
  hash: `sha256:${JSON.stringify([schedules, keys])}`,
  warnings: [],
})
const deploy = async (
  schedules: readonly ScheduleDefinition[],
  { keys = ['greet', 'send'], by = actor } = {},
) => toOne(await deployApps(place.deps, [appOf(schedules, keys)], { ...UPLOAD, actor: by }))
const all = (): Promise<readonly Schedule[]> =>
  listSchedules(place.db, WS, { app, enabled: null, beforeId: null, limit: 100 })
const one = async (key = 'nightly'): Promise<Schedule> => {
  const found = (await all()).find(({ managedKey }) => managedKey === key)
  if (found === undefined) throw new Error(`There is no schedule ${key}.`)
  return found
}
const enable = async (enabled: boolean) =>
  changeSchedule(place.deps, { ws: WS, id: (await one()).id, actor }, { enabled })

/** Makes the schedule due, because svc disables a schedule without a target only when it should fire. */
const fireNow = async () => {
  const { id } = await one()
  await place.db.write([sql`UPDATE schedules SET next_fire_at = 1 WHERE id = ${id}`])
  await fireDueSchedules(place.deps, { graceMs: 0 })
}

describe('a deployment', () => {
  test('creates the schedules of its manifest, which run as its deployer', async () => {
    await deploy([NIGHTLY, { ...NIGHTLY, key: 'off', enabled: false }])
    const schedule = await one()
    expect(schedule).toMatchObject({
      app,
      action: 'greet',
      flow: null,
      cron: '0 3 * * *',
      timezone: 'Asia/Seoul',
      inputJson: '{"name":"Ada"}',
      enabled: true,
      overlap: 'allow',
      createdBy: ADMIN,
    })
    expect(new Date(schedule.nextFireAt ?? 0).getUTCHours()).toBe(18)
    expect(await one('off')).toMatchObject({ enabled: false, nextFireAt: null })
  })

  test('changes them in their place, and leaves others as they are', async () => {
    await deploy([NIGHTLY, { ...NIGHTLY, key: 'other' }])
    const [before, other] = [await one(), await one('other')]
    await deploy([
      { ...NIGHTLY, action: 'send', cron: '0 4 * * *' },
      { ...NIGHTLY, key: 'other' },
    ])
    const after = await one()
    expect(after).toMatchObject({ id: before.id, action: 'send', cron: '0 4 * * *' })
    expect(new Date(after.nextFireAt ?? 0).getUTCHours()).toBe(19)
    expect(await one('other')).toEqual(other)
  })

  test('keeps the next fire time where the timing stays', async () => {
    await deploy([{ ...NIGHTLY, cron: '@every 5h' }])
    const before = await one()
    await deploy([{ ...NIGHTLY, cron: '@every 5h', input: {} }])
    expect(await one()).toMatchObject({ inputJson: '{}', nextFireAt: before.nextFireAt })
  })

  test.each([
    ['with another timing', { cron: '0 4 * * *' }, 1],
    ['that disables it', { enabled: false }, 1],
    ['with another input', { input: {} }, 0],
  ])('%s records a due fire time that it replaces as skipped', async (_, change, count) => {
    await deploy([NIGHTLY])
    const { id } = await one()
    await place.db.write([
      sql`UPDATE schedules SET next_fire_at = 1, waiting_since = 2 WHERE id = ${id}`,
    ])
    await deploy([{ ...NIGHTLY, ...change }])
    const slots = await listScheduleSlots(place.db, id, { before: null, limit: 9 })
    expect(slots.map(({ slot, outcome }) => ({ slot, outcome }))).toEqual(
      Array.from({ length: count }, () => ({ slot: 1, outcome: 'skipped' })),
    )
  })

  test('deletes those that its manifest no longer contains, and none that a person made', async () => {
    await deploy([NIGHTLY, { ...NIGHTLY, key: 'gone' }])
    const request = { ...NIGHTLY, app, action: 'greet', flow: null }
    const { id } = await createSchedule(place.deps, { ws: WS, actor, request })
    await deploy([NIGHTLY])
    expect((await all()).map(({ managedKey }) => managedKey)).toEqual([null, 'nightly'])
    await deploy([])
    expect((await all()).map((schedule) => schedule.id)).toEqual([id])
  })

  test('of another person makes that person the one whose jobs they are', async () => {
    await deploy([NIGHTLY])
    await deploy([NIGHTLY], { keys: ['greet'], by: actorFor(MEMBER) })
    expect(await one()).toMatchObject({ createdBy: MEMBER, enabled: true })
  })

  test('that loses against another one changes no schedule', async () => {
    const results = await Promise.all([
      deploy([{ ...NIGHTLY, input: { n: 1 } }]),
      deploy([{ ...NIGHTLY, input: { n: 2 } }]),
    ])
    const current = await place.db.all(
      sql`SELECT d.manifest ->> '$.schedules[0].input.n' AS n FROM apps
        JOIN deployments d ON d.id = apps.deployment_id WHERE apps.ws = ${WS} AND apps.key = ${app}`,
    )
    expect(results[0]?.deploymentId).not.toBe(results[1]?.deploymentId)
    expect((await one()).inputJson).toBe(JSON.stringify({ n: Number(current[0]?.n) }))
  })

  test('that is written twice changes nothing the second time', async () => {
    const { deps } = place
    const db: typeof deps.db = {
      ...deps.db,
      write: async (batch, options) => {
        await deps.db.write(batch, options)
        return deps.db.write(batch, options)
      },
    }
    const twice = { ...deps, db }
    const request = {
      ws: WS,
      source: 'upload',
      commit: null,
      gitSourceId: null,
      message: null,
      actor,
    } as const
    await deployApps(twice, [appOf([NIGHTLY], ['greet'])], request)
    const [first] = await all()
    expect(await all()).toHaveLength(1)
    await deployApps(twice, [appOf([{ ...NIGHTLY, input: {} }], ['greet'])], request)
    expect(await all()).toMatchObject([{ id: first?.id, version: 2, inputJson: '{}' }])
  })

  test('that is made current again brings its schedules back', async () => {
    const { deploymentId } = await deploy([NIGHTLY])
    await deploy([{ ...NIGHTLY, key: 'other' }])
    await redeployApp(place.deps, { ws: WS, id: deploymentId, message: null, actor })
    expect(await all()).toMatchObject([{ managedKey: 'nightly', enabled: true }])
  })

  test('of an app that was deleted meanwhile inserts its schedules again', async () => {
    await deploy([NIGHTLY])
    await deleteApp(place.deps, { ws: WS, key: app, actor })
    expect(await all()).toEqual([])
    await deploy([NIGHTLY])
    expect(await all()).toHaveLength(1)
  })
})

describe('a schedule of a manifest', () => {
  test.each([
    { cron: '0 5 * * *' },
    { timezone: 'UTC' },
    { input: {} },
    { action: 'send' },
    { cron: '0 5 * * *', enabled: false },
  ])('refuses the change %j', async (change) => {
    await deploy([NIGHTLY])
    const before = await one()
    const act = { ws: WS, id: before.id, actor }
    await expect(changeSchedule(place.deps, act, change)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'managed_by_app',
    })
    expect(await one()).toEqual(before)
  })

  test('refuses to be deleted', async () => {
    await deploy([NIGHTLY])
    const act = { ws: WS, id: (await one()).id, actor }
    const code = 'managed_by_app'
    await expect(deleteSchedule(place.deps, act)).rejects.toMatchObject({ code })
    expect(await all()).toHaveLength(1)
  })

  test('stays disabled over the API until the manifest itself changes that', async () => {
    await deploy([NIGHTLY])
    expect(await enable(false)).toMatchObject({ enabled: false, nextFireAt: null })
    await deploy([{ ...NIGHTLY, cron: '0 4 * * *' }])
    expect(await one()).toMatchObject({ enabled: false, nextFireAt: null, cron: '0 4 * * *' })
    await deploy([{ ...NIGHTLY, enabled: false }])
    await deploy([NIGHTLY])
    expect(await one()).toMatchObject({ enabled: true })
    expect((await one()).nextFireAt).not.toBeNull()
  })

  test('stays enabled over the API until the manifest itself changes that', async () => {
    await deploy([{ ...NIGHTLY, enabled: false }])
    await enable(true)
    await deploy([{ ...NIGHTLY, enabled: false, input: {} }])
    expect(await one()).toMatchObject({ enabled: true, inputJson: '{}' })
    await deploy([NIGHTLY])
    await deploy([{ ...NIGHTLY, enabled: false }])
    expect(await one()).toMatchObject({ enabled: false, nextFireAt: null })
  })

  test('that svc disabled because its target was gone goes on with the target', async () => {
    await deploy([NIGHTLY])
    await place.db.write([
      sql`DELETE FROM deployment_actions WHERE key = 'greet'
        AND deployment_id = (SELECT deployment_id FROM apps WHERE ws = ${WS} AND key = ${app})`,
    ])
    await fireNow()
    expect(await one()).toMatchObject({ enabled: false, disabledReason: expect.any(String) })
    await deploy([NIGHTLY], { keys: ['greet'] })
    const back = await one()
    expect(back).toMatchObject({ enabled: true, disabledReason: null })
    expect(back.nextFireAt).toBeGreaterThan(Date.now())
  })
})
