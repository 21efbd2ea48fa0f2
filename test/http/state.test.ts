/** The state of an app over HTTP, for credentials that hold `*`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ALL_SCOPES } from '#core/access/scope.ts'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const STATE = `/api/w/${WS}/state`

let app: TestApp
let admin = ''
beforeAll(async () => {
  app = await createTestApp()
  admin = await app.token(['*'])
  await createWorkspace(app.deps, { id: 'other', name: 'Other' })
  await deployActions(app.deps, [{ ws: WS, app: 'hello', key: 'greet' }])
  await deployActions(app.deps, [{ ws: WS, app: 'billing', key: 'pay' }])
})
afterAll(() => app.close())

const get = (token: string, query: string) => app.call('GET', `${STATE}?${query}`, { token })
const set = (token: string, json: unknown, query = '') =>
  app.call('POST', `${STATE}${query}`, { token, json })

describe('/state with an API token', () => {
  it('needs `*` in this workspace', async () => {
    const narrow = await app.token(ALL_SCOPES.filter((scope) => scope !== '*'))
    const elsewhere = await app.token(['*'], { ws: 'other' })
    for (const [token, status] of [
      [narrow, 403],
      [elsewhere, 403],
    ] as const) {
      expect((await get(token, 'key=a&app=hello')).status).toBe(status)
      expect((await set(token, { key: 'a', value: 1 }, '?app=hello')).status).toBe(status)
    }
    expect((await app.call('GET', `${STATE}?key=a&app=hello`)).status).toBe(401)
    expect((await app.call('POST', STATE, { json: { key: 'a', value: 1 } })).status).toBe(401)
  })

  it('keeps JSON by app and key, null where nothing was set', async () => {
    for (const value of [{ a: [1, 'x', null] }, 0, false, '', null]) {
      expect((await set(admin, { key: 'k', value }, '?app=hello')).status).toBe(204)
      const version: unknown = expect.any(String)
      expect((await get(admin, 'key=k&app=hello')).json).toEqual({ key: 'k', value, version })
    }
    await set(admin, { key: 'k', value: 'mine' }, '?app=hello')
    expect((await get(admin, 'key=k&app=billing')).json).toEqual({
      key: 'k',
      value: null,
      version: null,
    })
    expect((await get(admin, 'key=unset&app=hello')).json).toEqual({
      key: 'unset',
      value: null,
      version: null,
    })
  })

  it('sets a value only while it has the requested version', async () => {
    const versionOf = async (): Promise<unknown> => {
      const { json } = await get(admin, 'key=v&app=hello')
      return z.object({ version: z.string().nullable() }).parse(json).version
    }
    const setIf = async (value: number, if_version: unknown) => {
      const { status, json } = await set(admin, { key: 'v', value, if_version }, '?app=hello')
      return status === 204 ? 204 : [status, z.object({ code: z.string() }).parse(json).code]
    }
    expect(await setIf(1, 'none')).toEqual([409, 'state_conflict'])
    expect(await setIf(1, null)).toBe(204)
    expect(await setIf(2, null)).toEqual([409, 'state_conflict'])
    const first = await versionOf()
    const both = await Promise.all([setIf(2, first), setIf(3, first)])
    expect(both).toEqual(expect.arrayContaining([204, [409, 'state_conflict']]))
  })

  it('deletes and lists keys, page by page', async () => {
    const keys = Array.from({ length: 1_001 }, (_, at) => `list/${String(at).padStart(4, '0')}`)
    await Promise.all(keys.map((key) => set(admin, { key, value: 1 }, '?app=billing')))
    const listed = (query: string) =>
      app.call('GET', `${STATE}/keys?app=billing&${query}`, { token: admin })
    const page = z.object({
      items: z.array(z.string()),
      pagination: z.object({ next_cursor: z.string().nullable() }),
    })
    const first = page.parse((await listed('prefix=list/')).json)
    expect(first.items).toEqual(keys.slice(0, 1_000))
    const rest = await listed(`prefix=list/&cursor=${first.pagination.next_cursor}`)
    expect(rest.json).toEqual({ items: keys.slice(1_000), pagination: { next_cursor: null } })
    const remove = (query: string) =>
      app.call('DELETE', `${STATE}?app=billing&${query}`, { token: admin })
    expect((await remove('key=list/1000')).status).toBe(204)
    expect((await remove('key=list/1000')).status).toBe(204)
    expect(page.parse((await listed('prefix=list/1')).json).items).toEqual([])
    expect((await listed('cursor=nonsense')).status).toBe(400)
  })

  it('refuses more than 256 KiB', async () => {
    const value = 'x'.repeat(262_143)
    expect(await set(admin, { key: 'large', value }, '?app=hello')).toMatchObject({
      status: 413,
      json: { code: 'state_too_large' },
    })
  })

  it('names an app that there is, and a key', async () => {
    expect(await get(admin, 'key=k')).toMatchObject({ status: 400, json: { code: 'no_app' } })
    expect((await get(admin, 'app=hello')).status).toBe(400)
    expect((await get(admin, 'key=k&app=none')).status).toBe(404)
    expect((await set(admin, { key: 'k', value: 1 }, '?app=none')).status).toBe(404)
    expect((await set(admin, { key: 'x'.repeat(513), value: 1 }, '?app=hello')).status).toBe(400)
    expect((await set(admin, { key: 'a\0b', value: 1 }, '?app=hello')).status).toBe(400)
    expect((await set(admin, { key: 'k' }, '?app=hello')).status).toBe(400)
  })
})
