import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '#store/sql.ts'
import { ADMIN, createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

let app: TestApp
let token = ''
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token([
    'variables:read',
    'variables:write',
    'resources:read',
    'resources:write',
  ])
})
afterAll(() => app.close())

const VARIABLES = `/api/w/${WS}/variables`
const RESOURCES = `/api/w/${WS}/resources`
const call = (method: string, path: string, json?: unknown) =>
  app.call(method, path, json === undefined ? { token } : { token, json })

describe('a variable', () => {
  it('is secret unless said otherwise, and then never shown nor kept in the clear', async () => {
    const set = await call('POST', VARIABLES, { key: 'API_KEY', value: 'sk-very-secret' })
    expect(set.status).toBe(201)
    const list = await call('GET', VARIABLES)
    expect(list.json).toMatchObject({
      items: [{ key: 'API_KEY', secret: true, updated_by: ADMIN }],
      pagination: { next_cursor: null },
    })
    const rows = await app.deps.db.all(sql`SELECT * FROM variables`)
    for (const text of [set.text, list.text, JSON.stringify(rows)]) {
      expect(text).not.toContain('sk-very-secret')
    }
  })

  it('is shown when it is not secret, also when it was secret before', async () => {
    await call('PUT', `${VARIABLES}/REGION`, { value: 'hidden', secret: true })
    await call('PUT', `${VARIABLES}/REGION`, { value: 'Seoul 서울', secret: false })
    expect((await call('GET', VARIABLES)).json).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ key: 'REGION', secret: false, value: 'Seoul 서울' }),
      ]),
    })
  })

  it('may name its key in the body of PUT too', async () => {
    const put = (key: string) => call('PUT', `${VARIABLES}/NAMED`, { key, value: 'v' })
    expect(await put('NAMED')).toMatchObject({ status: 200, json: { key: 'NAMED' } })
    expect(await put('OTHER')).toMatchObject({ status: 400, json: { code: 'invalid' } })
    expect((await call('GET', VARIABLES)).text).not.toContain('OTHER')
  })

  it('is deleted once', async () => {
    await call('PUT', `${VARIABLES}/GONE`, { value: '' })
    expect((await call('DELETE', `${VARIABLES}/GONE`)).status).toBe(204)
    expect((await call('DELETE', `${VARIABLES}/GONE`)).status).toBe(404)
    expect((await call('GET', VARIABLES)).text).not.toContain('GONE')
  })

  it.each(['', '1a', 'a b', 'a/b', '__proto__ ', 'x'.repeat(129), 'ä'])(
    'cannot be named "%s"',
    async (key) => {
      expect((await call('POST', VARIABLES, { key, value: 'v' })).status).toBe(400)
    },
  )

  it('is a text of at most 65,536 characters', async () => {
    const put = async (value: unknown) => (await call('PUT', `${VARIABLES}/LONG`, { value })).status
    expect(await put('x'.repeat(65_536))).toBe(200)
    expect(await put('x'.repeat(65_537))).toBe(400)
    for (const wrong of [1, null, {}, undefined]) expect(await put(wrong)).toBe(400)
  })
})

describe('the list of variables', () => {
  const list = z.object({
    items: z.array(z.object({ key: z.string() })),
    pagination: z.object({ next_cursor: z.string().nullable() }),
  })
  const read = async (query: string) => {
    const { items, pagination } = list.parse((await call('GET', `${VARIABLES}${query}`)).json)
    return { keys: items.map(({ key }) => key), next: pagination.next_cursor }
  }

  it('answers all by key, or page by page', async () => {
    for (const key of ['P_2', 'P_1', 'P_3']) await call('PUT', `${VARIABLES}/${key}`, { value: '' })
    const whole = await read('')
    expect(whole.keys).toEqual(expect.arrayContaining(['P_1', 'P_2', 'P_3']))
    const paged: string[] = []
    for (let query = '?limit=2'; query !== ''; ) {
      const { keys, next } = await read(query)
      expect(keys.length).toBeLessThanOrEqual(2)
      paged.push(...keys)
      query = next === null ? '' : `?limit=2&cursor=${next}`
    }
    expect(paged).toEqual(whole.keys)
    expect(whole).toMatchObject({ keys: whole.keys.toSorted(), next: null })
  })

  it('goes on behind a cursor whose row was deleted, as a client does that deletes what it reads', async () => {
    for (const key of ['AA_1', 'AA_2']) await call('PUT', `${VARIABLES}/${key}`, { value: '' })
    const first = await read('?limit=1')
    await call('DELETE', `${VARIABLES}/${first.keys[0]}`)
    const second = await read(`?limit=1&cursor=${first.next}`)
    expect([first.keys, second.keys]).toEqual([['AA_1'], ['AA_2']])
  })

  it('refuses a limit that is none, and a cursor that no list gave', async () => {
    for (const query of ['?limit=0', '?limit=501', '?cursor=x']) {
      expect((await call('GET', `${VARIABLES}${query}`)).status).toBe(400)
    }
  })
})

describe('a resource', () => {
  it('takes any JSON, shows its type and never its value', async () => {
    for (const value of [{ host: 'db', password: 'pw-very-secret' }, ['a'], 'text', 0, null]) {
      const set = await call('POST', RESOURCES, { key: 'db', type: 'postgres', value })
      expect(set.status).toBe(201)
      expect(set.text).not.toContain('pw-very-secret')
    }
    const list = await call('GET', RESOURCES)
    expect(list.json).toMatchObject({ items: [{ key: 'db', type: 'postgres', updated_by: ADMIN }] })
    expect(list.text).not.toContain('"value"')
    const rows = await app.deps.db.all(sql`SELECT * FROM resources`)
    expect(JSON.stringify(rows)).not.toContain('very-secret')
  })

  it('is deleted once', async () => {
    await call('POST', RESOURCES, { key: 'gone', type: 't', value: 1 })
    expect((await call('DELETE', `${RESOURCES}/gone`)).status).toBe(204)
    expect((await call('DELETE', `${RESOURCES}/gone`)).status).toBe(404)
  })

  it('needs a type and a value', async () => {
    for (const json of [
      { key: 'a', value: 1 },
      { key: 'a', type: '', value: 1 },
      { key: 'a', type: 't' },
    ]) {
      expect((await call('POST', RESOURCES, json)).status).toBe(400)
    }
  })
})
