/** Customers, their grants and their keys, as the people of a workspace manage them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseTokenText } from '#core/access/token-text.ts'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

let app: TestApp
let token = ''
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['consumers:read', 'consumers:write'])
  await deployActions(app.deps, [
    { ws: WS, app: 'hello', key: 'greet' },
    { ws: WS, app: 'hello', key: 'other' },
  ])
})
afterAll(() => app.close())

const CONSUMERS = `/api/w/${WS}/consumers`
const UNKNOWN = '019abcde-0000-7000-8000-000000000000'
const made = z.object({ id: z.uuid() })
const madeKey = z.object({ id: z.uuid(), key: z.string(), key_prefix: z.string() })

const call = (method: string, path: string, json?: unknown, by = token) =>
  app.call(method, `${CONSUMERS}${path}`, json === undefined ? { token: by } : { token: by, json })
const create = async (json: unknown = { name: 'Acme' }): Promise<string> =>
  made.parse((await call('POST', '', json)).json).id
const auditOf = async (target: string) =>
  (await app.deps.db.all(sql`SELECT * FROM audit_log WHERE target = ${target} ORDER BY id`)).map(
    ({ action }) => action,
  )

describe('customers', () => {
  it.each([
    ['GET', '', 'consumers:read'],
    ['POST', '', 'consumers:write'],
    ['GET', `/${UNKNOWN}`, 'consumers:read'],
    ['PATCH', `/${UNKNOWN}`, 'consumers:write'],
    ['DELETE', `/${UNKNOWN}`, 'consumers:write'],
    ['PUT', `/${UNKNOWN}/grants`, 'consumers:write'],
    ['GET', `/${UNKNOWN}/keys`, 'consumers:read'],
    ['POST', `/${UNKNOWN}/keys`, 'consumers:write'],
    ['DELETE', `/${UNKNOWN}/keys/${UNKNOWN}`, 'consumers:write'],
  ] as const)('%s %s needs the scope %s', async (method, path, scope) => {
    await createWorkspace(app.deps, { id: 'other', name: 'Other' }).catch(() => undefined)
    const other = scope === 'consumers:read' ? 'consumers:write' : 'consumers:read'
    const elsewhere = await app.token(['*'], { ws: 'other' })
    expect((await app.call(method, `${CONSUMERS}${path}`)).status).toBe(401)
    expect(await call(method, path, undefined, elsewhere)).toMatchObject({
      status: 403,
      json: { code: 'wrong_workspace' },
    })
    expect(await call(method, path, undefined, await app.token([other]))).toMatchObject({
      status: 403,
      json: { code: 'missing_scope' },
    })
  })

  it('are made without any grant, found, changed and deleted', async () => {
    const answer = await call('POST', '', { name: 'Acme', external_ref: 'crm-17' })
    expect(answer).toMatchObject({
      status: 201,
      json: {
        name: 'Acme',
        external_ref: 'crm-17',
        disabled: false,
        disabled_at: null,
        grants: [],
        created_by: ADMIN,
      },
    })
    const { id } = made.parse(answer.json)
    expect((await call('GET', `/${id}`)).json).toEqual(answer.json)
    expect((await call('PATCH', `/${id}`, { name: 'Acme Ltd' })).json).toMatchObject({
      name: 'Acme Ltd',
      external_ref: 'crm-17',
    })
    expect((await call('PATCH', `/${id}`, { external_ref: null })).json).toMatchObject({
      name: 'Acme Ltd',
      external_ref: null,
    })
    const off = await call('PATCH', `/${id}`, { disabled: true })
    expect(off.json).toMatchObject({ disabled: true, disabled_at: expect.any(String) })
    expect((await call('PATCH', `/${id}`, { disabled: false })).json).toMatchObject({
      disabled: false,
      disabled_at: null,
    })
    expect((await call('DELETE', `/${id}`)).status).toBe(204)
    expect((await call('DELETE', `/${id}`)).status).toBe(404)
    expect((await call('GET', `/${id}`)).status).toBe(404)
    expect(await auditOf(id)).toEqual([
      'consumer.created',
      'consumer.updated',
      'consumer.updated',
      'consumer.disabled',
      'consumer.enabled',
      'consumer.deleted',
    ])
  })

  it('are listed newest first, page by page, each once', async () => {
    const ids = [await create(), await create(), await create()].reverse()
    const page = z.object({
      items: z.array(made),
      pagination: z.object({ next_cursor: z.string().nullable() }),
    })
    const first = page.parse((await call('GET', '?limit=2')).json)
    const second = page.parse(
      (await call('GET', `?limit=500&cursor=${first.pagination.next_cursor}`)).json,
    )
    const seen = [...first.items, ...second.items].map(({ id }) => id)
    expect(seen.slice(0, 3)).toEqual(ids)
    expect(new Set(seen).size).toBe(seen.length)
    expect(second.pagination.next_cursor).toBeNull()
  })

  it.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['an unknown field', { name: 'x', scopes: ['*'] }],
    ['grants at birth', { name: 'x', grants: [] }],
  ])('are not made of %s', async (_, json) => {
    expect((await call('POST', '', json)).status).toBe(400)
  })

  it('of another workspace are not found by any request', async () => {
    await createWorkspace(app.deps, { id: 'theirs', name: 'Theirs' })
    const theirs = await app.token(['*'], { ws: 'theirs' })
    const answer = await app.call('POST', '/api/w/theirs/consumers', {
      token: theirs,
      json: { name: 'Hidden' },
    })
    const { id } = made.parse(answer.json)
    expect((await call('GET', `/${id}`)).status).toBe(404)
    expect((await call('PATCH', `/${id}`, { name: 'x' })).status).toBe(404)
    expect((await call('PUT', `/${id}/grants`, { grants: [] })).status).toBe(404)
    expect((await call('POST', `/${id}/keys`, { label: 'x' })).status).toBe(404)
    expect((await call('GET', `/${id}/keys`)).status).toBe(404)
    expect((await call('DELETE', `/${id}`)).status).toBe(404)
    expect((await call('GET', '')).text).not.toContain(id)
    expect(await auditOf(id)).toEqual(['consumer.created'])
  })
})

describe('grants', () => {
  const GREET = { app: 'hello', action: 'greet' }
  const OTHER = { app: 'hello', action: 'other' }

  it('are replaced as a whole; the same one twice counts once', async () => {
    const id = await create()
    const put = (grants: unknown) => call('PUT', `/${id}/grants`, { grants })
    expect((await put([OTHER, GREET, OTHER])).json).toMatchObject({ grants: [GREET, OTHER] })
    expect((await put([OTHER])).json).toMatchObject({ grants: [OTHER] })
    expect((await put([])).json).toMatchObject({ grants: [] })
    expect(await auditOf(id)).toEqual([
      'consumer.created',
      ...Array.from({ length: 3 }, () => 'consumer.grants_replaced'),
    ])
  })

  it('name deployed actions; any other is reported with its place, and nothing changes', async () => {
    const id = await create()
    await call('PUT', `/${id}/grants`, { grants: [GREET] })
    const answer = await call('PUT', `/${id}/grants`, {
      grants: [OTHER, { app: 'hello', action: 'nope' }, { app: 'nope', action: 'greet' }],
    })
    expect(answer).toMatchObject({
      status: 422,
      json: {
        code: 'unknown_action',
        details: [{ path: 'body.grants.1' }, { path: 'body.grants.2' }],
      },
    })
    expect((await call('GET', `/${id}`)).json).toMatchObject({ grants: [GREET] })
  })

  it('go with their app, so that another app of its name inherits nothing', async () => {
    const id = await create()
    await deployActions(app.deps, [{ ws: WS, app: 'brief', key: 'a' }])
    await call('PUT', `/${id}/grants`, { grants: [GREET, { app: 'brief', action: 'a' }] })
    const admin = await app.token(['*'])
    expect((await app.call('DELETE', `/api/w/${WS}/apps/brief`, { token: admin })).status).toBe(204)
    expect((await call('GET', `/${id}`)).json).toMatchObject({ grants: [GREET] })
  })

  it.each([
    ['no list', {}],
    ['half a grant', { grants: [{ app: 'hello' }] }],
    ['a wildcard field', { grants: [{ ...GREET, all: true }] }],
    ['too many', { grants: Array.from({ length: 1_001 }, () => GREET) }],
  ])('are not %s', async (_, json) => {
    expect((await call('PUT', `/${await create()}/grants`, json)).status).toBe(400)
  })
})

describe('customer keys', () => {
  it('are listed in pages, newest first', async () => {
    const id = await create()
    const issue = async () =>
      madeKey.parse((await call('POST', `/${id}/keys`, { label: 'k' })).json).id
    const ids = [await issue(), await issue(), await issue()]
    const page = z.object({
      items: z.array(z.object({ id: z.string() })),
      pagination: z.object({ next_cursor: z.string().nullable() }),
    })
    const first = page.parse((await call('GET', `/${id}/keys?limit=2`)).json)
    const cursor = first.pagination.next_cursor
    const second = page.parse((await call('GET', `/${id}/keys?limit=2&cursor=${cursor}`)).json)
    const read = [...first.items, ...second.items].map((each) => each.id)
    expect(read).toEqual(ids.toReversed())
    expect(second.pagination.next_cursor).toBeNull()
    await app.deps.db.write([
      sql`INSERT INTO consumer_keys (id, ws, consumer_id, label, hash, prefix, created_by, created_at)
        SELECT format('01a1fd91-3d6b-770e-a570-%012x', key), ${WS}, ${id}, '', 'h' || key, 'p', '', 0 FROM json_each(${JSON.stringify(Array(60).fill(0))})`,
    ])
    await expect(call('GET', `/${id}/keys`)).resolves.toMatchObject({
      json: { items: { length: 50 } },
    })
  })

  it('are shown once; the database and every later answer hold only their hash or prefix', async () => {
    const id = await create()
    const answer = await call('POST', `/${id}/keys`, { label: 'prod', expires_in_days: 30 })
    expect(answer.status).toBe(201)
    const { key, key_prefix, id: keyId } = madeKey.parse(answer.json)
    expect(parseTokenText(key)).toMatchObject({ kind: 'customer_key', prefix: key_prefix })
    expect(answer.json).toMatchObject({
      label: 'prod',
      expires_at: expect.stringMatching(/Z$/),
      revoked_at: null,
      created_by: ADMIN,
    })
    const secret = key.slice(key.lastIndexOf('_') + 1)
    const row = await app.deps.db.one(sql`SELECT * FROM consumer_keys WHERE id = ${keyId}`)
    expect(JSON.stringify(row)).not.toContain(secret)
    const later = [
      await call('GET', `/${id}/keys`),
      await call('DELETE', `/${id}/keys/${keyId}`),
      await call('GET', `/${id}/keys`),
    ]
    for (const { status, text } of later) {
      expect(status).toBe(200)
      expect(text).toContain(key_prefix)
      expect(text).not.toContain(secret)
      expect(text).not.toContain(String(row?.hash))
    }
    expect(await auditOf(keyId)).toEqual(['consumer_key.created', 'consumer_key.revoked'])
  })

  it('work at once, and stop at once when revoked, expired, disabled or deleted', async () => {
    const id = await create()
    const issue = async () =>
      madeKey.parse((await call('POST', `/${id}/keys`, { label: 'k' })).json)
    const me = async (key: string) => (await app.call('GET', '/api/auth/me', { token: key })).status
    const [revoked, expired, kept] = [await issue(), await issue(), await issue()]
    expect(await me(kept.key)).toBe(200)
    const path = `/${id}/keys/${revoked.id}`
    const first = await call('DELETE', path)
    expect(first).toMatchObject({ status: 200, json: { revoked_at: expect.any(String) } })
    expect((await call('DELETE', path)).json).toEqual(first.json)
    expect(await me(revoked.key)).toBe(401)
    await app.deps.db.write([sql`UPDATE consumer_keys SET expires_at = 1 WHERE id = ${expired.id}`])
    expect(await me(expired.key)).toBe(401)
    await call('PATCH', `/${id}`, { disabled: true })
    expect(await me(kept.key)).toBe(401)
    await call('PATCH', `/${id}`, { disabled: false })
    expect(await me(kept.key)).toBe(200)
    await call('DELETE', `/${id}`)
    expect(await me(kept.key)).toBe(401)
  })

  it('of one customer are not reached by way of another', async () => {
    const [mine, theirs] = [await create(), await create()]
    const { id } = madeKey.parse((await call('POST', `/${theirs}/keys`, { label: 'k' })).json)
    expect((await call('DELETE', `/${mine}/keys/${id}`)).status).toBe(404)
    expect((await call('GET', `/${mine}/keys`)).text).not.toContain(id)
    expect((await call('GET', `/${theirs}/keys`)).text).toContain('"revoked_at":null')
  })

  it.each([
    ['no label', {}],
    ['scopes', { label: 'x', scopes: ['*'] }],
    ['no lifetime', { label: 'x', expires_in_days: 0 }],
  ])('are not made with %s', async (_, json) => {
    expect((await call('POST', `/${await create()}/keys`, json)).status).toBe(400)
  })
})
