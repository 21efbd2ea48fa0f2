/** Schedules over HTTP [schedules 1, 2]: what is accepted, refused and shown. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '#store/sql.ts'
import { ADMIN, createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const SCHEDULES = `/api/w/${WS}/schedules`
const GOOD = { app_key: 'hello', action_key: 'greet', cron: '30 9 * * *', timezone: 'Asia/Seoul' }
const UNKNOWN = '019abcde-0000-7000-8000-000000000000'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['schedules:read', 'schedules:write'])
  const inputSchema = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' } },
  }
  await deployActions(
    app.deps,
    [
      { ws: WS, app: 'hello', key: 'greet' },
      { ws: WS, app: 'hello', key: 'strict', inputSchema },
    ],
    [{ key: 'strict-flow', inputSchema, steps: [{ key: 'greet', action: 'greet' }] }],
  )
})
afterAll(() => app.close())

const post = (json: unknown, path = '') => app.call('POST', `${SCHEDULES}${path}`, { token, json })
const patch = (id: string, json: unknown) =>
  app.call('PATCH', `${SCHEDULES}/${id}`, { token, json })
const get = (path: string) => app.call('GET', `${SCHEDULES}${path}`, { token })
const made = z.looseObject({ id: z.string(), next_fire_at: z.string().nullable() })
const make = async (options: object = {}) => made.parse((await post({ ...GOOD, ...options })).json)

describe('/schedules/by-key/{app}/{key}', () => {
  const { app_key: _, ...SETTINGS } = GOOD
  const path = (key: string, of = 'hello') => `${SCHEDULES}/by-key/${of}/${encodeURIComponent(key)}`
  const put = (key: string, json: unknown, of?: string) =>
    app.call('PUT', path(key, of), { token, json })

  it('creates a schedule once, and replaces its settings', async () => {
    const created = await put('customer:17', { ...SETTINGS, input: { name: 'Ada' } })
    expect(created).toMatchObject({
      status: 201,
      json: { key: 'customer:17', managed_by: null, app_key: 'hello', overlap: 'allow' },
    })
    const { id, next_fire_at } = made.parse(created.json)
    const again = await put('customer:17', { ...SETTINGS, input: { name: 'Ada' } })
    expect(again).toMatchObject({ status: 200, json: created.json })
    // what a request leaves out gets its default
    const replaced = await put('customer:17', { ...SETTINGS, overlap: 'skip' })
    expect(replaced).toMatchObject({
      status: 200,
      json: { id, next_fire_at, input: {}, overlap: 'skip' },
    })
    expect((await app.call('GET', path('customer:17'), { token })).json).toEqual(replaced.json)
    expect((await get(`/${id}`)).json).toEqual(replaced.json)
  })

  it('makes one of many requests at once', async () => {
    const inputs = Array.from({ length: 10 }, (__, n) => ({ name: `${n}` }))
    const answers = await Promise.all(
      inputs.map((input) => put('together', { ...SETTINGS, input })),
    )
    expect(new Set(answers.map(({ json }) => made.parse(json).id)).size).toBe(1)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(200), 201])
  })

  it('creates or replaces it also while others delete it', async () => {
    const statuses: number[] = []
    const keepPutting = async (): Promise<void> => {
      for (let n = 0; n < 20; n += 1) {
        const { status } = await put('contested', { ...SETTINGS, input: { name: `${n}` } })
        statuses.push(status)
      }
    }
    const remove = async (): Promise<void> => {
      while (statuses.length < 40) await app.call('DELETE', path('contested'), { token })
    }
    await Promise.all([keepPutting(), keepPutting(), remove()])
    expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([])
  })

  it('deletes by key, and keeps the key of another app and of the manifest apart', async () => {
    await put('gone', SETTINGS)
    expect((await app.call('DELETE', path('gone'), { token })).status).toBe(204)
    expect(await app.call('DELETE', path('gone'), { token })).toMatchObject({ status: 404 })
    expect(await app.call('GET', path('customer:17', 'other'), { token })).toMatchObject({
      status: 404,
    })
    expect(await put('gone', SETTINGS)).toMatchObject({ status: 201 })
  })

  it('does not take a key along to an app that has it', async () => {
    await deployActions(app.deps, [{ ws: WS, app: 'other', key: 'greet' }])
    const { id } = made.parse((await put('moved', SETTINGS)).json)
    const there = made.parse((await put('moved', SETTINGS, 'other')).json)
    expect(await patch(id, { app_key: 'other', cron: '@daily' })).toMatchObject({
      status: 409,
      json: { code: 'schedule_key_taken', error: expect.stringContaining('The app "other" has') },
    })
    expect((await get(`/${id}`)).json).toMatchObject({ app_key: 'hello', cron: GOOD.cron })
    await app.call('DELETE', `${SCHEDULES}/${there.id}`, { token })
    expect(await patch(id, { app_key: 'other' })).toMatchObject({ status: 200 })
    expect((await app.call('GET', path('moved', 'other'), { token })).json).toMatchObject({ id })
    expect(await app.call('GET', path('moved'), { token })).toMatchObject({ status: 404 })
  })

  it.each([
    ['a key with a space', 'a b', SETTINGS, 400, 'invalid'],
    ['a bad cron', 'x', { ...SETTINGS, cron: 'daily' }, 400, 'bad_schedule'],
    ['no target', 'x', { cron: '@daily' }, 400, 'bad_target'],
    ['an unknown action', 'x', { ...SETTINGS, action_key: 'none' }, 404, 'action_not_found'],
    ['another app in the body', 'x', GOOD, 400, 'unknown_field'],
  ])('refuses %s', async (__, key, json, status, code) => {
    expect(await put(key, json)).toMatchObject({ status, json: { code } })
  })

  it('needs an app that exists', async () => {
    expect(await put('x', SETTINGS, 'none')).toMatchObject({
      status: 404,
      json: { code: 'app_not_found' },
    })
  })
})

describe('POST /schedules', () => {
  it('answers the schedule with its next fire time', async () => {
    const answer = await post({ ...GOOD, input: { name: 'Ada' } })
    expect(answer).toMatchObject({
      status: 201,
      json: {
        app_key: 'hello',
        action_key: 'greet',
        flow_key: null,
        cron: '30 9 * * *',
        timezone: 'Asia/Seoul',
        input: { name: 'Ada' },
        enabled: true,
        last_fire_at: null,
        last_job_id: null,
        disabled_reason: null,
        created_by: ADMIN,
      },
    })
    const { next_fire_at } = made.parse(answer.json)
    expect(next_fire_at).toMatch(/T00:30:00\.000Z$/)
    expect(Date.parse(next_fire_at ?? '')).toBeGreaterThan(Date.now())
  })

  it('takes UTC, an empty input and enabled for granted', async () => {
    const { app_key, action_key } = GOOD
    const answer = await post({ app_key, action_key, cron: '@daily' })
    expect(answer.json).toMatchObject({ timezone: 'UTC', input: {}, enabled: true })
  })

  it('computes no time for one that is off', async () => {
    expect(await make({ enabled: false })).toMatchObject({ next_fire_at: null })
  })

  it.each([
    [{ cron: '0 0 * * * *' }, 'seconds are not supported'],
    [{ cron: 'tomorrow' }, 'five fields'],
    [{ cron: '0 0 31 2 *' }, 'never fire'],
    [{ cron: '@every 10ms' }, 'every second at most'],
    [{ timezone: 'Mars/Olympus' }, 'not a known time zone'],
    [{ input: [] }, 'must be an object'],
    [{ input: 'x' }, 'must be an object'],
    [{ flow_key: 'onboard' }, 'exactly one'],
    [{ action_key: undefined }, 'exactly one'],
    [{ colour: 'red' }, 'colour'],
    [{ action_key: 'strict', input: {} }, 'does not fit the schema'],
    [{ action_key: null, flow_key: 'strict-flow', input: {} }, 'does not fit the schema'],
  ])('refuses %j with 400: %s', async (options, message) => {
    const answer = await post({ ...GOOD, ...options })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(message)
  })

  it.each([
    [{ app_key: 'gone' }, 'app_not_found'],
    [{ action_key: 'gone' }, 'action_not_found'],
    [{ action_key: undefined, flow_key: 'gone' }, 'flow_not_found'],
  ])('answers 404 for %j', async (options, code) => {
    expect(await post({ ...GOOD, ...options })).toMatchObject({ status: 404, json: { code } })
  })
})

describe('PATCH /schedules/{id}', () => {
  it('computes the next time at once when time, zone or switch change', async () => {
    const { id, next_fire_at } = await make()
    const changed = made.parse((await patch(id, { cron: '0 9 * * *' })).json)
    expect(changed.next_fire_at).toMatch(/T00:00:00\.000Z$/)
    expect(changed.next_fire_at).not.toBe(next_fire_at)
    const moved = made.parse((await patch(id, { timezone: 'UTC' })).json)
    expect(moved.next_fire_at).toMatch(/T09:00:00\.000Z$/)
    expect((await patch(id, { enabled: false })).json).toMatchObject({ next_fire_at: null })
    expect((await patch(id, { enabled: true })).json).toMatchObject(
      moved.next_fire_at === null ? {} : { next_fire_at: moved.next_fire_at },
    )
  })

  it('leaves the time of @every as it is when only the input changes', async () => {
    const { id, next_fire_at } = await make({ cron: '@every 1h' })
    const answer = await patch(id, { input: { a: 1 } })
    expect(answer.json).toMatchObject({ next_fire_at, input: { a: 1 } })
  })

  it('takes a disabled one with its reason back when it is enabled', async () => {
    const { id } = await make()
    await app.deps.db.write([
      sql`UPDATE schedules SET enabled = 0, next_fire_at = NULL, disabled_reason = 'x'
        WHERE id = ${id}`,
    ])
    expect((await get(`/${id}`)).json).toMatchObject({ enabled: false, disabled_reason: 'x' })
    expect((await patch(id, { enabled: true })).json).toMatchObject({
      enabled: true,
      disabled_reason: null,
      next_fire_at: expect.any(String),
    })
  })

  it('refuses what POST refuses, and changes nothing then', async () => {
    const { id } = await make()
    const before = (await get(`/${id}`)).json
    for (const json of [{ cron: 'x' }, { timezone: 'x' }, { enabled: 'yes' }, { id: 'x' }]) {
      expect((await patch(id, json)).status).toBe(400)
    }
    expect((await patch(id, { action_key: 'gone' })).status).toBe(404)
    expect((await patch(id, { action_key: 'strict' })).status).toBe(400)
    for (const json of [
      { action_key: 'greet', flow_key: 'x' },
      { action_key: null },
      { action_key: null, flow_key: null },
    ]) {
      expect(await patch(id, json)).toMatchObject({ status: 400, json: { code: 'bad_target' } })
    }
    expect((await get(`/${id}`)).json).toEqual(before)
  })

  it('takes the null of a target that it does not have', async () => {
    const { id } = await make()
    expect(await patch(id, { flow_key: null })).toMatchObject({
      status: 200,
      json: { action_key: 'greet', flow_key: null },
    })
  })

  it('loses no change when many come at once', async () => {
    const { id } = await make()
    const fields = [{ cron: '1 1 * * *' }, { timezone: 'Europe/Berlin' }, { input: { b: 2 } }]
    const answers = await Promise.all(fields.map((json) => patch(id, json)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await get(`/${id}`)).json).toMatchObject({
      cron: '1 1 * * *',
      timezone: 'Europe/Berlin',
      input: { b: 2 },
    })
  })
})

describe('GET and DELETE', () => {
  it('pages newest first, by app and by switch', async () => {
    const first = await make()
    const second = await make({ enabled: false })
    const page = await get('?limit=1')
    expect(page.json).toMatchObject({ items: [{ id: second.id }] })
    const { next_cursor } = z
      .object({ pagination: z.object({ next_cursor: z.string() }) })
      .parse(page.json).pagination
    expect((await get(`?limit=1&cursor=${next_cursor}`)).json).toMatchObject({
      items: [{ id: first.id }],
    })
    expect((await get('?enabled=false&limit=1')).json).toMatchObject({ items: [{ id: second.id }] })
    expect((await get('?app=gone')).json).toMatchObject({ items: [] })
    expect((await get('?enabled=maybe')).status).toBe(400)
    expect((await get('?cursor=x')).status).toBe(400)
  })

  it('ends a page early when its inputs are large', async () => {
    const input = { name: 'x'.repeat(450_000) }
    const ids: string[] = []
    for (let each = 0; each < 3; each += 1) ids.unshift((await make({ input })).id)
    const page = z.object({
      items: z.array(z.looseObject({ id: z.string() })),
      pagination: z.object({ next_cursor: z.string().nullable() }),
    })
    const first = page.parse((await get('?limit=500')).json)
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    const next = `?limit=1&cursor=${first.pagination.next_cursor}`
    expect(page.parse((await get(next)).json).items.map(({ id }) => id)).toEqual(ids.slice(2))
    for (const id of ids) await app.call('DELETE', `${SCHEDULES}/${id}`, { token })
  })

  it('knows no schedule of another workspace, and no id that is none', async () => {
    for (const id of [UNKNOWN, 'no-uuid', '..']) {
      expect((await get(`/${id}`)).status).toBe(404)
    }
    expect((await patch(UNKNOWN, { enabled: false })).status).toBe(404)
    expect((await app.call('DELETE', `${SCHEDULES}/${UNKNOWN}`, { token })).status).toBe(404)
    expect((await get(`/${UNKNOWN}/slots`)).status).toBe(404)
  })

  it('deletes once', async () => {
    const { id } = await make()
    expect((await app.call('DELETE', `${SCHEDULES}/${id}`, { token })).status).toBe(204)
    expect((await app.call('DELETE', `${SCHEDULES}/${id}`, { token })).status).toBe(404)
  })

  it('shows what became of its slots', async () => {
    const { id } = await make()
    await app.deps.db.write([
      sql`INSERT INTO schedule_slots (schedule_id, slot, outcome, last_slot, count, reason, at)
         VALUES (${id}, 60000, 'skipped', 120000, 2, 'late', 1), (${id}, 180000, 'fired', NULL, 1, NULL, 1)`,
    ])
    const page = await get(`/${id}/slots?limit=1`)
    expect(page.json).toMatchObject({
      items: [{ slot: '1970-01-01T00:03:00.000Z', outcome: 'fired' }],
    })
    const { next_cursor } = z
      .object({ pagination: z.object({ next_cursor: z.string() }) })
      .parse(page.json).pagination
    expect((await get(`/${id}/slots?cursor=${next_cursor}`)).json).toMatchObject({
      items: [
        { outcome: 'skipped', count: 2, last_slot: '1970-01-01T00:02:00.000Z', reason: 'late' },
      ],
    })
  })
})

describe('a schedule of a manifest', () => {
  it('is marked, and takes no change but enabled', async () => {
    const { id } = await make()
    expect((await get(`/${id}`)).json).toMatchObject({ managed_by: null, managed_key: null })
    await app.deps.db.write([
      sql`UPDATE schedules SET managed_key = 'nightly', manifest_enabled = 1 WHERE id = ${id}`,
    ])
    expect((await get(`/${id}`)).json).toMatchObject({ managed_by: 'app', managed_key: 'nightly' })
    const refused = { status: 409, json: { code: 'managed_by_app' } }
    expect(await patch(id, { cron: '@daily' })).toMatchObject(refused)
    expect(await patch(id, { enabled: false, timezone: 'UTC' })).toMatchObject(refused)
    expect(await app.call('DELETE', `${SCHEDULES}/${id}`, { token })).toMatchObject(refused)
    expect(await patch(id, { enabled: false })).toMatchObject({
      status: 200,
      json: { enabled: false, next_fire_at: null, cron: GOOD.cron },
    })
  })
})

describe('POST /schedules/preview', () => {
  it('shows the next times, also across a change of the clocks', async () => {
    const answer = await post(
      { cron: '30 2 * * *', timezone: 'Europe/Berlin', count: 3, from: '2026-03-27T12:00:00Z' },
      '/preview',
    )
    expect(answer).toMatchObject({
      status: 200,
      json: {
        fire_times: [
          '2026-03-28T01:30:00.000Z',
          '2026-03-29T01:00:00.000Z',
          '2026-03-30T00:30:00.000Z',
        ],
      },
    })
  })

  it('shows five from now on by default', async () => {
    const answer = await post({ cron: '@hourly' }, '/preview')
    const { fire_times } = z.object({ fire_times: z.array(z.string()) }).parse(answer.json)
    expect(fire_times).toHaveLength(5)
    expect(Date.parse(fire_times[0] ?? '')).toBeGreaterThan(Date.now())
  })

  it.each([{ cron: 'x' }, { cron: '@hourly', timezone: 'x' }, { cron: '@hourly', count: 0 }, {}])(
    'refuses %j',
    async (json) => {
      expect((await post(json, '/preview')).status).toBe(400)
    },
  )
})
