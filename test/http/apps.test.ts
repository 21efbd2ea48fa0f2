/** Apps over HTTP: their parts, what jobs keep of them, and their deletion. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AppTexts, oneActionApp } from '../support/app-files.ts'
import { packApp, toUpload } from '../support/bundle-archive.ts'
import { createTestApp, type TestAnswer, type TestApp, WS } from '../support/create-test-app.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
})
afterAll(() => app.close())

type Body = {
  code?: string
  error?: string
  items?: Record<string, unknown>[]
  pagination?: { next_cursor: string | null }
  details?: { path: string; message: string }[]
  job_id?: string
  commit?: string
  deployment_id?: string
}
const bodyOf = ({ json }: TestAnswer): Body => (json ?? {}) as Body
const call = (method: string, path: string, json?: unknown): Promise<TestAnswer> =>
  app.call(method, `/api/w/${WS}${path}`, { token, ...(json === undefined ? {} : { json }) })
const deploy = async (files: AppTexts): Promise<TestAnswer> =>
  app.call('POST', `/api/w/${WS}/deployments`, { token, ...(await toUpload(await packApp(files))) })
const run = (path: string, input: unknown): Promise<TestAnswer> =>
  call('POST', `/jobs/run/${path}`, input)
const jobOf = async (answer: TestAnswer): Promise<Record<string, unknown>> =>
  (await call('GET', `/jobs/${bodyOf(answer).job_id}`)).json as Record<string, unknown>

const withAction = (key: string, action: string, main = '1'): AppTexts => ({
  'app.yaml': `key: ${key}\nactions:\n  - key: run\n${action.replace(/^/gm, '    ')}\n`,
  'run.ts': `export const main = () => ${main}\n`,
  'other.ts': `export const main = () => ${main}\n`,
})

describe('an app', () => {
  it('lists its actions with every default filled in', async () => {
    await deploy({
      'app.yaml': `key: full
name: Full
actions:
  - key: b
    entrypoint: ./run.ts
  - key: a
    entrypoint: run.ts
    timeoutS: 5
    tag: gpu
    inputSchema: { type: object }
    retry: { maxAttempts: 3 }
    concurrency: { limit: 5 }
    isolation: fresh
    onWorkerLost: fail
    memoryMb: 128
    cancelGraceS: 20
    network: []
`,
      'run.ts': 'export const main = () => 1',
    })
    expect((await call('GET', '/apps/full/actions')).json).toEqual({
      items: [
        {
          key: 'a',
          entrypoint: 'run.ts',
          tag: 'gpu',
          tag_override: null,
          timeout_s: 5,
          input_schema: { type: 'object' },
          retry: { maxAttempts: 3, delayMs: 1000, backoffFactor: 1 },
          concurrency: { limit: 5, key: 'all' },
          isolation: 'fresh',
          on_worker_lost: 'fail',
          memory_mb: 128,
          cancel_grace_s: 20,
          network: [],
          min_level: null,
        },
        {
          key: 'b',
          entrypoint: 'run.ts',
          tag: 'default',
          tag_override: null,
          timeout_s: 300,
          input_schema: null,
          retry: null,
          concurrency: null,
          isolation: 'shared',
          on_worker_lost: 'requeue',
          memory_mb: null,
          cancel_grace_s: 5,
          network: null,
          min_level: null,
        },
      ],
      pagination: { next_cursor: null },
    })
    expect((await call('GET', '/apps/full')).json).toMatchObject({ key: 'full', name: 'Full' })
  })

  it('lists by key and by pages', async () => {
    for (const key of ['page-c', 'page-a', 'page-b']) await deploy(oneActionApp(key))
    const first = bodyOf(await call('GET', '/apps?limit=2'))
    const keys = (first.items ?? []).map(({ key }) => key)
    const second = bodyOf(
      await call('GET', `/apps?limit=500&cursor=${first.pagination?.next_cursor}`),
    )
    keys.push(...(second.items ?? []).map(({ key }) => key))
    expect(keys).toEqual([...keys].sort())
    expect(keys.filter((key) => String(key).startsWith('page-'))).toEqual([
      'page-a',
      'page-b',
      'page-c',
    ])
    expect(second.pagination?.next_cursor).toBeNull()
  })

  it('that is not there is 404 on every route', async () => {
    for (const path of ['/apps/none', '/apps/none/history', '/apps/none/actions']) {
      expect([path, (await call('GET', path)).status]).toEqual([path, 404])
    }
    expect((await call('DELETE', '/apps/none')).status).toBe(404)
    expect((await call('PATCH', '/apps/none/actions/run', { tag_override: 'x' })).status).toBe(404)
    expect((await run('none/run', {})).status).toBe(404)
  })

  it('is made empty once, under a key that apps may have', async () => {
    const made = await call('POST', '/apps', { key: 'empty', name: 'Empty' })
    expect(made.status).toBe(201)
    const again = await call('POST', '/apps', { key: 'empty', name: 'Empty' })
    expect([again.status, bodyOf(again).code]).toEqual([409, 'app_exists'])
    for (const key of ['', 'A', '-a', 'a_b', 'a'.repeat(64), 'a/b', '../x']) {
      expect([key, (await call('POST', '/apps', { key, name: 'x' })).status]).toEqual([key, 400])
    }
    expect((await call('POST', '/apps', { key: 'nameless' })).status).toBe(400)
    const missing = await run('empty/run', {})
    expect([missing.status, bodyOf(missing).code]).toEqual([404, 'action_not_found'])
  })
})

describe('a queued job', () => {
  it('keeps commit, entrypoint, timeout and tag of the deployment that it was queued for', async () => {
    const first = bodyOf(
      await deploy(withAction('pinned', 'entrypoint: run.ts\ntimeoutS: 11\ntag: one')),
    )
    const before = await run('pinned/run', { n: 1 })
    const second = bodyOf(
      await deploy(withAction('pinned', 'entrypoint: other.ts\ntimeoutS: 22\ntag: two', '2')),
    )
    const after = await run('pinned/run', { n: 2 })
    expect(await jobOf(before)).toMatchObject({
      status: 'queued',
      commit: first.commit,
      entrypoint: 'run.ts',
      tag: 'one',
    })
    expect(await jobOf(after)).toMatchObject({
      commit: second.commit,
      entrypoint: 'other.ts',
      tag: 'two',
    })
    const rows = await app.deps.db.all({
      sql: `SELECT json_extract(a.definition, '$.timeoutS') AS timeout_s FROM jobs j
            JOIN deployment_actions a ON a.deployment_id = j.deployment_id AND a.key = j.action
            WHERE j.app = 'pinned' ORDER BY j.id`,
      args: [],
    })
    expect(rows.map((row) => row.timeout_s)).toEqual([11, 22])
  })

  it('is checked against the schema that holds when it is queued', async () => {
    const schema = (type: string): string =>
      `entrypoint: run.ts\ninputSchema:\n  properties:\n    n: { type: ${type} }`
    await deploy(withAction('checked', schema('integer')))
    expect((await run('checked/run', { n: 1 })).status).toBe(201)
    const refused = await run('checked/run', { n: 'x' })
    expect([refused.status, bodyOf(refused).details]).toEqual([
      400,
      [{ path: 'n', message: 'must be a whole number.' }],
    ])
    await deploy(withAction('checked', schema('string')))
    expect((await run('checked/run', { n: 'x' })).status).toBe(201)
    expect((await run('checked/run', { n: 1 })).status).toBe(400)
  })

  it('of a schema that cannot be used never comes to be: the deploy is refused and names the place', async () => {
    const answer = await deploy(
      withAction(
        'bad-schema',
        'entrypoint: run.ts\ninputSchema:\n  properties:\n    n: { pattern: "(?=x)" }',
      ),
    )
    expect(answer.status).toBe(422)
    expect(bodyOf(answer).details?.map(({ path }) => path)).toEqual([
      'app.yaml:7:14 actions[0].inputSchema.properties.n.pattern',
    ])
  })

  it('goes to the overriding tag, and back to the manifest when the override goes', async () => {
    await deploy(withAction('tagged', 'entrypoint: run.ts\ntag: one'))
    const patch = (tag_override: unknown): Promise<TestAnswer> =>
      call('PATCH', '/apps/tagged/actions/run', { tag_override })
    expect((await patch('two')).json).toMatchObject({ key: 'run', tag: 'two', tag_override: 'two' })
    expect(await jobOf(await run('tagged/run', {}))).toMatchObject({ tag: 'two' })
    await deploy(withAction('tagged', 'entrypoint: run.ts\ntag: three'))
    expect(await jobOf(await run('tagged/run', {}))).toMatchObject({ tag: 'two' })
    expect((await patch(null)).json).toMatchObject({ tag: 'three', tag_override: null })
    expect(await jobOf(await run('tagged/run', {}))).toMatchObject({ tag: 'three' })
    for (const bad of ['', 'a b', 'x'.repeat(65), 7, undefined]) {
      expect([bad, (await patch(bad)).status]).toEqual([bad, 400])
    }
    expect((await call('PATCH', '/apps/tagged/actions/none', { tag_override: 'x' })).status).toBe(
      404,
    )
  })

  it('outlives its app, which takes no more, and knows nothing of one that comes after', async () => {
    const first = bodyOf(await deploy(oneActionApp('gone', 'first')))
    await call('PATCH', '/apps/gone/actions/run', { tag_override: 'special' })
    const before = await run('gone/run', {})
    expect((await call('DELETE', '/apps/gone')).status).toBe(204)
    expect((await call('GET', '/apps/gone')).status).toBe(404)
    expect((await run('gone/run', {})).status).toBe(404)
    expect(await jobOf(before)).toMatchObject({
      status: 'queued',
      commit: first.commit,
      app: 'gone',
    })
    expect((await call('GET', `/deployments/${first.deployment_id}`)).status).toBe(200)
    await deploy(oneActionApp('gone', 'second'))
    expect(await jobOf(await run('gone/run', {}))).toMatchObject({ tag: 'default' })
    expect(await jobOf(before)).toMatchObject({ commit: first.commit, tag: 'special' })
  })
})

describe('names', () => {
  const find = async (query: string): Promise<readonly string[]> =>
    (bodyOf(await call('GET', `/names?${query}`)).items ?? []).map(
      ({ kind, app: name, key }) => `${kind} ${name}/${key}`,
    )

  it('of apps and actions are found by a part of them, in any case, apps first', async () => {
    await deploy(withAction('needle', 'entrypoint: run.ts'))
    expect(await find('text=NEEDLE')).toEqual(['app needle/needle', 'action needle/run'])
    expect(await find('text=needle/r')).toEqual(['action needle/run'])
    expect(await find('text=needle&limit=1')).toEqual(['app needle/needle'])
    // the characters of a LIKE pattern are searched for literally
    expect(await find('text=%25')).toEqual([])
  })

  it('are refused beyond their limits, and without the scope', async () => {
    expect((await call('GET', '/names?limit=501')).status).toBe(400)
    const other = await app.token(['jobs:read'])
    const path = `/api/w/${WS}/names`
    expect((await app.call('GET', path, { token: other })).status).toBe(403)
  })
})
