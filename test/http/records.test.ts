/** The ledger, the audit log, and the public settings: GET /ledger, /audit and /api/config. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ALL_SCOPES } from '#core/access/scope.ts'
import { sweepOldRows } from '#service/sweep.ts'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import { insertConsumer } from '#store/credentials/consumers.ts'
import type { Statement } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

let app: TestApp
let token = ''
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'], { isAdmin: true })
  await createWorkspace(app.deps, { id: 'other', name: 'Other' })
})
afterAll(() => app.close())

const record = z.object({ id: z.string() }).catchall(z.unknown())
const page = z.object({
  items: z.array(record),
  pagination: z.object({ next_cursor: z.string().nullable() }),
})
const read = async (path: string) =>
  page.parse((await app.call('GET', `/api/w/${WS}/${path}`, { token })).json)

describe.each(['ledger', 'audit', 'usage'])('GET /%s', (list) => {
  const path = `/api/w/${WS}/${list}`

  it('needs `*` in this workspace; every other scope together is not enough', async () => {
    const narrow = await app.token(ALL_SCOPES.filter((scope) => scope !== '*'))
    const elsewhere = await app.token(['*'], { ws: 'other' })
    expect((await app.call('GET', path)).status).toBe(401)
    expect(await app.call('GET', path, { token: elsewhere })).toMatchObject({
      status: 403,
      json: { code: 'wrong_workspace' },
    })
    expect(await app.call('GET', path, { token: narrow })).toMatchObject({
      status: 403,
      json: { code: 'missing_scope' },
    })
    expect((await app.call('GET', path, { token })).status).toBe(200)
  })

  it.each(['since=yesterday', 'until=2026-01-01', 'limit=0', 'limit=501', 'cursor=x'])(
    'refuses ?%s',
    async (query) => {
      expect((await app.call('GET', `${path}?${query}`, { token })).status).toBe(400)
    },
  )
})

type Bill = Readonly<{ id: string; completedAt: number; app?: string; customer?: string | null }>

const insertBill = (bill: Bill, ws = WS): Statement =>
  sql`INSERT INTO ledger (job_id, ws, customer_id, app, action, outcome, duration_ms, completed_at)
     VALUES (${bill.id}, ${ws}, ${bill.customer ?? null}, ${bill.app ?? 'hello'}, 'greet', 'success', 12, ${bill.completedAt})`

describe('the ledger', () => {
  const CUSTOMER = '019abcde-0000-7000-8000-0000000000c1'
  const at = (minute: number): number => Date.UTC(2026, 0, 1, 0, minute)

  it('shows each record with its customer, app and outcome, by time, app and customer, and nothing of other workspaces', async () => {
    const ids = [app.deps.newId(), app.deps.newId(), app.deps.newId(), app.deps.newId()] as const
    await app.deps.db.write([
      insertBill({ id: ids[0], completedAt: at(1), customer: CUSTOMER }),
      insertBill({ id: ids[1], completedAt: at(2), app: 'billing' }),
      insertBill({ id: ids[2], completedAt: at(3), app: 'billing', customer: CUSTOMER }),
      insertBill({ id: ids[3], completedAt: at(4) }, 'other'),
    ])
    const find = async (query: string) => (await read(`ledger?${query}`)).items.map(({ id }) => id)
    const all = await read('ledger')
    expect(all.items.at(-1)).toEqual({
      id: ids[0],
      customer_id: CUSTOMER,
      app: 'hello',
      action: 'greet',
      job_id: ids[0],
      outcome: 'success',
      duration_ms: 12,
      completed_at: '2026-01-01T00:01:00.000Z',
    })
    expect(all.items.map(({ id }) => id)).toEqual([ids[2], ids[1], ids[0]])
    expect(await find('app=billing')).toEqual([ids[2], ids[1]])
    expect(await find(`customer_id=${CUSTOMER}`)).toEqual([ids[2], ids[0]])
    expect(await find(`customer_id=${CUSTOMER}&app=billing`)).toEqual([ids[2]])
    expect(await find('since=2026-01-01T00:02:00Z')).toEqual([ids[2], ids[1]])
    expect(await find('until=2026-01-01T01:02:00%2B01:00')).toEqual([ids[1], ids[0]])
    expect(await find('since=2026-01-01T00:02:00Z&until=2026-01-01T00:02:00Z')).toEqual([ids[1]])
    expect(await find('app=none')).toEqual([])
  })

  it('gives each record exactly once, newest first, while new ones come (property)', async () => {
    const bills = fc.array(
      fc.record({ minute: fc.integer({ min: 0, max: 3 }), mine: fc.boolean() }),
      { maxLength: 25 },
    )
    const options = [bills, fc.integer({ min: 1, max: 7 }), fc.boolean()] as const
    let round = 0
    await fc.assert(
      fc.asyncProperty(...options, async (requests, limit, byCustomer) => {
        round += 1
        const name = `paged-${round}`
        const made = requests.map(({ minute, mine }) => ({
          id: app.deps.newId(),
          completedAt: at(minute),
          app: name,
          customer: mine ? CUSTOMER : null,
        }))
        await app.deps.db.write(made.map((bill) => insertBill(bill)))
        const expected = made
          .filter(({ customer }) => !byCustomer || customer === CUSTOMER)
          .toSorted((a, b) => b.completedAt - a.completedAt || (a.id < b.id ? 1 : -1))
          .map(({ id }) => id)
        const filter = byCustomer ? `&customer_id=${CUSTOMER}` : ''
        const seen: string[] = []
        let cursor: string | null = null
        do {
          const from: string = cursor === null ? '' : `&cursor=${cursor}`
          const answer = await read(`ledger?app=${name}&limit=${limit}${filter}${from}`)
          seen.push(...answer.items.map(({ id }) => id))
          cursor = answer.pagination.next_cursor
          const newer = { id: app.deps.newId(), completedAt: at(9), app: name, customer: CUSTOMER }
          await app.deps.db.write([insertBill(newer)])
        } while (cursor !== null)
        expect(seen).toEqual(expected)
      }),
      { numRuns: 30 },
    )
  })

  it('refuses the cursor of another list', async () => {
    const { pagination } = await read('audit?limit=1')
    const answer = await app.call('GET', `/api/w/${WS}/ledger?cursor=${pagination.next_cursor}`, {
      token,
    })
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_cursor' } })
  })
})

describe('the audit log', () => {
  it('records actor, action, target and credential of each change', async () => {
    await deployActions(app.deps, [{ ws: WS, app: 'audited', key: 'a' }])
    const { text: by, token: row } = await app.issue(['*'], { isAdmin: true })
    const send = async (method: string, path: string, json?: unknown) => {
      const request = json === undefined ? { token: by } : { token: by, json }
      const answer = await app.call(method, `/api/w/${WS}/${path}`, request)
      expect([path, answer.status]).toEqual([path, expect.toBeOneOf([200, 201, 204])])
      return z.object({ id: z.string() }).safeParse(answer.json).data?.id ?? ''
    }
    const tokenId = await send('POST', 'tokens', { label: 'x' })
    await send('DELETE', `tokens/${tokenId}`)
    await send('PUT', 'variables/KEY', { value: 'v' })
    await send('DELETE', 'variables/KEY')
    await send('POST', 'resources', { key: 'db', type: 'pg', value: 1 })
    await send('DELETE', 'resources/db')
    const source = await send('POST', 'git-sources', { name: 's', url: 'https://git.example/r' })
    await send('PATCH', `git-sources/${source}`, { name: 't' })
    await send('DELETE', `git-sources/${source}`)
    await send('PATCH', 'apps/audited/actions/a', { tag_override: 'gpu' })
    await send('PATCH', 'apps/audited/actions/a', { tag_override: null })
    await send('POST', 'apps', { key: 'empty', name: 'Empty' })
    await send('DELETE', 'apps/empty')
    const { items } = await read('audit?limit=14')
    expect(items.toReversed().map(({ action, target }) => [action, target])).toEqual([
      ['token.created', row.id],
      ['token.created', tokenId],
      ['token.revoked', tokenId],
      ['variable.set', 'KEY'],
      ['variable.deleted', 'KEY'],
      ['resource.set', 'db'],
      ['resource.deleted', 'db'],
      ['git_source.created', source],
      ['git_source.updated', source],
      ['git_source.deleted', source],
      ['tag_override.set', 'audited/a'],
      ['tag_override.removed', 'audited/a'],
      ['app.created', 'empty'],
      ['app.deleted', 'empty'],
    ])
    expect(items[0]).toEqual({
      id: expect.any(String),
      identity: ADMIN,
      identity_name: null,
      credential_kind: 'api_token',
      credential_prefix: row.prefix,
      address: null,
      action: 'app.deleted',
      target: 'empty',
      target_name: null,
      at: expect.stringMatching(/Z$/),
    })
    expect(items.at(-1)).toMatchObject({ identity: 'cli', credential_kind: 'cli' })
  })

  it('names what its targets are, as long as it is there', async () => {
    await deployActions(app.deps, [{ ws: WS, app: 'named', key: 'a' }])
    const send = async (method: string, path: string, json?: unknown) => {
      const request = json === undefined ? { token } : { token, json }
      const answer = await app.call(method, `/api/w/${WS}/${path}`, request)
      expect([path, answer.status]).toEqual([path, expect.toBeOneOf([200, 201, 204])])
      return z.looseObject({ id: z.string() }).safeParse(answer.json).data?.id ?? ''
    }
    await send('POST', 'tokens', { label: 'deploys' })
    const gone = await send('POST', 'git-sources', { name: 'gone', url: 'https://git.example/r' })
    await send('DELETE', `git-sources/${gone}`)
    await send('POST', 'git-sources', { name: 'stock', url: 'https://git.example/r' })
    const customer = await send('POST', 'consumers', { name: 'Acme' })
    await send('POST', `consumers/${customer}/keys`, { label: 'production' })
    await send('POST', 'schedules', {
      app_key: 'named',
      action_key: 'a',
      cron: '0 9 * * *',
      input: {},
    })
    const { items } = await read('audit?limit=7')
    expect(items.toReversed().map(({ action, target_name: name }) => [action, name])).toEqual([
      ['token.created', 'deploys'],
      ['git_source.created', null],
      ['git_source.deleted', null],
      ['git_source.created', 'stock'],
      ['consumer.created', 'Acme'],
      ['consumer_key.created', 'Acme: production'],
      ['schedule.created', 'named/a 0 9 * * *'],
    ])
  })

  it('records nothing for an action that changed nothing', async () => {
    const before = await read('audit?limit=1')
    expect((await app.call('DELETE', `/api/w/${WS}/variables/NONE`, { token })).status).toBe(404)
    expect((await app.call('DELETE', `/api/w/${WS}/apps/none`, { token })).status).toBe(404)
    expect(await read('audit?limit=1')).toEqual(before)
  })

  it('is filtered by time, actor and action, and is of this workspace alone', async () => {
    await app.token([], { ws: 'other' })
    const find = async (query: string) => (await read(`audit?${query}`)).items
    const all = await find('limit=500')
    for (const { action } of await find('action=token.revoked'))
      expect(action).toBe('token.revoked')
    const byAdmin = await find(`actor=${ADMIN}&limit=500`)
    const byCli = await find('actor=cli&limit=500')
    expect(byAdmin.length).toBeGreaterThan(0)
    expect(byAdmin.length + byCli.length).toBe(all.length)
    expect(await find('actor=nobody@example.com')).toEqual([])
    expect(await find('since=2100-01-01T00:00:00Z')).toEqual([])
    expect(await find('until=2100-01-01T00:00:00Z&limit=500')).toEqual(all)
    expect(await find('until=2000-01-01T00:00:00Z')).toEqual([])
    const others = await app.call('GET', '/api/w/other/audit', {
      token: await app.token(['*'], { ws: 'other' }),
    })
    const theirs = page.parse(others.json).items.map(({ id }) => id)
    expect(theirs.length).toBeGreaterThan(1)
    expect(all.filter(({ id }) => theirs.includes(id))).toEqual([])
  })

  it('has acts on the instance too, for who runs it alone', async () => {
    const json = { email: ADMIN, password: 'only for tests' }
    await app.call('POST', '/api/auth/login', { json })
    const ofInstance = await app.call('GET', '/api/admin/audit', { token })
    expect(ofInstance.json).toMatchObject({
      items: [{ action: 'session.started', identity: ADMIN, credential_kind: 'session' }],
    })
    expect(await read('audit?action=session.started')).toMatchObject({ items: [] })
  })

  it('is kept for its own window, then goes in batches; 0 keeps it', async () => {
    const { signal } = new AbortController()
    const count = async () => (await app.deps.db.one(sql`SELECT count(*) AS n FROM audit_log`))?.n
    const whole = await count()
    await app.deps.db.write([
      sql`UPDATE audit_log SET at = at - 40 * 86400000 WHERE action = 'token.created'`,
    ])
    await sweepOldRows(app.deps, 'audit_log', { retentionDays: 0, signal })
    await sweepOldRows(app.deps, 'audit_log', { retentionDays: 41, signal })
    expect(await count()).toBe(whole)
    await sweepOldRows(app.deps, 'audit_log', { retentionDays: 39, signal })
    expect((await read('audit?action=token.created')).items).toEqual([])
    expect(await count()).toBeGreaterThan(0)
  })
})

describe('GET /api/config', () => {
  it('answers any caller with the public settings and nothing else', async () => {
    const answer = await app.call('GET', '/api/config')
    expect(answer).toMatchObject({
      status: 200,
      json: { version: '0.0.0-test', job_retention_days: 30, max_body_bytes: 1_048_576 },
    })
    expect(Object.keys(z.record(z.string(), z.unknown()).parse(answer.json))).toHaveLength(5)
  })
})

describe('usage', () => {
  const used = z.looseObject({ customer_id: z.string(), runs: z.int(), days: z.array(z.unknown()) })
  const usage = page.extend({ items: z.array(used), since: z.string(), until: z.string() })
  const ALICE = '019abcde-0000-7000-8000-0000000000d1'
  const BOB = '019abcde-0000-7000-8000-0000000000d2'
  const day = (date: string, hour = 0): number => Date.parse(`${date}T00:00:00Z`) + hour * 3_600_000

  const find = async (query: string) =>
    usage.parse((await app.call('GET', `/api/w/${WS}/usage?${query}`, { token })).json)

  it('adds up the records of each customer by day, those that were deleted too', async () => {
    const bills: readonly Omit<Bill, 'id'>[] = [
      { completedAt: day('2026-02-01', 1), customer: ALICE },
      { completedAt: day('2026-02-01', 23), customer: ALICE },
      { completedAt: day('2026-02-03') - 1, customer: ALICE },
      { completedAt: day('2026-02-03'), customer: ALICE },
      { completedAt: day('2026-01-31', 23), customer: ALICE },
      { completedAt: day('2026-02-02'), customer: BOB },
      { completedAt: day('2026-02-02') },
    ]
    await app.deps.db.write([
      ...bills.map((bill) => insertBill({ ...bill, id: app.deps.newId() })),
      insertBill(
        { id: app.deps.newId(), completedAt: day('2026-02-02'), customer: ALICE },
        'other',
      ),
      insertConsumer({ id: BOB, ws: WS, name: 'Bob', externalRef: 'b-1', createdBy: 'x' }),
    ])
    const span = 'since=2026-02-01T12:00:00Z&until=2026-02-02T00:00:00Z'
    const all = await find(span)
    expect([all.since, all.until]).toEqual(['2026-02-01T00:00:00.000Z', '2026-02-03T00:00:00.000Z'])
    const sums = { failures: 0, canceled: 0 }
    expect(all.items).toEqual([
      {
        customer_id: ALICE,
        name: null,
        external_ref: null,
        runs: 3,
        duration_ms: 36,
        ...sums,
        days: [
          { date: '2026-02-01', runs: 2, duration_ms: 24, ...sums },
          { date: '2026-02-02', runs: 1, duration_ms: 12, ...sums },
        ],
      },
      expect.objectContaining({ customer_id: BOB, name: 'Bob', external_ref: 'b-1', runs: 1 }),
    ])
    const first = await find(`${span}&limit=1`)
    expect(first.items.map(({ customer_id }) => customer_id)).toEqual([ALICE])
    const second = await find(`${span}&limit=1&cursor=${first.pagination.next_cursor}`)
    expect(second.items.map(({ customer_id }) => customer_id)).toEqual([BOB])
    expect(second.pagination.next_cursor).toBeNull()
    const one = await find(`${span}&customer_id=${BOB}`)
    expect(one.items.map(({ runs }) => runs)).toEqual([1])
    expect((await find(`customer_id=${BOB}`)).items).toMatchObject([{ runs: 0, days: [] }])
  })

  it.each(['customer_id=', 'customer_id=b-1'])('refuses %s: no id of a customer', async (query) => {
    const { status } = await app.call('GET', `/api/w/${WS}/usage?${query}`, { token })
    expect(status).toBe(400)
  })

  it.each([
    'since=2026-02-02T00:00:00Z&until=2026-02-01T00:00:00Z',
    'since=2020-01-01T00:00:00Z',
    'until=9999-12-31T00:00:00Z',
  ])('refuses %s: no day, more than 366, or one whose end has no text', async (query) => {
    const answer = await app.call('GET', `/api/w/${WS}/usage?${query}`, { token })
    expect(answer).toMatchObject({ status: 400, json: { code: 'bad_period' } })
  })
})
