/** Sources of deployments: stored, read back, made into drafts; the changes that a deployment would make; schedules that continue. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loadBundle } from '#service/load-bundle.ts'
import { createQueueGate } from '#service/queue/queue-gate.ts'
import { fireDueSchedules } from '#service/schedules/fire-schedules.ts'
import { findFunctionFiles } from '#store/apps/functions.ts'
import { sql } from '#store/sql.ts'
import { type AppTexts, oneActionApp } from '../support/app-files.ts'
import { makeArchive, packApp, toUpload } from '../support/bundle-archive.ts'
import { createTestApp, type TestAnswer, type TestApp, WS } from '../support/create-test-app.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
})
afterAll(() => app.close())

const api = (path: string): string => `/api/w/${WS}${path}`
const call = (method: string, path: string, json?: unknown): Promise<TestAnswer> =>
  app.call(method, api(path), json === undefined ? { token } : { token, json })

const deployed = z.looseObject({ deployment_id: z.string(), commit: z.string() })
const upload = async (archive: Uint8Array): Promise<TestAnswer> =>
  app.call('POST', api('/deployments'), { token, ...(await toUpload(archive)) })
const deploy = async (files: AppTexts) => deployed.parse((await upload(await packApp(files))).json)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const listed = z.object({
  items: z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })),
})
const filesOf = async (id: string) =>
  listed.parse((await call('GET', `/deployments/${id}/files`)).json).items
const pathsOf = async (id: string) => (await filesOf(id)).map(({ path }) => path)

const countSources = async (): Promise<unknown> =>
  (await app.deps.db.one(sql`SELECT COUNT(*) AS n FROM source_files`))?.n

describe('GET /deployments/{id}/files', () => {
  const FILES = {
    ...oneActionApp('kept'),
    'lib/한글 b.txt': 'ß',
    'node_modules/used/index.js': 'module.exports = 1',
    'node_modules/used/README.md': 'never opened',
    'node_modules/unused/index.js': 'module.exports = 2',
    'run.ts': "import used from 'used'\nexport const main = () => used\n",
  }

  it('lets a browser keep a file only for the credential that it was read with', async () => {
    const { deployment_id: id } = await deploy(FILES)
    const { headers } = await call('GET', `/deployments/${id}/files/run.ts`)
    expect(headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(headers.get('vary')).toBe('authorization, cookie')
  })

  it('lists what the app is made of, with size and hash', async () => {
    const { deployment_id: id } = await deploy(FILES)
    expect(await filesOf(id)).toEqual(
      ['app.yaml', 'lib/한글 b.txt', 'node_modules/used/index.js', 'run.ts'].map((path) => {
        const text = FILES[path as keyof typeof FILES]
        return { path, bytes: Buffer.byteLength(text), sha256: sha256(text) }
      }),
    )
  })

  it('gives each file as it was deployed, and lets no browser take it for a page', async () => {
    const { deployment_id: id } = await deploy(FILES)
    for (const path of ['run.ts', 'lib/한글 b.txt', 'node_modules/used/index.js']) {
      const at = path.split('/').map(encodeURIComponent).join('/')
      const answer = await call('GET', `/deployments/${id}/files/${at}`)
      expect([answer.status, answer.text]).toEqual([200, FILES[path as keyof typeof FILES]])
      expect(answer.headers.get('content-type')).toBe('application/octet-stream')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
    const whole = await call(
      'GET',
      `/deployments/${id}/files/${encodeURIComponent('lib/한글 b.txt')}`,
    )
    expect(whole.text).toBe('ß')
  })

  it('answers 404 for an unknown id or path, and wants apps:read', async () => {
    const { deployment_id: id } = await deploy(FILES)
    for (const path of ['gone.ts', 'lib', '../app.yaml', 'node_modules/unused/index.js']) {
      expect((await call('GET', `/deployments/${id}/files/${path}`)).status).toBe(404)
    }
    const unknown = '019abcde-0000-7000-8000-000000000000'
    expect((await call('GET', `/deployments/${unknown}/files`)).status).toBe(404)
    const other = await app.token(['deployments:read'])
    for (const path of [`/deployments/${id}/files`, `/deployments/${id}/files/run.ts`]) {
      const refused = await app.call('GET', api(path), { token: other })
      expect(refused).toMatchObject({ status: 403, json: { code: 'missing_scope' } })
    }
  })

  it('keeps equal files once, and those of a deployment that was gone back to', async () => {
    const first = await deploy(oneActionApp('twice', 'one'))
    const before = await countSources()
    await deploy(oneActionApp('twice', 'two'))
    expect(await countSources()).toBe(Number(before) + 1)
    const back = deployed.parse(
      (await call('POST', `/deployments/${first.deployment_id}/redeploy`)).json,
    )
    expect(await filesOf(back.deployment_id)).toEqual(await filesOf(first.deployment_id))
  })
})

describe('an upload', () => {
  it('may hold installed packages of more than 20 MiB, of which it opens few', async () => {
    const noise = () =>
      Buffer.from(crypto.getRandomValues(new Uint8Array(4_096)))
        .toString('hex')
        .repeat(12)
    const large = Array.from({ length: 300 }, (_, at) => ({
      header: { name: `node_modules/large/${at}.js` },
      content: `/* ${at} ${noise()} */`,
    }))
    const own = Object.entries(oneActionApp('large')).map(([name, content]) => ({
      header: { name },
      content,
    }))
    const answer = await upload(await makeArchive([...own, ...large]))
    expect(answer).toMatchObject({ status: 201 })
    expect(await pathsOf(deployed.parse(answer.json).deployment_id)).toEqual(['app.yaml', 'run.ts'])
  })

  it('has the same commit whatever lies unopened in node_modules', async () => {
    const plain = await deploy(oneActionApp('same'))
    const more = await deploy({ ...oneActionApp('same'), 'node_modules/x/index.js': 'x' })
    expect(more).toEqual(plain)
  })
})

describe('functions', () => {
  const SHARED = {
    'app.yaml': 'key: root\n',
    'functions/hello/index.ts':
      "import { word } from '../../lib/word'\nimport p from 'p'\nexport default () => word + p\n",
    'functions/alone/index.ts': "export default () => 'alone'\n",
    'lib/word.ts': "export const word = 'first'\n",
    'node_modules/p/index.js': "module.exports = '!'\n",
  }
  const codeOf = async (name: string): Promise<string> => {
    const [found] = await findFunctionFiles(app.deps.db, { ws: WS, app: 'root' }, [name])
    return (await loadBundle(app.deps, found?.bundleHash ?? '')).code
  }
  const deployOne = async (files: AppTexts): Promise<TestAnswer> => {
    const form = new FormData()
    for (const [path, text] of Object.entries(files)) form.append(path, new Blob([text]), path)
    const response = new Response(form)
    const headers = { 'content-type': response.headers.get('content-type') ?? '' }
    const body = new Uint8Array(await response.arrayBuffer())
    return app.call('POST', api('/apps/root/functions/deploy'), { token, headers, body })
  }

  it('share lib/ and node_modules with the app, and change when those do', async () => {
    const first = await deploy(SHARED)
    expect(await codeOf('hello')).toContain('first')
    await deploy({ ...SHARED, 'lib/word.ts': "export const word = 'second'\n" })
    expect(await codeOf('hello')).toContain('second')
    await call('POST', `/deployments/${first.deployment_id}/redeploy`)
    expect(await codeOf('hello')).toContain('first')
  })

  it('that come alone find what the app was deployed with, or bring their own', async () => {
    await deploy(SHARED)
    const hello = SHARED['functions/hello/index.ts'].replace('word + p', 'word + word')
    const alone = await deployOne({ 'functions/hello/index.ts': hello })
    expect(alone.json).toMatchObject({ deployed: [{ name: 'hello' }], skipped: [] })
    expect(await codeOf('hello')).toContain('first')
    const sent = {
      'functions/hello/index.ts': hello,
      'functions/alone/index.ts': SHARED['functions/alone/index.ts'],
      'lib/word.ts': "export const word = 'third'\n",
      'node_modules/p/index.js': SHARED['node_modules/p/index.js'],
    }
    expect((await deployOne(sent)).json).toMatchObject({
      deployed: [{ name: 'hello' }],
      skipped: ['alone'],
    })
    expect(await codeOf('hello')).toContain('third')
    expect((await deployOne(sent)).json).toMatchObject({
      deployed: [],
      skipped: ['alone', 'hello'],
    })

    const draft = await call('POST', '/drafts/root/from-deployed')
    expect(draft.status).toBe(201)
    const { json } = await call('GET', '/drafts/root')
    expect(json).toMatchObject({
      files: { 'lib/word.ts': sent['lib/word.ts'], 'functions/hello/index.ts': hello },
      carried: ['node_modules/p/index.js'],
    })
    expect((await call('POST', '/drafts/root/check')).json).toEqual({
      faults: [],
      changes: { added: [], changed: [], removed: [] },
    })
  })
})

describe('POST /drafts/{app}/from-deployed', () => {
  it('makes a draft of what runs, which deploys to the same', async () => {
    const picture = Buffer.from([0xff, 0xd8, 0x00])
    const files = {
      ...oneActionApp('drafted'),
      'run.ts':
        "import p from 'p'\nimport logo from './logo.jpg'\nexport const main = () => [p, logo]\n",
      'lib/bom.txt': '\ufefftext',
      'node_modules/p/package.json': '{"main":"./main.js"}',
      'node_modules/p/main.js': 'module.exports = 1',
    }
    const own = Object.entries(files).map(([name, content]) => ({ header: { name }, content }))
    const archive = await makeArchive([...own, { header: { name: 'logo.jpg' }, content: picture }])
    const before = deployed.parse((await upload(archive)).json)
    expect(await call('POST', '/drafts/drafted/from-deployed')).toMatchObject({
      status: 201,
      json: { app: 'drafted', file_count: 3 },
    })
    const { 'app.yaml': manifest, 'run.ts': code, 'lib/bom.txt': text }: AppTexts = files
    expect((await call('GET', '/drafts/drafted')).json).toMatchObject({
      files: { 'app.yaml': manifest, 'run.ts': code, 'lib/bom.txt': text },
      carried: ['logo.jpg', 'node_modules/p/main.js', 'node_modules/p/package.json'],
    })
    const same = await call('POST', '/drafts/drafted/deploy')
    expect(same.json).toMatchObject({ deployment_id: before.deployment_id, commit: before.commit })

    const changed = { 'app.yaml': manifest, 'run.ts': `${code}// changed\n`, 'new.ts': '' }
    await call('PUT', '/drafts/drafted', { files: changed })
    const next = deployed.parse((await call('POST', '/drafts/drafted/deploy')).json)
    expect(await pathsOf(next.deployment_id)).toEqual([
      'app.yaml',
      'logo.jpg',
      'new.ts',
      'node_modules/p/main.js',
      'node_modules/p/package.json',
      'run.ts',
    ])
  })

  it('is refused over a draft, for an unknown app, and where there is nothing to begin with', async () => {
    await deploy(oneActionApp('refused'))
    await call('PUT', '/drafts/refused', { files: { 'app.yaml': 'key: refused' } })
    expect(await call('POST', '/drafts/refused/from-deployed')).toMatchObject({
      status: 409,
      json: { code: 'draft_exists' },
    })
    expect(await call('POST', '/drafts/nobody/from-deployed')).toMatchObject({ status: 404 })
    await call('POST', '/apps', { key: 'empty', name: 'Empty' })
    expect(await call('POST', '/drafts/empty/from-deployed')).toMatchObject({
      status: 422,
      json: { code: 'nothing_deployed' },
    })
    const old = await deploy(oneActionApp('old'))
    const forget = sql`DELETE FROM deployment_files WHERE deployment_id = ${old.deployment_id}`
    await app.deps.db.write([forget])
    expect(await call('POST', '/drafts/old/from-deployed')).toMatchObject({
      status: 422,
      json: { code: 'sources_not_kept' },
    })
    // once its folder is deployed again, its sources are kept
    expect((await deploy(oneActionApp('old'))).deployment_id).not.toBe(old.deployment_id)
    expect(await call('POST', '/drafts/old/from-deployed')).toMatchObject({ status: 201 })
  })

  it('makes one draft when two ask at the same time', async () => {
    await deploy(oneActionApp('race'))
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', '/drafts/race/from-deployed')),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
  })
})

describe('what a deployment would change', () => {
  it('is reported for a draft and for a rollback, by key', async () => {
    const two = `key: diff
actions:
  - { key: run, entrypoint: run.ts }
  - { key: more, entrypoint: more.ts }
flows: [{ key: f, steps: [{ key: s, action: run }] }]
`
    const code = oneActionApp('diff')['run.ts'] ?? ''
    const first = await deploy({ 'app.yaml': two, 'run.ts': code, 'more.ts': code })
    await call('POST', '/drafts/diff/from-deployed')
    const files = {
      ...oneActionApp('diff', 'other'),
      'functions/hi/index.ts': 'export default () => 1',
    }
    await call('PUT', '/drafts/diff', { files })
    const changes = {
      added: [{ kind: 'function', key: 'hi' }],
      changed: [{ kind: 'action', key: 'run' }],
      removed: [
        { kind: 'action', key: 'more' },
        { kind: 'flow', key: 'f' },
      ],
    }
    expect((await call('POST', '/drafts/diff/check')).json).toEqual({ faults: [], changes })
    await call('POST', '/drafts/diff/deploy')
    expect((await call('GET', `/deployments/${first.deployment_id}/changes`)).json).toEqual({
      added: changes.removed,
      changed: changes.changed,
      removed: [],
    })
  })
})

describe('a schedule whose target was gone', () => {
  const schedule = z.looseObject({
    id: z.string(),
    enabled: z.boolean(),
    disabled_reason: z.string().nullable(),
    next_fire_at: z.string().nullable(),
  })
  const make = async (key: string) =>
    schedule.parse(
      (
        await call('POST', '/schedules', {
          app_key: key,
          action_key: 'run',
          cron: '0 3 * * *',
          timezone: 'UTC',
        })
      ).json,
    )
  const read = async (id: string) => schedule.parse((await call('GET', `/schedules/${id}`)).json)
  const loseTarget = async (key: string, id: string): Promise<void> => {
    await deploy({ 'app.yaml': `key: ${key}\nactions: []\n` })
    await app.deps.db.write([sql`UPDATE schedules SET next_fire_at = 1 WHERE id = ${id}`])
    await fireDueSchedules({ ...app.deps, gate: createQueueGate(app.deps) }, { graceMs: 0 })
    expect(await read(id)).toMatchObject({ enabled: false, next_fire_at: null })
  }

  it('goes on when a deployment brings the target back, or one is gone back to', async () => {
    const first = await deploy(oneActionApp('back'))
    const { id } = await make('back')
    await loseTarget('back', id)
    await call('POST', `/deployments/${first.deployment_id}/redeploy`)
    expect(await read(id)).toMatchObject({
      enabled: true,
      disabled_reason: null,
      next_fire_at: expect.stringMatching(/T03:00:00/),
    })
    await loseTarget('back', id)
    await deploy({ ...oneActionApp('back'), 'lib/other.ts': '' })
    expect((await read(id)).enabled).toBe(true)
  })

  it('stays off where a person has switched it off', async () => {
    const first = await deploy(oneActionApp('off'))
    const { id } = await make('off')
    await loseTarget('off', id)
    await call('PATCH', `/schedules/${id}`, { enabled: false })
    await call('POST', `/deployments/${first.deployment_id}/redeploy`)
    expect((await read(id)).enabled).toBe(false)
  })
})
