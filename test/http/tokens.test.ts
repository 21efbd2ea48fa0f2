import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseTokenText } from '#core/access/token-text.ts'
import { addMember } from '#service/people/manage-member.ts'
import { createUser, createWorkspace } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

let app: TestApp
let admin = ''
beforeAll(async () => {
  app = await createTestApp()
  admin = await app.token(['*'], { isAdmin: true })
})
afterAll(() => app.close())

const TOKENS = `/api/w/${WS}/tokens`
const created = z.object({ id: z.uuid(), token: z.string(), token_prefix: z.string() })
const page = z.object({
  items: z.array(z.record(z.string(), z.unknown())),
  pagination: z.object({ next_cursor: z.string().nullable() }),
})

const create = async (json: unknown, token = admin) => app.call('POST', TOKENS, { token, json })

describe('creating a token', () => {
  it('answers the raw text this once, with label, scopes and times', async () => {
    const answer = await create({ label: 'ci', scopes: ['jobs:run'], expires_in_days: 30 })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { token, token_prefix } = created.parse(answer.json)
    expect(parseTokenText(token)).toMatchObject({ kind: 'api_token', prefix: token_prefix })
    expect(answer.json).toMatchObject({
      label: 'ci',
      scopes: ['jobs:run'],
      created_by: ADMIN,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expires_at: expect.stringMatching(/Z$/),
    })
    expect((await app.call('GET', '/api/auth/me', { token })).json).toMatchObject({
      scopes: ['jobs:run'],
    })
  })

  it('keeps no raw text: the database holds its hash, and no other answer shows either', async () => {
    const { id, token } = created.parse((await create({ label: 'secret', scopes: ['*'] })).json)
    const secret = token.slice(token.lastIndexOf('_') + 1)
    const row = await app.deps.db.one(sql`SELECT * FROM tokens WHERE id = ${id}`)
    expect(JSON.stringify(row)).not.toContain(secret)
    const answers = [
      await app.call('GET', TOKENS, { token: admin }),
      await app.call('DELETE', `${TOKENS}/${id}`, { token: admin }),
      await app.call('DELETE', `${TOKENS}/${id}`, { token: admin }),
    ]
    for (const { status, text } of answers) {
      expect(status).toBe(200)
      expect(text).not.toContain(secret)
      expect(text).not.toContain(String(row?.hash))
    }
  })

  it('gives no rights when no scope is named', async () => {
    const answer = await create({ label: 'none' })
    expect(answer.json).toMatchObject({ scopes: [], expires_at: null })
    const { token } = created.parse(answer.json)
    expect((await app.call('GET', `/api/w/${WS}/whoami`, { token })).status).toBe(403)
  })

  it.each([
    ['an unknown scope', { label: 'x', scopes: ['jobs:eat'] }, 'unknown_scope'],
    ['no label', { scopes: [] }, 'invalid'],
    ['a field that is unknown', { label: 'x', scope: ['*'] }, 'unknown_field'],
    ['no lifetime', { label: 'x', expires_in_days: 0 }, 'invalid'],
    ['half a day', { label: 'x', expires_in_days: 1.5 }, 'invalid'],
    ['an array', [], 'invalid'],
  ])('refuses %s', async (_, json, code) => {
    expect(await create(json)).toMatchObject({ status: 400, json: { code } })
  })

  it('reports each wrong field with its path', async () => {
    const { json } = await create({ label: '', scopes: ['*'], expires_in_days: -1 })
    expect(json).toMatchObject({
      details: [
        { path: 'body.label', message: expect.any(String) },
        { path: 'body.expires_in_days', message: expect.any(String) },
      ],
    })
  })

  it('hands on no scope that the creator lacks, nor the rights of an admin', async () => {
    const token = await app.token(['tokens:write', 'jobs:read'])
    expect((await create({ label: 'x', scopes: ['jobs:read'] }, token)).status).toBe(201)
    for (const scopes of [['*'], ['jobs:run'], ['jobs:read', 'variables:read']]) {
      expect(await create({ label: 'x', scopes }, token)).toMatchObject({ status: 403 })
    }
    expect(await create({ label: 'x', admin: true }, token)).toMatchObject({ status: 403 })
  })
})

describe('listing tokens', () => {
  it('goes page by page, newest first, each once', async () => {
    const fresh = await createTestApp()
    const token = await fresh.token(['*'])
    for (let count = 0; count < 4; count += 1) await fresh.token([])
    const seen: unknown[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`
      const answer = page.parse(
        (await fresh.call('GET', `${TOKENS}?limit=2${query}`, { token })).json,
      )
      expect(answer.items.length).toBeLessThanOrEqual(2)
      seen.push(...answer.items.map(({ id }) => id))
      cursor = answer.pagination.next_cursor
    } while (cursor !== null)
    expect(seen).toHaveLength(5)
    expect(seen).toEqual([...new Set(seen)].sort().reverse())
    await fresh.close()
  })

  it.each(['limit=0', 'limit=501', 'limit=x', 'limit=', 'cursor=made-up', 'cursor=c1.%00'])(
    'refuses ?%s',
    async (query) => {
      expect((await app.call('GET', `${TOKENS}?${query}`, { token: admin })).status).toBe(400)
    },
  )

  it('shows the tokens of this workspace only', async () => {
    await createWorkspace(app.deps, { id: 'elsewhere', name: 'Elsewhere' })
    const { token } = await app.issue([], { ws: 'elsewhere' })
    expect((await app.call('GET', TOKENS, { token: admin })).text).not.toContain(token.id)
    expect((await app.call('DELETE', `${TOKENS}/${token.id}`, { token: admin })).status).toBe(404)
  })
})

describe('revoking a token', () => {
  it('answers the row with the first time, however often', async () => {
    const { token } = await app.issue(['jobs:read'])
    const path = `${TOKENS}/${token.id}`
    const first = await app.call('DELETE', path, { token: admin })
    expect(first).toMatchObject({ status: 200, json: { revoked_at: expect.any(String) } })
    expect((await app.call('DELETE', path, { token: admin })).json).toEqual(first.json)
  })

  it('ends the tokens that it made; one that revokes itself leaves them', async () => {
    const revoke = (id: string, token: string) => app.call('DELETE', `${TOKENS}/${id}`, { token })
    const works = async (token: string) =>
      (await app.call('GET', '/api/auth/me', { token })).status === 200
    const maker = await app.issue(['tokens:write'])
    const made = created.parse((await create({ label: 'next' }, maker.text)).json)
    const listed = page.parse((await app.call('GET', TOKENS, { token: admin })).json)
    expect(listed.items[0]).toMatchObject({ id: made.id, made_by: maker.token.id })
    expect((await revoke(maker.token.id, maker.text)).status).toBe(200)
    expect([await works(maker.text), await works(made.token)]).toEqual([false, true])
    expect((await revoke(maker.token.id, admin)).status).toBe(200)
    expect(await works(made.token)).toBe(false)
  })

  it.each(['019abcde-0000-7000-8000-000000000000', 'no-uuid', '%00', '..%2f..'])(
    'knows no %s',
    async (id) => {
      expect((await app.call('DELETE', `${TOKENS}/${id}`, { token: admin })).status).toBe(404)
    },
  )
})

describe('GET /api/tokens/scopes', () => {
  it('lists every scope with its description, for any caller', async () => {
    const { status, json } = await app.call('GET', '/api/tokens/scopes')
    expect(status).toBe(200)
    const { items } = z
      .object({ items: z.array(z.object({ scope: z.string(), description: z.string().min(3) })) })
      .parse(json)
    expect(items).toHaveLength(30)
    expect(items[0]).toMatchObject({ scope: '*' })
  })
})

describe('whoami', () => {
  it('returns role, workspace and scopes', async () => {
    await createUser(app.deps, { email: 'ada@example.com', password: null, isSuperAdmin: false })
    await addMember(app.deps, { ws: WS, email: 'ada@example.com', role: 'member' })
    const token = await app.token(['workspace:read'], { email: 'ada@example.com' })
    expect((await app.call('GET', `/api/w/${WS}/whoami`, { token })).json).toEqual({
      kind: 'api_token',
      email: 'ada@example.com',
      role: 'member',
      workspace: WS,
      scopes: ['workspace:read'],
      hidden_sections: [],
    })
  })
})
