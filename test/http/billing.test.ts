/** Prepaid credit: the balance of a workspace, who may read it and add to it, and that no won is spent twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { ALL_SCOPES } from '#core/access/scope.ts'
import { addCredit } from '#service/billing/add-credit.ts'
import { charge, requireCredit } from '#service/billing/charge.ts'
import { administerWorkspace } from '#service/workspaces/administer-workspace.ts'
import { createUser, createWorkspace } from '#service/workspaces/create-workspace.ts'
import { type Database, DatabaseError } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

let app: TestApp
let token = ''
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
  await createUser(app.deps, { email: 'ada@example.com', password: null, isSuperAdmin: false })
})
afterAll(() => app.close())

const BILLING = `/api/w/${WS}/billing`
const billing = z.object({
  balance_won: z.int(),
  suspended: z.boolean(),
  prices: z.looseObject({}),
  entries: z.array(z.looseObject({ id: z.string(), kind: z.string(), amount_won: z.int() })),
  pagination: z.object({ next_cursor: z.string().nullable() }),
})
const read = async (ws: string, query = '') => {
  const by = ws === WS ? token : await app.token(['*'], { ws })
  return billing.parse((await app.call('GET', `/api/w/${ws}/billing${query}`, { token: by })).json)
}

let made = 0
/** Creates a workspace for one test, with the given credit. */
const workspaceWith = async (won: number): Promise<string> => {
  made += 1
  const ws = `shop-${made}`
  await createWorkspace(app.deps, { id: ws, name: ws })
  if (won > 0) await addCredit(app.deps, { ws, amountWon: won, note: null, actor: CLI_ACTOR })
  return ws
}
const callOf = (ws: string, priceWon = 1_000) => ({
  ws,
  priceWon,
  route: '/document-parser/registry',
  apiKeyId: 'ak_0000000000000000',
  requestId: `r-${ws}`,
})
const credits = (ws: string, json: unknown, by = token, headers = {}) =>
  app.call('POST', `/api/admin/workspaces/${ws}/credits`, { token: by, json, headers })

describe('GET /billing', () => {
  it('needs `*` in this workspace', async () => {
    await workspaceWith(0)
    const narrow = await app.token(ALL_SCOPES.filter((scope) => scope !== '*'))
    const elsewhere = await app.token(['*'], { ws: 'shop-1' })
    expect((await app.call('GET', BILLING)).status).toBe(401)
    expect((await app.call('GET', BILLING, { token: elsewhere })).status).toBe(403)
    expect((await app.call('GET', BILLING, { token: narrow })).status).toBe(403)
  })

  it('shows the opening credit of the first workspace, and none of another', async () => {
    const first = await read(WS)
    expect(first).toMatchObject({ balance_won: 100_000, suspended: false })
    expect(first.entries).toMatchObject([{ kind: 'opening', amount_won: 100_000 }])
    expect(await read(await workspaceWith(0))).toMatchObject({ balance_won: 0, entries: [] })
  })

  it('shows a workspace the prices of this server', async () => {
    const prices = { prepaid: true, registry_won: 1_000, accuracy_won: 500 }
    expect(await read(WS)).toMatchObject({ prices })
  })

  it('lists newest first, page by page', async () => {
    const ws = await workspaceWith(5_000)
    await charge(app.deps, callOf(ws))
    await charge(app.deps, callOf(ws, 1_500))
    const [page, rest] = [await read(ws, '?limit=2'), await read(ws)]
    expect(page.balance_won).toBe(2_500)
    expect(page.entries.map(({ amount_won }) => amount_won)).toEqual([-1_500, -1_000])
    const next = await read(ws, `?limit=2&cursor=${page.pagination.next_cursor}`)
    expect([...page.entries, ...next.entries]).toEqual(rest.entries)
    expect(next.pagination.next_cursor).toBeNull()
    expect(rest.entries[0]).toMatchObject({
      kind: 'charge',
      route: '/document-parser/registry',
      api_key_id: 'ak_0000000000000000',
      request_id: `r-${ws}`,
    })
    const bad = await app.call('GET', `${BILLING}?cursor=x`, { token })
    expect(bad).toMatchObject({ status: 400, json: { code: 'invalid_cursor' } })
  })
})

describe('POST /api/admin/workspaces/{ws}/credits', () => {
  it('is for a super admin with `*`, of whatever workspace', async () => {
    const ws = await workspaceWith(0)
    const narrow = await app.token(['members:write'])
    const plain = await app.call('POST', `/api/admin/workspaces/${ws}/credits`)
    expect(plain.status).toBe(401)
    expect(await credits(ws, { amount_won: 5 }, narrow)).toMatchObject({
      status: 403,
      json: { code: 'super_admin_only' },
    })
    expect(await credits(ws, { amount_won: 5, note: 'invoice 17' })).toMatchObject({
      status: 201,
      json: { balance_won: 5, entry: { kind: 'credit', amount_won: 5, note: 'invoice 17' } },
    })
  })

  it('takes back no more than there is, and no amount that cannot be meant', async () => {
    const ws = await workspaceWith(300)
    expect(await credits(ws, { amount_won: -301 })).toMatchObject({
      status: 409,
      json: { code: 'insufficient_balance' },
    })
    expect(await credits(ws, { amount_won: -300 })).toMatchObject({ json: { balance_won: 0 } })
    for (const amount_won of [0, 1.5, '5', 1_000_000_001, null]) {
      expect((await credits(ws, { amount_won })).status).toBe(400)
    }
    expect((await credits(ws, { amount_won: 1, wrong: 1 })).status).toBe(400)
    expect((await credits('nowhere', { amount_won: 1 })).status).toBe(404)
  })

  it('with an Idempotency-Key adds it once, however often and however many at once', async () => {
    const ws = await workspaceWith(0)
    const add = (amount_won: number, key = 'invoice-17') =>
      credits(ws, { amount_won }, token, { 'idempotency-key': key })
    const answers = await Promise.all(Array.from({ length: 3 }, () => add(300)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const entries = answers.map(({ json }) =>
      z.object({ entry: z.object({ id: z.string() }) }).parse(json),
    )
    expect(new Set(entries.map(({ entry }) => entry.id)).size).toBe(1)
    const replays = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')
    expect(replays).toHaveLength(2)
    expect(await add(301)).toMatchObject({ status: 409, json: { code: 'idempotency_key_reused' } })
    expect((await add(300, 'invoice-18')).status).toBe(201)
    expect(await read(ws)).toMatchObject({ balance_won: 600 })
  })

  it('keeps no Idempotency-Key of a refused request', async () => {
    const ws = await workspaceWith(0)
    const takeBack = () =>
      credits(ws, { amount_won: -5 }, token, { 'idempotency-key': 'correction' })
    expect(await takeBack()).toMatchObject({ status: 409, json: { code: 'insufficient_balance' } })
    await credits(ws, { amount_won: 5 })
    expect(await takeBack()).toMatchObject({ status: 201, json: { balance_won: 0 } })
  })

  it('leaves a line in the audit log, as suspending does', async () => {
    const ws = await workspaceWith(0)
    await credits(ws, { amount_won: 7 })
    await app.call('PATCH', `/api/admin/workspaces/${ws}`, { token, json: { suspended: true } })
    await app.call('PATCH', `/api/admin/workspaces/${ws}`, { token, json: { suspended: true } })
    await app.call('PATCH', `/api/admin/workspaces/${ws}`, { token, json: { suspended: false } })
    const by = await app.token(['*'], { ws })
    const { text } = await app.call('GET', `/api/w/${ws}/audit`, { token: by })
    const actions = [...text.matchAll(/"action":"([a-z_.]+)"/g)].map(([, action]) => action)
    expect(actions.filter((action) => action !== 'token.created')).toEqual([
      'workspace.resumed',
      'workspace.suspended',
      'credit.added',
      'workspace.created',
    ])
  })
})

describe('a charge', () => {
  it('is never made beyond the balance, however many calls come at once', async () => {
    const ws = await workspaceWith(3_000)
    const calls = Array.from({ length: 20 }, () => charge(app.deps, callOf(ws)))
    const ended = await Promise.allSettled(calls)
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const end of ended) {
      if (end.status === 'rejected')
        expect(end.reason).toMatchObject({ kind: 'forbidden', code: 'insufficient_balance' })
    }
    expect(await read(ws)).toMatchObject({ balance_won: 0 })
    expect((await read(ws)).entries).toHaveLength(4)
  })

  it('is made once when the database could not say whether it was made', async () => {
    const ws = await workspaceWith(1_000)
    // acts like a backend that retries after the first response was lost
    const db: Database = {
      ...app.deps.db,
      write: async (...args) => {
        await app.deps.db.write(...args)
        return app.deps.db.write(...args)
      },
    }
    await charge({ ...app.deps, db }, callOf(ws))
    expect(await read(ws)).toMatchObject({ balance_won: 0 })
    expect((await read(ws)).entries).toHaveLength(2)
  })

  it('is a record of the call where it costs nothing', async () => {
    const ws = await workspaceWith(0)
    await requireCredit(app.deps, callOf(ws, 0))
    await charge(app.deps, callOf(ws, 0))
    expect((await read(ws)).entries).toMatchObject([{ kind: 'charge', amount_won: 0 }])
  })

  it('is refused to a suspended workspace until it is resumed', async () => {
    const ws = await workspaceWith(1_000)
    const suspend = (isSuspended: boolean) =>
      administerWorkspace(app.deps, { ws, rules: { isSuspended }, actor: CLI_ACTOR })
    await suspend(true)
    const refused = { kind: 'forbidden', code: 'suspended' }
    await expect(requireCredit(app.deps, callOf(ws))).rejects.toMatchObject(refused)
    await expect(charge(app.deps, callOf(ws))).rejects.toMatchObject(refused)
    expect(await read(ws)).toMatchObject({ balance_won: 1_000, suspended: true })
    await suspend(false)
    await charge(app.deps, callOf(ws))
    expect(await read(ws)).toMatchObject({ balance_won: 0, suspended: false })
  })

  it('never changes afterwards', async () => {
    const change = app.deps.db.write([sql`UPDATE credit_entries SET amount_won = 0`])
    await expect(change).rejects.toBeInstanceOf(DatabaseError)
  })
})
