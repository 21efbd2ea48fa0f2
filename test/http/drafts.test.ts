/** Drafts: saved, read, deployed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

let app: TestApp
let token = ''
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['drafts:read', 'drafts:write', 'deployments:write'])
  await createWorkspace(app.deps, { id: 'other', name: 'Other' })
})
afterAll(() => app.close())

const DRAFTS = `/api/w/${WS}/drafts`
const MANIFEST = 'key: notes\nname: Notes\nactions:\n  - { key: add, entrypoint: add.ts }\n'
const CODE = 'export const main = (ctx: { input: unknown }) => ctx.input\n'
const FILES = { 'app.yaml': MANIFEST, 'add.ts': CODE }

const call = (method: string, path: string, json?: unknown, by = token) =>
  app.call(method, DRAFTS + path, json === undefined ? { token: by } : { token: by, json })
const put = (key: string, files: unknown) => call('PUT', `/${key}`, { files })

describe('a draft', () => {
  it.each([
    ['GET', '', 'drafts:read'],
    ['GET', '/notes', 'drafts:read'],
    ['PUT', '/notes', 'drafts:write'],
    ['DELETE', '/notes', 'drafts:write'],
    ['POST', '/notes/check', 'drafts:write'],
    ['GET', '/notes/changes', 'drafts:read'],
    ['POST', '/notes/deploy', 'deployments:write'],
    ['POST', '/notes/try', 'deployments:write'],
  ] as const)('%s %s needs the scope %s', async (method, path, scope) => {
    const others = (['drafts:read', 'drafts:write', 'deployments:write'] as const).filter(
      (other) => other !== scope,
    )
    expect((await app.call(method, DRAFTS + path)).status).toBe(401)
    const elsewhere = await app.token(['*'], { ws: 'other' })
    expect((await call(method, path, undefined, elsewhere)).status).toBe(403)
    expect(await call(method, path, undefined, await app.token(others))).toMatchObject({
      status: 403,
      json: { code: 'missing_scope' },
    })
  })

  it('is saved as a whole, read back exactly, listed without its files, and deleted', async () => {
    const files = { ...FILES, 'lib/ä b.txt': 'ß\u0000\n"', toString: 'y' }
    const text = `{"files":${JSON.stringify(files).replace(/}$/, ',"__proto__":"z"}')}}`
    const saved = await app.call('PUT', `${DRAFTS}/whole`, {
      token,
      body: text,
      headers: { 'content-type': 'application/json' },
    })
    const meta = { app: 'whole', file_count: 5, updated_by: ADMIN }
    expect(saved).toMatchObject({ status: 200, json: meta })
    const read = await call('GET', '/whole')
    expect(read.json).toMatchObject(meta)
    expect(read.text).toContain('"__proto__":"z"')
    expect(read.json).toHaveProperty(['files', 'lib/ä b.txt'], 'ß\u0000\n"')
    expect((await put('whole', { 'a.ts': '1' })).json).toMatchObject({ file_count: 1, bytes: 1 })
    expect((await call('GET', '/whole')).json).toMatchObject({ files: { 'a.ts': '1' } })
    const list = await call('GET', '')
    expect(list.text).toContain('"whole"')
    expect(list.text).not.toContain('a.ts')
    expect((await call('DELETE', '/whole')).status).toBe(204)
    expect((await call('DELETE', '/whole')).status).toBe(404)
    expect((await call('GET', '/whole')).status).toBe(404)
  })

  it('is changed and deployed only as it was read, if If-Match names its version', async () => {
    const as = (method: string, path: string, tag: string, json?: unknown) =>
      app.call(method, DRAFTS + path, { token, json, headers: { 'if-match': tag } })
    const save = (tag: string, text: string) =>
      as('PUT', '/matched', tag, {
        files: { ...FILES, 'app.yaml': MANIFEST.replace('notes', 'matched'), 'x.ts': text },
      })
    expect(await save('*', '0')).toMatchObject({
      status: 412,
      json: { code: 'precondition_failed' },
    })
    const first = (await put('matched', FILES)).headers.get('etag') ?? ''
    expect(first).toBe((await call('GET', '/matched')).headers.get('etag'))
    const answers = await Promise.all([save(first, '1'), save(first, '2')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412])
    const second = answers.find(({ status }) => status === 200)?.headers.get('etag') ?? ''
    expect((await as('POST', '/matched/deploy', first)).status).toBe(412)
    expect((await as('POST', '/matched/deploy', `${first}, ${second}`)).status).toBe(201)
    expect((await as('DELETE', '/matched', '"none"')).status).toBe(412)
    expect((await as('DELETE', '/matched', second)).status).toBe(204)
    expect((await as('DELETE', '/matched', second)).status).toBe(404)
  })

  it('is deleted once by two at once, and a save of another version prevents a delete', async () => {
    const audit = async () => {
      const from = sql`SELECT count(*) AS n FROM audit_log WHERE action = 'draft.deleted' AND target = 'twice'`
      return (await app.deps.db.one(from))?.n
    }
    await put('twice', FILES)
    const deletes = await Promise.all([call('DELETE', '/twice'), call('DELETE', '/twice')])
    expect(deletes.map(({ status }) => status).toSorted()).toEqual([204, 404])
    expect(await audit()).toBe(1)
    const headers = { 'if-match': (await put('twice', FILES)).headers.get('etag') ?? '' }
    const [save, remove] = await Promise.all([
      app.call('PUT', `${DRAFTS}/twice`, { token, json: { files: { 'a.ts': '1' } }, headers }),
      app.call('DELETE', `${DRAFTS}/twice`, { token, headers }),
    ])
    expect([save?.status, remove?.status].filter((status) => status === 412)).toHaveLength(1)
    expect((await call('GET', '/twice')).status).toBe(save?.status === 200 ? 200 : 404)
  })

  it.each([
    ['../up.ts'],
    ['.git/config'],
    ['functions/a/.GIT/config'],
    ['/etc/passwd'],
    ['a/../b.ts'],
    ['C:/x.ts'],
    ['a\\b.ts'],
    ['a//b.ts'],
    ['nul\u0000.ts'],
    [''],
    ['x'.repeat(256)],
  ])('holds no file called %j', async (path) => {
    expect(await put('paths', { [path]: '' })).toMatchObject({
      status: 422,
      json: { code: 'bad_bundle' },
    })
  })

  it('names the file whose text is none', async () => {
    const { status, json } = await put('named', { 'a.ts': '1', 'lib/b.ts': 1 })
    const details = [{ path: 'body.files.lib/b.ts', message: 'must be a string' }]
    expect([status, json]).toEqual([400, expect.objectContaining({ details })])
  })

  it('holds no two files that differ only in case', async () => {
    expect((await put('paths', { 'A.ts': '', 'a.ts': '' })).status).toBe(422)
  })

  it.each([
    ['no files', {}],
    ['a list', { files: ['a.ts'] }],
    ['null', { files: null }],
    ['numbers', { files: { 'a.ts': 1 } }],
    ['folders', { files: { lib: { 'a.ts': '' } } }],
    ['more fields', { files: {}, message: 'x' }],
  ])('is not made of %s', async (_, json) => {
    expect((await call('PUT', '/notes', json)).status).toBe(400)
  })

  it.each(['Notes', 'a_b', '-a', 'x'.repeat(64), 'a%2fb'])('is not of an app %s', async (key) => {
    expect((await put(key, FILES)).status).toBe(400)
  })

  it('has at most 1,000 files and 10 MiB', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}.ts`, '']))
    expect((await put('large', many(1_000))).status).toBe(200)
    expect(await put('large', many(1_001))).toMatchObject({
      status: 413,
      json: { code: 'draft_too_large' },
    })
    const limit = 10 * 1_024 * 1_024
    expect((await put('large', { 'a.txt': 'x'.repeat(limit) })).status).toBe(200)
    expect((await put('large', { 'a.txt': `ä${'x'.repeat(limit - 1)}` })).status).toBe(413)
    expect((await put('large', { 'a.txt': 'x'.repeat(limit), 'b.txt': 'x' })).status).toBe(413)
    expect((await call('GET', '/large')).json).toMatchObject({ bytes: limit })
  })

  it('of another workspace is not found', async () => {
    const theirs = await app.token(['*'], { ws: 'other' })
    await app.call('PUT', '/api/w/other/drafts/hidden', { token: theirs, json: { files: FILES } })
    expect((await call('GET', '/hidden')).status).toBe(404)
    expect((await call('POST', '/hidden/deploy')).status).toBe(404)
    expect((await call('DELETE', '/hidden')).status).toBe(404)
    expect((await call('GET', '')).text).not.toContain('hidden')
  })
})

describe('checking a draft', () => {
  const check = (key: string) => call('POST', `/${key}/check`)

  it('finds nothing in one that may be deployed, and deploys nothing', async () => {
    await put('fine', { ...FILES, 'app.yaml': MANIFEST.replace('notes', 'fine') })
    expect(await check('fine')).toMatchObject({ status: 200, json: { faults: [] } })
    const reader = await app.token(['apps:read'])
    const found = await app.call('GET', `/api/w/${WS}/apps/fine`, { token: reader })
    expect(found.status).toBe(404)
  })

  it('warns of what would be deployed but fail; of unset variables only those who may deploy', async () => {
    const manifest = `${MANIFEST.replace('notes', 'warned')}flows:
  - key: broken
    steps:
      - { key: one, action: add, input: { from: "\${results.two}" } }
webhooks:
  - { key: hook, action: add, verify: { scheme: github, secret: NOT_SET } }
`
    await put('warned', { ...FILES, 'app.yaml': manifest })
    const reference = { path: expect.stringMatching(/^app\.yaml:8:/) }
    const webhook = { path: 'webhook hook', message: expect.stringContaining('NOT_SET') }
    expect(await check('warned')).toMatchObject({
      status: 200,
      json: { faults: [], warnings: [reference, webhook] },
    })
    const writer = await app.token(['drafts:write'])
    expect(await call('POST', '/warned/check', undefined, writer)).toMatchObject({
      status: 200,
      json: { faults: [], warnings: [reference] },
    })
    expect(await call('POST', '/warned/deploy')).toMatchObject({
      status: 201,
      json: { warnings: [reference, webhook] },
    })
  })

  it.each([
    ['no manifest', { 'add.ts': CODE }, /^app\.yaml$/, /app\.yaml/],
    [
      'a manifest with a fault',
      { 'app.yaml': `${MANIFEST}colour: red\n` },
      /^app\.yaml:5:\d+ /,
      /colour/,
    ],
    [
      'another app’s key',
      { 'app.yaml': MANIFEST.replace('key: notes', 'key: other') },
      /^key$/,
      /Write "faulty"/,
    ],
    [
      'code that is none',
      { 'app.yaml': MANIFEST.replace('notes', 'faulty'), 'add.ts': 'const = 1\n' },
      /^add\.ts:1:/,
      /./,
    ],
  ])('reports %s, with its place', async (_, files, path, message) => {
    await put('faulty', { 'add.ts': CODE, ...files })
    expect(await check('faulty')).toMatchObject({
      status: 200,
      json: {
        faults: [{ path: expect.stringMatching(path), message: expect.stringMatching(message) }],
      },
    })
  })

  it('and its deployment list the same faults of manifest, functions and code', async () => {
    await put('faulty', {
      'app.yaml': `${MANIFEST}colour: red\n`,
      'add.ts': 'const = 1\n',
      'functions/f/index.ts': 'export default () => 1',
      'functions/f/function.yaml': 'colour: red\n',
    })
    const faults = [
      { path: expect.stringMatching(/^add\.ts:1:/) },
      { path: expect.stringMatching(/^app\.yaml:5:/) },
      { path: expect.stringMatching(/^functions\/f\/function\.yaml:1:/) },
    ]
    const checked = await check('faulty')
    expect(checked.json).toMatchObject({ faults })
    const deployed = await call('POST', '/faulty/deploy')
    expect(deployed).toMatchObject({ status: 422, json: { code: 'bad_manifest' } })
    const found = (json: unknown, field: string) => Reflect.get(Object(json), field)
    expect(found(deployed.json, 'details')).toEqual(found(checked.json, 'faults'))
  })

  it('that does not exist is 404', async () => {
    expect((await check('nobody')).status).toBe(404)
  })
})

describe('comparing a draft with what runs', () => {
  const changes = (key: string) => call('GET', `/${key}/changes`)
  const manifest = MANIFEST.replace('notes', 'compared')

  it('answers each file of an app that is not deployed as added', async () => {
    await put('compared', { 'app.yaml': manifest, 'add.ts': CODE })
    expect(await changes('compared')).toMatchObject({
      status: 200,
      json: {
        items: [
          { path: 'add.ts', change: 'added', before: null, after: CODE },
          { path: 'app.yaml', change: 'added', before: null, after: manifest },
        ],
      },
    })
  })

  it('answers what was added, changed and removed since, by path, and nothing where they are equal', async () => {
    const files = { 'app.yaml': manifest, 'add.ts': CODE, 'old.ts': 'export const old = 1\n' }
    await put('compared', files)
    expect((await call('POST', '/compared/deploy')).status).toBe(201)
    expect((await changes('compared')).json).toEqual({ items: [] })
    await put('compared', { 'app.yaml': manifest, 'add.ts': `// new\n${CODE}`, 'new.ts': 'x\n' })
    expect((await changes('compared')).json).toEqual({
      items: [
        { path: 'add.ts', change: 'changed', before: CODE, after: `// new\n${CODE}` },
        { path: 'new.ts', change: 'added', before: null, after: 'x\n' },
        { path: 'old.ts', change: 'removed', before: files['old.ts'], after: null },
      ],
    })
  })

  it('names files that are too large or are installed packages without their text, or not at all', async () => {
    const large = 'x'.repeat(256 * 1_024 + 1)
    const packages = { 'node_modules/one/index.js': 'export default 1\n' }
    await put('compared', { 'app.yaml': manifest, 'add.ts': large, ...packages })
    expect((await changes('compared')).json).toMatchObject({
      items: [
        { path: 'add.ts', change: 'changed', before: null, after: null },
        { path: 'old.ts', change: 'removed' },
      ],
    })
  })
})

describe('deploying a draft', () => {
  it('makes a deployment as every other way does, and keeps the draft', async () => {
    await put('notes', FILES)
    const answer = await call('POST', '/notes/deploy', { message: 'first' })
    expect(answer).toMatchObject({
      status: 201,
      json: { app: 'notes', actions: ['add'], commit: expect.stringMatching(/^sha256:/) },
    })
    const { deployment_id: id } = z.object({ deployment_id: z.string() }).parse(answer.json)
    const reader = await app.token(['deployments:read', 'jobs:run'])
    const found = await app.call('GET', `/api/w/${WS}/deployments/${id}`, { token: reader })
    expect(found.json).toMatchObject({ source: 'draft', message: 'first', created_by: ADMIN })
    const run = await app.call('POST', `/api/w/${WS}/jobs/run/notes/add`, {
      token: reader,
      json: {},
    })
    expect(run.status).toBe(201)
    expect((await call('GET', '/notes')).json).toMatchObject({ files: FILES })
    const marks = await app.deps.db.all(
      sql`SELECT action FROM audit_log WHERE target LIKE 'notes%' ORDER BY id`,
    )
    expect(marks.map(({ action }) => action)).toEqual(['draft.saved', 'app.deployed'])
  })

  it('reports file, line and message of each fault in the code', async () => {
    await put('notes', { ...FILES, 'add.ts': 'export const main = () => {\n  return }}\n' })
    expect(await call('POST', '/notes/deploy')).toMatchObject({
      status: 422,
      json: {
        code: 'unbundlable',
        details: [{ path: expect.stringMatching(/^add\.ts:2:\d+$/), message: expect.any(String) }],
      },
    })
  })

  it('reports the place of each fault in the manifest', async () => {
    await put('notes', { ...FILES, 'app.yaml': `${MANIFEST}wrong: 1\n` })
    expect(await call('POST', '/notes/deploy')).toMatchObject({
      status: 422,
      json: { code: 'bad_manifest', details: [{ path: expect.stringMatching(/^app\.yaml:5/) }] },
    })
    await put('notes', { 'add.ts': CODE })
    expect(await call('POST', '/notes/deploy')).toMatchObject({
      status: 422,
      json: { code: 'no_manifest' },
    })
  })

  it('is refused when the manifest has the key of another app', async () => {
    await put('theirs', FILES)
    expect(await call('POST', '/theirs/deploy')).toMatchObject({
      status: 422,
      json: { code: 'bad_manifest' },
    })
    expect((await call('POST', '/none/deploy')).status).toBe(404)
  })
})
