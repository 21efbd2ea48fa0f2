/** API keys of the parser and the relay: created, listed and revoked [access 12.2]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ALL_SCOPES } from '#core/access/scope.ts'
import { verifyApiKey } from '#service/customers/api-key.ts'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

let app: TestApp
let token = ''
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
  await createWorkspace(app.deps, { id: 'other', name: 'Other' })
})
afterAll(() => app.close())

const KEYS = `/api/w/${WS}/api-keys`
const created = z.object({ key_id: z.string(), key: z.string() })
const create = async (name = 'relay') =>
  created.parse((await app.call('POST', KEYS, { token, json: { name } })).json)
const refused = { kind: 'unauthenticated', code: 'invalid_api_key' }

describe('an API key', () => {
  it.each([
    ['GET', ''],
    ['POST', ''],
    ['DELETE', '/ak_x'],
  ])('%s %s needs `*` in this workspace', async (method, path) => {
    const send = (by?: string) =>
      app.call(method, KEYS + path, by === undefined ? {} : { token: by })
    const narrow = await app.token(ALL_SCOPES.filter((scope) => scope !== '*'))
    expect((await send()).status).toBe(401)
    expect((await send(await app.token(['*'], { ws: 'other' }))).status).toBe(403)
    expect(await send(narrow)).toMatchObject({ status: 403, json: { code: 'missing_scope' } })
  })

  it('is shown once as keyId.secret; later answers and the database hold no secret', async () => {
    const answer = await app.call('POST', KEYS, { token, json: { name: 'relay' } })
    expect(answer).toMatchObject({
      status: 201,
      json: { name: 'relay', created_by: ADMIN, revoked_at: null },
    })
    const { key, key_id } = created.parse(answer.json)
    expect(key).toMatch(new RegExp(`^${key_id}\\.[0-9A-Za-z]{40}$`))
    const secret = key.slice(key_id.length + 1)
    const row = await app.deps.db.one(sql`SELECT * FROM api_keys WHERE key_id = ${key_id}`)
    expect(JSON.stringify(row)).not.toContain(secret)
    const later = [
      await app.call('GET', KEYS, { token }),
      await app.call('DELETE', `${KEYS}/${key_id}`, { token }),
    ]
    for (const { status, text } of later) {
      expect(status).toBe(200)
      expect(text).toContain(key_id)
      expect(text).not.toContain(secret)
      expect(text).not.toContain(String(row?.hash))
    }
  })

  it('is verified until it is revoked, and names its workspace', async () => {
    const { key, key_id } = await create()
    expect(await verifyApiKey(app.deps.db, key)).toMatchObject({ keyId: key_id, ws: WS })
    const first = await app.call('DELETE', `${KEYS}/${key_id}`, { token })
    expect(first.json).toMatchObject({ revoked_at: expect.any(String) })
    expect((await app.call('DELETE', `${KEYS}/${key_id}`, { token })).json).toEqual(first.json)
    await expect(verifyApiKey(app.deps.db, key)).rejects.toMatchObject(refused)
  })

  it('fails alike when unknown, wrong, cut short, or joined of two', async () => {
    const [one, two] = [await create(), await create()]
    const [, secret] = two.key.split('.')
    const wrong = [
      `${one.key_id}.${secret}`,
      one.key_id,
      `${one.key_id}.`,
      one.key.slice(0, -1),
      `ak_0000000000000000.${secret}`,
      '',
      token,
    ]
    const errors = await Promise.all(
      wrong.map((text) => verifyApiKey(app.deps.db, text).catch((error: unknown) => error)),
    )
    for (const error of errors) expect(error).toMatchObject(refused)
    expect(new Set(errors.map(String)).size).toBe(1)
  })

  it('is not accepted as a bearer token of the API', async () => {
    const { key } = await create()
    expect((await app.call('GET', '/api/auth/me', { token: key })).status).toBe(401)
  })

  it('is listed newest first, page by page, in its own workspace alone', async () => {
    const theirs = await app.call('POST', '/api/w/other/api-keys', {
      token: await app.token(['*'], { ws: 'other' }),
      json: { name: 'theirs' },
    })
    const { key_id: hidden } = created.parse(theirs.json)
    expect((await app.call('DELETE', `${KEYS}/${hidden}`, { token })).status).toBe(404)
    const page = z.object({
      items: z.array(z.object({ key_id: z.string() })),
      pagination: z.object({ next_cursor: z.string().nullable() }),
    })
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const from: string = cursor === null ? '' : `&cursor=${cursor}`
      const answer = page.parse((await app.call('GET', `${KEYS}?limit=2${from}`, { token })).json)
      seen.push(...answer.items.map(({ key_id }) => key_id))
      cursor = answer.pagination.next_cursor
    } while (cursor !== null)
    const rows = await app.deps.db.all(sql`SELECT key_id FROM api_keys WHERE ws = ${WS}`)
    expect(seen.toSorted()).toEqual(rows.map(({ key_id }) => key_id).toSorted())
    expect(seen).not.toContain(hidden)
  })

  it('needs a name', async () => {
    for (const json of [{}, { name: '' }, { name: 'x', scopes: [] }]) {
      expect((await app.call('POST', KEYS, { token, json })).status).toBe(400)
    }
  })
})
