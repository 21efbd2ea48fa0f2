/** Deploying a folder over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AppTexts, inFolder, oneActionApp } from '../support/app-files.ts'
import { packApp, toUpload } from '../support/bundle-archive.ts'
import { createTestApp, type TestAnswer, type TestApp, WS } from '../support/create-test-app.ts'

const detail = z.looseObject({ commit: z.string(), manifest: z.unknown(), code: z.unknown() })

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
  details?: { path: string; message: string }[]
  items?: { deployment_id: string; app: string; commit: string; message: string | null }[]
  pagination?: { next_cursor: string | null }
  deployment_id?: string
  commit?: string
}
const bodyOf = ({ json }: TestAnswer): Body => (json ?? {}) as Body
const api = (path: string): string => `/api/w/${WS}${path}`
const get = (path: string): Promise<TestAnswer> => app.call('GET', api(path), { token })

const upload = async (bundle: Uint8Array, message?: string): Promise<TestAnswer> =>
  app.call('POST', api('/deployments'), { token, ...(await toUpload(bundle, message)) })
const deploy = async (files: AppTexts, message?: string): Promise<TestAnswer> =>
  upload(await packApp(files), message)

describe('a deployment', () => {
  it('answers what it deployed, named by the hash of its files', async () => {
    const answer = await deploy(oneActionApp('first'), 'Hello')
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({
      deployment_id: expect.any(String),
      app: 'first',
      commit: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      actions: ['run'],
      flows: [],
      functions: [],
    })
    const { deployment_id = '', commit } = bodyOf(answer)
    const shown = {
      id: deployment_id,
      deployment_id,
      app: 'first',
      commit,
      source: 'upload',
      git_source_id: null,
      message: 'Hello',
      actions: ['run'],
      flows: [],
      created_by: 'admin@localhost',
      created_at: expect.any(String),
    }
    expect((await get(`/deployments/${deployment_id}`)).json).toEqual({
      ...shown,
      manifest: expect.objectContaining({ key: 'first', flows: [] }),
      code: { 'run.ts': expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(bodyOf(await get('/deployments?app=first')).items).toEqual([shown])
    expect((await get('/apps/first')).json).toMatchObject({ deployment_id, commit, name: 'first' })
  })

  it('shows what it changed: the manifest with its defaults, and a hash of the code of each entry point', async () => {
    const files: AppTexts = { ...oneActionApp('changing'), 'note.md': 'of no action' }
    const ids: string[] = []
    const more = {
      'app.yaml': `${files['app.yaml']}flows: [{ key: f, steps: [{ key: s, action: run }] }]\n`,
    }
    for (const version of [files, { ...files, 'note.md': 'another' }, { ...files, ...more }]) {
      ids.push(bodyOf(await deploy(version)).deployment_id ?? '')
    }
    const [first, second, third] = await Promise.all(
      ids.map(async (id) => detail.parse((await get(`/deployments/${id}`)).json)),
    )
    expect(second?.commit).not.toBe(first?.commit)
    expect(second).toMatchObject({ manifest: first?.manifest, code: first?.code })
    expect(third?.code).toEqual(first?.code)
    expect(third?.manifest).toMatchObject({
      actions: [{ key: 'run', timeoutS: 300 }],
      flows: [{ key: 'f' }],
    })
  })

  it('of flows alone has no code', async () => {
    const answer = await deploy({ 'app.yaml': 'key: bare\n' })
    expect((await get(`/deployments/${bodyOf(answer).deployment_id}`)).json).toMatchObject({
      manifest: { key: 'bare', actions: [] },
      code: {},
    })
  })

  it('of the same files is the same deployment, however they were packed', async () => {
    const files = oneActionApp('same')
    const first = await deploy(files)
    const reversed = Object.fromEntries(Object.entries(files).reverse())
    const dotted = Object.fromEntries(
      Object.entries(reversed).map(([path, text]) => [`./${path}`, text]),
    )
    expect((await deploy(dotted)).json).toEqual(first.json)
    expect(bodyOf(await get('/apps/same/history')).items).toHaveLength(1)
  })

  it('sent many times at once is one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => deploy(oneActionApp('at-once'))),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(bodyOf(await get('/apps/at-once/history')).items).toHaveLength(1)
  })

  it('of many versions at once ends with one of them, and every version is in the history', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, version) => deploy(oneActionApp('versions', `v${version}`))),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const ids = answers.map((answer) => bodyOf(answer).deployment_id)
    const history = bodyOf(await get('/apps/versions/history')).items ?? []
    expect(history.map((row) => row.deployment_id).sort()).toEqual(ids.sort())
    const { deployment_id } = bodyOf(await get('/apps/versions'))
    expect(ids).toContain(deployment_id)
  })

  it('of an earlier version again is a new one', async () => {
    const first = bodyOf(await deploy(oneActionApp('back', 'one')))
    await deploy(oneActionApp('back', 'two'))
    const again = bodyOf(await deploy(oneActionApp('back', 'one')))
    expect(again.commit).toBe(first.commit)
    expect(again.deployment_id).not.toBe(first.deployment_id)
  })

  it('shares its bundles with others of the same code, and not its source map with other lines', async () => {
    const hashes = async (): Promise<number> =>
      (await app.deps.db.all({ sql: 'SELECT hash FROM bundles', args: [] })).length
    await deploy(oneActionApp('shared-1', 'shared'))
    const before = await hashes()
    await deploy(oneActionApp('shared-2', 'shared'))
    expect(await hashes()).toBe(before)
    const files = oneActionApp('shared-2', 'shared')
    await deploy({ ...files, 'run.ts': `// moved by a line\n${files['run.ts']}` })
    expect(await hashes()).toBe(before + 1)
  })

  it('fills an app that was made empty', async () => {
    const made = await app.call('POST', api('/apps'), {
      token,
      json: { key: 'made-empty', name: 'Made' },
    })
    expect([made.status, made.json]).toEqual([
      201,
      {
        key: 'made-empty',
        name: 'Made',
        commit: null,
        deployment_id: null,
        git_source_id: null,
        preview_of: null,
        preview_branch: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ])
    expect((await get('/apps/made-empty/actions')).json).toMatchObject({ items: [] })
    expect((await deploy(oneActionApp('made-empty'))).status).toBe(201)
    expect((await get('/apps/made-empty')).json).toMatchObject({ name: 'made-empty' })
  })

  it('answers which optional packages are missing, and so does its plan', async () => {
    const source = "try { require('pg-native') } catch {}\nexport const main = () => 1\n"
    const files = {
      ...oneActionApp('optional'),
      'functions/f/index.ts': source.replace('main', 'f'),
    }
    const [entrypoint = ''] = Object.keys(files).filter((path) => path.endsWith('run.ts'))
    const bundle = await packApp({
      ...files,
      [entrypoint]: source,
      'functions/f/index.ts': `${source}export default main`,
    })
    const warnings = [entrypoint, 'functions/f/index.ts'].map((path) => ({
      path,
      message: expect.stringContaining('"pg-native" is optional'),
    }))
    const planned = await app.call('POST', api('/deployments/plan'), {
      token,
      ...(await toUpload(bundle)),
    })
    expect(planned).toMatchObject({ status: 200, json: { warnings } })
    expect(await upload(bundle)).toMatchObject({ status: 201, json: { warnings } })
  })

  it('warns of a webhook without its secret, and of a reference to a later step', async () => {
    const files = {
      'app.yaml': `key: warned
actions: [{ key: a, entrypoint: a.ts }]
flows: [{ key: f, steps: [{ key: one, action: a, input: "\${results.two}" }, { key: two, action: a }] }]
webhooks: [{ key: w, action: a, verify: { scheme: stripe, secret: [NOT_SET, NOR_THIS] } }]
`,
      'a.ts': 'export const main = () => 1',
    }
    const warnings = [
      {
        path: 'app.yaml:3:50 flows[0].steps[0].input',
        message: 'results.two has no value here, because that step ends later.',
      },
      { path: 'webhook w', message: expect.stringContaining('svc variables set NOT_SET') },
    ]
    const planned = await app.call('POST', api('/deployments/plan'), {
      token,
      ...(await toUpload(await packApp(files))),
    })
    expect(planned).toMatchObject({ status: 200, json: { warnings } })
    expect(await deploy(files)).toMatchObject({ status: 201, json: { warnings } })
  })

  it('warns once of a file that several entries import', async () => {
    const files = {
      ...oneActionApp('shared'),
      'run.ts': "import './shared.ts'\nexport const main = () => 1\n",
      'functions/f/index.ts': "import '../../shared.ts'\nexport default () => 1\n",
      'shared.ts': 'export const load = (name: string) => import(name)\n',
    }
    expect(await deploy(files)).toMatchObject({
      status: 201,
      json: { warnings: [{ path: 'shared.ts:1:39' }] },
    })
  })

  it('list goes by pages, newest first, and neither repeats nor skips', async () => {
    for (let version = 0; version < 5; version += 1) {
      await deploy(oneActionApp('paged', `v${version}`), `v${version}`)
    }
    const messages: unknown[] = []
    let cursor: string | null | undefined
    do {
      const query = cursor === undefined ? '' : `&cursor=${cursor}`
      const page = bodyOf(await get(`/apps/paged/history?limit=2${query}`))
      messages.push(...(page.items ?? []).map(({ message }) => message))
      cursor = page.pagination?.next_cursor
      // what is deployed between two pages is newer than the page, so it moves nothing
      if (messages.length === 2) await deploy(oneActionApp('paged', 'later'), 'later')
    } while (typeof cursor === 'string')
    expect(messages).toEqual(['v4', 'v3', 'v2', 'v1', 'v0'])
    expect((await get('/deployments?cursor=nonsense')).status).toBe(400)
    expect((await get('/deployments?limit=501')).status).toBe(400)
  })

  it('of another workspace, or with no such id, is 404', async () => {
    expect((await get('/deployments/no-uuid')).status).toBe(404)
    expect((await get('/deployments/01890000-0000-7000-8000-000000000000')).status).toBe(404)
  })
})

describe('an upload', () => {
  it('over 10 MB is 413', async () => {
    const body = new Uint8Array(10 * 1_024 * 1_024 + 1)
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const answer = await app.call('POST', api('/deployments'), { token, body, headers })
    expect(answer.status).toBe(413)
  })

  it('of another content type is 415', async () => {
    const body = await packApp(oneActionApp('x'))
    for (const type of ['application/gzip', 'application/json', 'multipart/mixed; boundary=x']) {
      const answer = await app.call('POST', api('/deployments'), {
        token,
        body: new Uint8Array(body),
        headers: { 'content-type': type },
      })
      expect([type, answer.status]).toEqual([type, 415])
    }
  })

  it('without a file "bundle", or with a broken form, is 400', async () => {
    const form = new FormData()
    form.set('file', new Blob(['x']))
    form.set('bundle', 'a text')
    const made = new Response(form)
    const headers = { 'content-type': made.headers.get('content-type') ?? '' }
    const body = new Uint8Array(await made.arrayBuffer())
    const missing = await app.call('POST', api('/deployments'), { token, body, headers })
    expect([missing.status, bodyOf(missing).code]).toEqual([400, 'no_bundle'])
    expect(missing.text).toContain('-F \\"bundle=@<file>\\"')
    form.set('bundle', new Blob([new Uint8Array(await packApp(oneActionApp('x')))]))
    form.set('mesage', 'a slip')
    const slip = new Response(form)
    const unknown = await app.call('POST', api('/deployments'), {
      token,
      body: new Uint8Array(await slip.arrayBuffer()),
      headers: { 'content-type': slip.headers.get('content-type') ?? '' },
    })
    expect(unknown).toMatchObject({
      status: 400,
      json: { code: 'unknown_field', error: expect.stringContaining('file, mesage') },
    })
    const cut = await app.call('POST', api('/deployments'), {
      token,
      body: body.slice(0, 40),
      headers,
    })
    expect([cut.status, bodyOf(cut).code]).toEqual([400, 'no_bundle'])
    const long = await upload(await packApp(oneActionApp('x')), 'm'.repeat(2_001))
    expect(long.status).toBe(400)
  })

  it('that is not an archive is 422 with how to make one', async () => {
    const answer = await upload(Buffer.from('not an archive'))
    expect([answer.status, bodyOf(answer).code]).toEqual([422, 'bad_bundle'])
    expect(bodyOf(answer).error).toContain('tar -czf')
  })

  it('that packs the folder instead of its content is refused with that reason', async () => {
    const answer = await deploy(inFolder('hello', oneActionApp('x')))
    expect([answer.status, bodyOf(answer).code]).toEqual([422, 'no_manifest'])
    expect(bodyOf(answer).error).toContain('hello/app.yaml')
  })

  it('needs the scope to deploy', async () => {
    const reader = await app.token(['deployments:read'])
    const sent = await toUpload(await packApp(oneActionApp('x')))
    expect((await app.call('POST', api('/deployments'), { token: reader, ...sent })).status).toBe(
      403,
    )
    expect((await app.call('GET', api('/deployments'), { token: reader })).status).toBe(200)
  })
})

describe('code that does not bundle', () => {
  const manifest = (...entrypoints: readonly string[]): string =>
    `key: broken\nactions:\n${entrypoints.map((path, n) => `  - { key: a${n}, entrypoint: ${path} }\n`).join('')}`

  it('answers 422 with file, line and message of every broken entry', async () => {
    const answer = await deploy({
      'app.yaml': manifest('one.ts', 'two.ts', 'missing.ts', 'mute.ts', 'good.ts'),
      'one.ts':
        "import { shared } from './shared.ts'\nimport './nowhere.ts'\nexport const main = () => shared\n",
      'two.ts': "import { shared } from './shared.ts'\nexport const main = () => shared\n",
      'shared.ts': 'export const shared = 1\n\nconst broken = = 2\n',
      'mute.ts': 'export const helper = 1\nexport default helper\n',
      'good.ts': 'export const main = () => 1\n',
    })
    expect([answer.status, bodyOf(answer).code]).toEqual([422, 'unbundlable'])
    expect(bodyOf(answer).details).toEqual([
      {
        path: 'missing.ts',
        message: 'The manifest names this file, but the app does not contain it.',
      },
      {
        path: 'mute.ts',
        message:
          'An action\'s file must export a function "main"; this one exports default, helper. Write: export const main = async (ctx) => { … }',
      },
      { path: 'one.ts:2:8', message: 'Cannot find "./nowhere.ts" among the files of the app.' },
      { path: 'shared.ts:3:16', message: 'Unexpected "="' },
    ])
    expect((await get('/apps/broken')).status).toBe(404)
  })

  it.each([
    ['127.0.0.1:7821', 'is in a private network and not granted'],
    ['10.0.0.5', 'is in a private network and not granted'],
    ['localhost', 'is in a private network and not granted'],
    ['*.127.0.0.1', 'wildcards are for names'],
  ])('answers 422 for a network that no job could reach: %s', async (entry, reason) => {
    const answer = await deploy({
      'app.yaml': `key: fenced\nactions:\n  - key: run\n    entrypoint: run.ts\n    network: ["api.example.com", "${entry}"]\n`,
      'run.ts': 'export const main = () => 1',
    })
    expect(answer.status).toBe(422)
    expect(bodyOf(answer).details).toEqual([
      {
        path: expect.stringContaining('actions[0].network[1]'),
        message: expect.stringContaining(reason),
      },
    ])
  })

  it('names the file that was meant, and recognizes Python', async () => {
    const answer = await deploy({
      'app.yaml': manifest('actions/greeet.ts', 'run.ts'),
      'actions/greet.ts': 'export const main = () => 1\n',
      'run.ts': 'def main(ctx):\n    return 1\n',
    })
    expect(bodyOf(answer).details).toEqual([
      {
        path: 'actions/greeet.ts',
        message:
          'The manifest names this file, but the app does not contain it. Did you mean actions/greet.ts?',
      },
      { path: 'run.ts:1:5', message: expect.stringContaining('This is Python.') },
    ])
  })

  it('answers 422 for a file that exports no main', async () => {
    const answer = await deploy({
      'app.yaml': manifest('mute.ts', 'empty.ts', 'old.cjs'),
      'mute.ts': 'export const helper = 1\nexport default helper\n',
      'empty.ts': '',
      'old.cjs': 'exports.main = () => 1\n',
    })
    expect(bodyOf(answer).details).toEqual([
      {
        path: 'empty.ts',
        message:
          'An action\'s file must export a function "main"; this one exports nothing. Write: export const main = async (ctx) => { … }',
      },
      {
        path: 'mute.ts',
        message:
          'An action\'s file must export a function "main"; this one exports default, helper. Write: export const main = async (ctx) => { … }',
      },
      {
        path: 'old.cjs',
        message:
          'An action\'s file must export a function "main"; this one is a CommonJS module. Write: export const main = async (ctx) => { … }',
      },
    ])
  })

  it.each([
    ['/etc/passwd', 'among the files of the app'],
    ['../../../etc/passwd', 'among the files of the app'],
    ['file:///etc/passwd', 'fetched at run time'],
    ['https://example.com/x.ts', 'fetched at run time'],
    ['npm:lodash', 'Write an exact version'],
    ['data:text/javascript,export default 1', 'fetched at run time'],
    ['lodash', 'install a package with npm'],
    ['@scope/thing/sub', 'install a package with npm'],
    ['../node_modules/esbuild/package.json', 'among the files of the app'],
  ])('may not import %s', async (specifier, reason) => {
    for (const statement of [
      `import x from ${JSON.stringify(specifier)}`,
      `import x from ${JSON.stringify(specifier)} with { type: 'text' }`,
      `const x = await import(${JSON.stringify(specifier)})`,
      `const x = require(${JSON.stringify(specifier)})`,
    ]) {
      const answer = await deploy({
        'app.yaml': manifest('a.ts'),
        'a.ts': `${statement}\nexport const main = () => x\n`,
      })
      expect([statement, answer.status]).toEqual([statement, 422])
      expect(bodyOf(answer).details?.[0]?.path).toMatch(/^a\.ts:1:\d+$/)
      expect(bodyOf(answer).details?.[0]?.message).toContain(reason)
    }
  })
})

it('the OpenAPI document shows the form of an upload', async () => {
  const { json } = await app.call('GET', '/api/openapi.json')
  const { paths } = json as { paths: Record<string, { post?: { requestBody?: unknown } }> }
  expect(paths['/api/w/{ws}/deployments']?.post?.requestBody).toMatchObject({
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          properties: { bundle: { type: 'string', format: 'binary' } },
          required: ['bundle'],
        },
      },
    },
  })
})

describe('the plan of a deployment', () => {
  const plan = async (files: AppTexts): Promise<TestAnswer> =>
    app.call('POST', api('/deployments/plan'), { token, ...(await toUpload(await packApp(files))) })

  it('answers what would change, and deploys nothing', async () => {
    const first = await plan(oneActionApp('planned'))
    expect(first).toMatchObject({
      status: 200,
      json: {
        app: 'planned',
        commit: expect.stringMatching(/^sha256:/),
        added: [{ kind: 'action', key: 'run' }],
        changed: [],
        removed: [],
      },
    })
    expect((await get('/apps/planned')).status).toBe(404)
    const made = await deploy(oneActionApp('planned'))
    expect(bodyOf(made).commit).toBe(bodyOf(first).commit)
    expect((await plan(oneActionApp('planned'))).json).toMatchObject({ added: [], changed: [] })
    expect((await plan({ 'app.yaml': 'key: planned\n' })).json).toMatchObject({
      removed: [{ kind: 'action', key: 'run' }],
    })
  })

  it('is refused with the faults of the folder', async () => {
    const { status, json } = await plan({ 'app.yaml': 'key: planned\ncolour: red\n' })
    expect(status).toBe(422)
    expect(json).toMatchObject({ code: 'bad_manifest', details: [{ path: 'app.yaml:2:1 colour' }] })
  })

  it('needs the scope of a deployment', async () => {
    const weak = await app.token(['deployments:read'])
    const sent = await toUpload(await packApp(oneActionApp('planned')))
    const answer = await app.call('POST', api('/deployments/plan'), { token: weak, ...sent })
    expect(answer.status).toBe(403)
  })
})
