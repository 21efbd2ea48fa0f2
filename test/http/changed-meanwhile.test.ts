/** Two callers change what both have read, and the second learns of the first [wire 3.8]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const HERE = `/api/w/${WS}`
const REFUSED = { status: 412, json: { code: 'precondition_failed' } }

let app: TestApp
let token = ''
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token([
    'variables:write',
    'resources:write',
    'schedules:read',
    'schedules:write',
  ])
  await deployActions(app.deps, [{ ws: WS, app: 'hello', key: 'greet' }])
})
afterAll(() => app.close())

type Tags = Readonly<{ 'if-match'?: string; 'if-none-match'?: string }>
const call = (method: string, path: string, headers: Tags = {}, json?: unknown) =>
  app.call(method, `${HERE}${path}`, { token, headers, ...(json === undefined ? {} : { json }) })
type Answer = Awaited<ReturnType<typeof call>>
const versioned = z.looseObject({ updated_at: z.string() })
/** The ETag of an answer, which is its `updated_at` in quotes. */
const tagOf = ({ headers, json }: Answer): string => {
  const etag = headers.get('etag') ?? ''
  expect(etag).toBe(`"${versioned.parse(json).updated_at}"`)
  return etag
}
const audited = async (action: string): Promise<number> => {
  const log = await app.deps.db.all({
    sql: 'SELECT target FROM audit_log WHERE action = ?',
    args: [action],
  })
  return log.length
}

describe.each([
  ['variable', '/variables', (value: string) => ({ key: 'K', value, secret: false })],
  ['resource', '/resources', (value: string) => ({ key: 'K', type: 't', value })],
])('a %s', (what, path, body) => {
  const set = (value: string, headers: Tags = {}) => call('POST', path, headers, body(value))
  const remove = (tag: string) => call('DELETE', `${path}/K`, { 'if-match': tag })

  it('is replaced only as it was read, however many write at once', async () => {
    const first = tagOf(await set('1'))
    const before = await audited(`${what}.set`)
    const answers = await Promise.all(['2', '3', '4'].map((v) => set(v, { 'if-match': first })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 412, 412])
    expect(answers.find(({ status }) => status === 412)).toMatchObject(REFUSED)
    expect(await audited(`${what}.set`)).toBe(before + 1)
    const [second = ''] = answers.filter(({ status }) => status === 201).map(tagOf)
    expect(second).not.toBe(first)
    expect(await set('5', { 'if-match': `${first}, ${second}` })).toMatchObject({ status: 201 })
    expect(await set('6', { 'if-match': '*' })).toMatchObject({ status: 201 })
    expect(await set('7')).toMatchObject({ status: 201 })
  })

  it('has another version after each change, also of two within one millisecond', async () => {
    const tags = []
    for (let at = 0; at < 20; at += 1) tags.push(tagOf(await set('same')))
    expect(new Set(tags).size).toBe(20)
  })

  it('is created only once, and not again after it was deleted meanwhile', async () => {
    const tag = tagOf(await set('1'))
    expect(await set('2', { 'if-none-match': '*' })).toMatchObject(REFUSED)
    expect(await remove('"2020-01-01T00:00:00.000Z"')).toMatchObject(REFUSED)
    expect(await remove(tag)).toMatchObject({ status: 204 })
    expect(await remove(tag)).toMatchObject({ status: 404 })
    expect(await set('3', { 'if-match': tag })).toMatchObject(REFUSED)
    expect(await set('3', { 'if-match': '*' })).toMatchObject(REFUSED)
    const none = { 'if-none-match': '*' }
    const answers = await Promise.all(['4', '5'].map((value) => set(value, none)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 412])
  })

  it('refuses a condition that it does not know', async () => {
    expect(await set('1', { 'if-none-match': '"x"' })).toMatchObject({ status: 400 })
    const both = { 'if-none-match': '*', 'if-match': '*' }
    expect(await set('1', both)).toMatchObject({ status: 400 })
    expect(await set('1', { 'if-match': 'W/"x"' })).toMatchObject(REFUSED)
  })
})

it('a variable is replaced by PUT only as it was read', async () => {
  const put = (headers: Tags) => call('PUT', '/variables/PUT', headers, { value: 'v' })
  const tag = tagOf(await put({ 'if-none-match': '*' }))
  expect(await put({ 'if-none-match': '*' })).toMatchObject(REFUSED)
  expect(await put({ 'if-match': tag })).toMatchObject({ status: 200 })
  expect(await put({ 'if-match': tag })).toMatchObject(REFUSED)
})

describe('a schedule', () => {
  const made = z.looseObject({ id: z.string() })
  const create = async () => {
    const body = { app_key: 'hello', action_key: 'greet', cron: '0 9 * * *' }
    const answer = await call('POST', '/schedules', {}, body)
    return { path: `/schedules/${made.parse(answer.json).id}`, tag: tagOf(answer) }
  }

  it('is changed only as it was read, however many change it at once', async () => {
    const { path, tag } = await create()
    expect(tagOf(await call('GET', path))).toBe(tag)
    const answers = await Promise.all(
      ['1', '2', '3'].map((hour) =>
        call('PATCH', path, { 'if-match': tag }, { cron: `0 ${hour} * * *` }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412])
    expect(answers.find(({ status }) => status === 412)).toMatchObject(REFUSED)
    const changed = answers.find(({ status }) => status === 200)
    expect((await call('GET', path)).json).toEqual(changed?.json)
    const again = { 'if-match': changed?.headers.get('etag') ?? '' }
    expect(await call('PATCH', path, again, { enabled: false })).toMatchObject({ status: 200 })
    expect(await call('PATCH', path, {}, { enabled: true })).toMatchObject({ status: 200 })
  })

  it('is deleted only as it was read', async () => {
    const { path, tag } = await create()
    await call('PATCH', path, {}, { overlap: 'skip' })
    expect(await call('DELETE', path, { 'if-match': tag })).toMatchObject(REFUSED)
    const now = tagOf(await call('GET', path))
    expect(await call('DELETE', path, { 'if-match': now })).toMatchObject({ status: 204 })
    expect(await call('DELETE', path, { 'if-match': now })).toMatchObject({ status: 404 })
  })
})

describe('what has a hash as its version', () => {
  const HOOK = { on: ['job_failed'], to: { webhook: 'https://hooks.example.com/1' } }
  let all = ''
  let customer = ''
  let source = ''
  beforeAll(async () => {
    all = await app.token(['*'])
    const made = async (path: string, json: object): Promise<string> =>
      z
        .looseObject({ id: z.string() })
        .parse((await app.call('POST', `${HERE}${path}`, { token: all, json })).json).id
    customer = await made('/consumers', { name: 'Acme' })
    source = await made('/git-sources', { name: 'code', url: 'https://git.example.com/a.git' })
  })

  it.each([
    [
      'grants',
      () => ['GET', `/consumers/${customer}`, 'PUT', `/consumers/${customer}/grants`],
      [{ grants: [{ app: 'hello', action: 'greet' }] }, { grants: [] }],
    ],
    [
      'host names',
      () => ['GET', '/apps/hello', 'PATCH', '/apps/hello'],
      [{ hosts: ['a.example.com'] }, { hosts: ['b.example.com'] }],
    ],
    [
      'channels',
      () => ['GET', '/workspace', 'PATCH', '/workspace'],
      [{ notify: [HOOK] }, { notify: [] }],
    ],
    [
      'a git source',
      () => ['GET', `/git-sources/${source}`, 'PATCH', `/git-sources/${source}`],
      [{ branch: 'one' }, { branch: 'two' }],
    ],
  ])('%s are changed only as they were read, however many write at once', async (_, at, bodies) => {
    const [get = '', from = '', method = '', to = ''] = at()
    const ask = (verb: string, path: string, options: object = {}) =>
      app.call(verb, `${HERE}${path}`, { token: all, ...options })
    const read = async () => {
      const answer = await ask(get, from)
      expect(answer.status).toBe(200)
      return answer.headers.get('etag') ?? ''
    }
    const change = (json: object, tag: string) =>
      ask(method, to, { json, headers: { 'if-match': tag } })
    const first = await read()
    expect(await read()).toBe(first)
    const [one = {}, two = {}] = bodies
    const answers = await Promise.all([one, one, one].map((body) => change(body, first)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412])
    expect((await change(one, '*')).status).toBe(200)
    const second = await read()
    expect(second).not.toBe(first)
    expect(await change(two, first)).toMatchObject(REFUSED)
    expect(await read()).toBe(second)
    expect((await change(two, `"other", ${second}`)).status).toBe(200)
    expect(await change(one, second)).toMatchObject(REFUSED)
    expect((await ask(method, to, { json: one })).status).toBe(200)
  })
})
