import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createPackageCache } from '#bundle/package-cache.ts'
import { bundleFolder } from '#project/bundle-folder.ts'
import { readNamed } from '#project/function-folder.ts'
import { createFetchPackages } from '#service/packages/fetch-packages.ts'
import { findBundle } from '#store/apps/bundles.ts'
import { findDeploymentContent } from '#store/apps/deployments.ts'
import { sql } from '#store/sql.ts'
import { type makeArchive, packApp, toUpload } from '../support/bundle-archive.ts'
import { createTestApp, type TestAnswer, type TestApp, WS } from '../support/create-test-app.ts'
import {
  lockFileOf,
  type PackageRegistry,
  packInstalled,
  type RegistryFault,
  type StubPackage,
  startPackageRegistry,
  stubPackage,
} from '../support/package-registry.ts'

const DEPLOYMENTS = `/api/w/${WS}/deployments`
const MANIFEST = 'key: shop\nname: Shop\nactions:\n  - { key: run, entrypoint: run.ts }\n'

const refusal = z.looseObject({ code: z.string(), error: z.string() })
const deployed = z.looseObject({ deployment_id: z.string() })
const filesShape = z.object({ items: z.array(z.looseObject({ path: z.string() })) })

let registry: PackageRegistry
let app: TestApp
let token: string
let cacheFolder: string
const stubs = new Map<string, StubPackage>()

const stub = (name: string): StubPackage => {
  const found = stubs.get(name)
  if (found === undefined) throw new Error(`There is no stub ${name}.`)
  return found
}

/** One test waits for it, and on a busy machine the first packages take 0.5 s. */
const TIMEOUT_MS = 1_500

const fetcher = (cached = true) =>
  createFetchPackages({
    registry: registry.url,
    cache: cached ? createPackageCache({ folder: cacheFolder, maxBytes: 100_000_000 }) : null,
    timeoutMs: TIMEOUT_MS,
  })

beforeAll(async () => {
  registry = await startPackageRegistry()
  cacheFolder = mkdtempSync(join(tmpdir(), 'svc-packages-'))
  const made = [
    await packInstalled('zod'),
    await packInstalled('croner'),
    await stubPackage(
      {
        name: 'upper',
        version: '1.2.3',
        main: 'main.js',
        dependencies: { '@acme/sign': '^2.0.0' },
      },
      [
        {
          header: { name: 'package/main.js' },
          content: "exports.upper = (text) => text.toUpperCase() + require('@acme/sign').sign\n",
        },
        { header: { name: 'package/main.d.ts' }, content: 'export const upper: unknown\n' },
      ],
    ),
    await stubPackage({ name: '@acme/sign', version: '2.1.0' }, [
      { header: { name: 'package/index.js' }, content: "exports.sign = '!'\n" },
    ]),
    await stubPackage({ name: 'native-one', version: '1.0.0', gypfile: true }, [
      { header: { name: 'package/index.js' }, content: 'exports.x = 1\n' },
    ]),
  ]
  for (const one of made) {
    stubs.set(one.name, one)
    registry.add(one)
  }
  app = await createTestApp({ fetchPackages: fetcher(false) })
  token = await app.token(['deployments:write', 'deployments:read', 'apps:read', 'variables:write'])
})
afterAll(async () => {
  await app.close()
  await registry.close()
  rmSync(cacheFolder, { recursive: true, force: true })
})

type Texts = Readonly<Record<string, string>>

const upload = async (place: TestApp, bearer: string, files: Texts): Promise<TestAnswer> =>
  place.call('POST', DEPLOYMENTS, { token: bearer, ...(await toUpload(await packApp(files))) })

const deploy = (files: Texts): Promise<TestAnswer> =>
  upload(app, token, { 'app.yaml': MANIFEST, ...files })

const dependenciesOf = (packages: readonly StubPackage[]): string =>
  JSON.stringify({
    dependencies: Object.fromEntries(packages.map(({ name, version }) => [name, version])),
  })

const appWith = (packages: readonly StubPackage[], code: string, more: Texts = {}): Texts => ({
  'package.json': dependenciesOf(packages),
  'package-lock.json': lockFileOf(packages),
  'run.ts': code,
  ...more,
})

const UPPER = "import { upper } from 'upper'\nexport const main = () => upper('hello')\n"
const upperApp = (more: Texts = {}): Texts =>
  appWith([stub('upper'), stub('@acme/sign')], UPPER, more)

/** Runs `main` of the deployed bundle in this process. */
const runDeployed = async ({ status, json }: TestAnswer): Promise<unknown> => {
  expect({ status, json }).toMatchObject({ status: 201 })
  const { deployment_id: id } = deployed.parse(json)
  const { bundleHashes } = await findDeploymentContent(app.deps.db, id)
  const bundle = await findBundle(app.deps.db, bundleHashes.get('run.ts') ?? '')
  const url = `data:text/javascript;base64,${Buffer.from(bundle?.code ?? '').toString('base64')}`
  const loaded = await import(/* @vite-ignore */ url)
  return loaded.main()
}

const problem = ({ status, json }: TestAnswer): string => {
  const { code, error } = refusal.parse(json)
  return `${status} ${code}: ${error.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')}`
}

describe('an app with a lock file and without node_modules', () => {
  it('gets its packages from the registry, with what they import', async () => {
    expect(await runDeployed(await deploy(upperApp()))).toBe('HELLO!')
  })

  it('bundles real packages', async () => {
    const code = `import { z } from 'zod'\nimport { Cron } from 'croner'
export const main = () => [z.number().parse(7), new Cron('0 0 * * *').getPattern()]\n`
    const answer = await deploy(appWith([stub('zod'), stub('croner')], code))
    expect(await runDeployed(answer)).toEqual([7, '0 0 * * *'])
  })

  it('fetches only what the code imports', async () => {
    const before = registry.requests.length
    await deploy(appWith([stub('croner'), stub('upper')], 'export const main = () => 1\n'))
    expect(registry.requests.slice(before)).toEqual([])
  })

  it('keeps the files that the bundle opened as sources', async () => {
    const { json } = await deploy(upperApp({ 'lib/other.ts': 'export const other = 1\n' }))
    const { deployment_id: id } = deployed.parse(json)
    const { json: listed } = await app.call('GET', `${DEPLOYMENTS}/${id}/files`, { token })
    const paths = filesShape.parse(listed).items.map(({ path }) => path)
    expect(paths).toEqual([
      'app.yaml',
      'lib/other.ts',
      'node_modules/@acme/sign/index.js',
      'node_modules/@acme/sign/package.json',
      'node_modules/upper/main.js',
      'node_modules/upper/package.json',
      'package-lock.json',
      'package.json',
      'run.ts',
    ])
  })

  it('has functions that use the packages of the app, and of their own folder', async () => {
    const answer = await deploy({
      ...upperApp(),
      'functions/shared/index.ts':
        "import { upper } from 'upper'\nexport default () => upper('a')\n",
      'functions/own/index.ts': "import { sign } from '@acme/sign'\nexport default () => sign\n",
      'functions/own/function.yaml': 'description: own\n',
      'functions/own/package.json': dependenciesOf([stub('@acme/sign')]),
      'functions/own/package-lock.json': lockFileOf([stub('@acme/sign')]),
    })
    expect(answer.json).toMatchObject({ functions: ['own', 'shared'] })
  })

  it('looks up the name of the registry once for all its packages', async () => {
    const looked: string[] = []
    const named = await createTestApp({
      fetchPackages: createFetchPackages({
        registry: registry.url.replace('127.0.0.1', 'registry.test'),
        cache: null,
        resolve: async (host) => {
          looked.push(host)
          return ['127.0.0.1']
        },
      }),
    })
    const bearer = await named.token(['deployments:write'])
    const answer = await upload(named, bearer, { 'app.yaml': MANIFEST, ...upperApp() })
    await named.close()
    expect(answer.status).toBe(201)
    expect(looked).toEqual(['registry.test'])
  })

  it('is refused by name when it needs a native addon', async () => {
    const answer = await deploy(
      appWith(
        [stub('native-one')],
        "import { x } from 'native-one'\nexport const main = () => x\n",
      ),
    )
    expect(answer.text).toContain('\\"native-one\\" is a native addon')
    expect(answer.status).toBe(422)
  })

  it('uses its node_modules if there are any', async () => {
    const before = registry.requests.length
    const answer = await deploy(
      upperApp({ 'node_modules/upper/index.js': "exports.upper = () => 'vendored'\n" }),
    )
    expect(await runDeployed(answer)).toBe('vendored')
    expect(registry.requests.length).toBe(before)
  })
})

describe('a plan and the deployment after it', () => {
  it('read the app once, and a further deployment reads it again', async () => {
    const files = appWith(
      [stub('upper'), stub('@acme/sign')],
      "import 'upper'\nexport const main = () => 9\n",
    )
    const sent = { token, ...(await toUpload(await packApp({ 'app.yaml': MANIFEST, ...files }))) }
    const before = registry.requests.length
    expect(await app.call('POST', `${DEPLOYMENTS}/plan`, sent)).toMatchObject({ status: 200 })
    const read = registry.requests.length
    expect(read).toBeGreaterThan(before)
    expect(await app.call('POST', DEPLOYMENTS, sent)).toMatchObject({ status: 201 })
    expect(registry.requests.length).toBe(read)
    expect(await app.call('POST', DEPLOYMENTS, sent)).toMatchObject({ status: 201 })
    expect(registry.requests.length).toBe(read + (read - before))
  })

  it('read it twice where the rules of the workspace have changed', async () => {
    const capped = await createTestApp({ fetchPackages: fetcher(false) })
    const own = await capped.token(['deployments:write'])
    const tagged = MANIFEST.replace('run.ts }', 'run.ts, tag: gpu }')
    const files = { 'app.yaml': tagged, 'run.ts': 'export const main = () => 1\n' }
    const sent = { token: own, ...(await toUpload(await packApp(files))) }
    expect(await capped.call('POST', `${DEPLOYMENTS}/plan`, sent)).toMatchObject({ status: 200 })
    await capped.deps.db.write([
      sql`UPDATE workspaces SET allowed_tags = ${JSON.stringify(['cpu'])} WHERE id = ${WS}`,
    ])
    expect(await capped.call('POST', DEPLOYMENTS, sent)).toMatchObject({ status: 422 })
    await capped.close()
  })
})

describe('a registry that fails', () => {
  it.each<[string, RegistryFault, string]>([
    [
      'is slow',
      'slow',
      '502 registry_unreachable: The registry HOST took too long to send @acme/sign@2.1.0. Try again later.',
    ],
    [
      'ends early',
      'truncated',
      '502 registry_unreachable: The registry HOST ended the transfer of @acme/sign@2.1.0 after 100 of ',
    ],
    [
      'resets',
      'reset',
      '502 registry_unreachable: The registry HOST could not be reached for @acme/sign@2.1.0 (ECONNRESET).',
    ],
    [
      'has an internal error',
      { status: 503 },
      '502 registry_unreachable: The registry HOST answered 503 for @acme/sign@2.1.0. Try again later.',
    ],
    [
      'does not know a package',
      { status: 404 },
      '422 package_not_found: The registry HOST has no @acme/sign@2.1.0 (404).',
    ],
    [
      'wants a token',
      { status: 401 },
      '422 package_forbidden: The registry HOST refused to send @acme/sign@2.1.0 (401). svc sends a token only to a registry that .npmrc sets for a scope, such as @acme:registry.',
    ],
    [
      'sends other content',
      'other',
      "422 package_hash_mismatch: The registry sent a @acme/sign@2.1.0 whose sha512 hash differs from the lock file's. Nothing of it was used.",
    ],
    [
      'redirects to a private address',
      { redirectTo: 'http://10.0.0.1/x.tgz' },
      '502 registry_unreachable: The registry HOST redirects @acme/sign@2.1.0 to 10.0.0.1, which is not a public address. An operator grants a private one by',
    ],
  ])('%s: the answer names the package', async (_, fault, expected) => {
    registry.fail('@acme/sign', fault)
    const answer = await deploy(upperApp())
    registry.fail('@acme/sign', null)
    expect(problem(answer)).toContain(expected)
  })

  it('redirects within itself: the package is fetched', async () => {
    registry.fail('@acme/sign', 'redirect')
    expect(await runDeployed(await deploy(upperApp()))).toBe('HELLO!')
    registry.fail('@acme/sign', null)
  })

  it('is switched off: the answer names the remedy', async () => {
    const off = await createTestApp()
    const answer = await upload(off, await off.token(['deployments:write']), {
      'app.yaml': MANIFEST,
      ...upperApp(),
    })
    await off.close()
    expect(problem(answer)).toBe(
      '422 registry_off: @acme/sign is needed. This svc fetches no packages (SVC_NPM_REGISTRY=off). Deploy the app with its node_modules folder.',
    )
  })
})

describe('the cache', () => {
  it('serves a package without the registry, and notices a changed file', async () => {
    const cached = await createTestApp({ fetchPackages: fetcher() })
    const bearer = await cached.token(['deployments:write'])
    const files = { 'app.yaml': MANIFEST, ...upperApp() }
    expect((await upload(cached, bearer, files)).status).toBe(201)
    const before = registry.requests.length
    expect((await upload(cached, bearer, files)).status).toBe(201)
    expect(registry.requests.length).toBe(before)
    for (const name of readdirSync(cacheFolder)) writeFileSync(join(cacheFolder, name), 'changed')
    expect((await upload(cached, bearer, files)).status).toBe(201)
    expect(registry.requests.length).toBe(before + 2)
    await cached.close()
  })
})

describe('a lock file with faults', () => {
  it.each<[string, (files: Texts) => Texts, string]>([
    [
      'is not JSON',
      (files) => ({ ...files, 'package-lock.json': '{' }),
      '422 bad_lock_file: package-lock.json is not JSON.',
    ],
    [
      'is older than npm 7',
      (files) => ({ ...files, 'package-lock.json': '{"lockfileVersion":1}' }),
      '422 bad_lock_file: package-lock.json is not a lock file of npm 7 or newer.',
    ],
    [
      'does not fit package.json',
      (files) => ({ ...files, 'package.json': '{"dependencies":{"upper":"^9.0.0"}}' }),
      '422 bad_lock_file: package.json asks for another upper than package-lock.json.',
    ],
    [
      'has no hash',
      (files) => ({
        ...files,
        'package-lock.json': lockFileOf([stub('upper'), stub('@acme/sign')], {
          upper: { integrity: undefined },
        }),
      }),
      '422 bad_lock_file: package-lock.json has no hash ("integrity") of upper@1.2.3.',
    ],
    [
      'takes a package from git',
      (files) => ({
        ...files,
        'package-lock.json': lockFileOf([stub('upper'), stub('@acme/sign')], {
          upper: { resolved: 'git+ssh://git@example.com/upper.git#1' },
        }),
      }),
      '422 bad_lock_file: package-lock.json takes upper from a folder, git or an address. svc fetches packages from a registry only; copy its code into lib/.',
    ],
    [
      'takes a package from a folder of the repository',
      (files) => ({
        ...files,
        'package-lock.json': lockFileOf([stub('upper'), stub('@acme/sign')], {
          upper: { resolved: 'packages/upper', link: true },
        }),
      }),
      '422 bad_lock_file: package-lock.json takes upper from a folder, git or an address. svc fetches packages from a registry only; deploy a folder that contains it.',
    ],
    [
      'leads out of the app',
      (files) => ({
        ...files,
        'package-lock.json':
          '{"lockfileVersion":3,"packages":{"../../node_modules/upper":{"version":"1.0.0"}}}',
        'package.json': '{}',
      }),
      '422 bad_lock_file: package-lock.json has an entry with a bad name',
    ],
  ])('%s', async (_, change, expected) => {
    expect(problem(await deploy(change(upperApp())))).toContain(expected)
  })
})

describe('a hostile tarball', () => {
  const hostile = async (entries: Parameters<typeof makeArchive>[0]): Promise<TestAnswer> => {
    const bad = await stubPackage({ name: 'hostile', version: '1.0.0' }, entries)
    registry.add(bad)
    return deploy(appWith([bad], "import x from 'hostile'\nexport const main = () => x\n"))
  }

  it.each(['package/../../evil.js', '/etc/evil.js', '../evil.js'])(
    'with the path %s is refused',
    async (name) => {
      expect(problem(await hostile([{ header: { name }, content: 'x' }]))).toBe(
        '422 bad_package: The tarball of hostile@1.0.0 has a path that leads out of it.',
      )
    },
  )

  it('with links: they are left out', async () => {
    const answer = await hostile([
      { header: { name: 'package/index.js', type: 'symlink', linkname: '/etc/passwd' } },
      { header: { name: 'package/other.js', type: 'link', linkname: '/etc/passwd' } },
    ])
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('but has no such module')
  })

  it('that unpacks to more than the limit is refused', async () => {
    const answer = await hostile([
      { header: { name: 'package/index.js' }, content: Buffer.alloc(230 * 1_024 * 1_024) },
    ])
    expect(problem(answer)).toBe(
      '422 too_many_packages: With hostile@1.0.0, the packages of the app unpack to more than 200 MiB or 50000 files. Use smaller packages, or divide the actions among several apps.',
    )
  })

  it('that is not an archive is refused', async () => {
    const tarball = Buffer.from('not a tarball')
    const good = await stubPackage({ name: 'hostile', version: '1.0.0' }, [])
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    registry.add({ ...good, tarball })
    const answer = await deploy(
      appWith([{ ...good, integrity }], "import x from 'hostile'\nexport const main = () => x\n"),
    )
    expect(problem(answer)).toBe('422 bad_package: The tarball of hostile@1.0.0 is damaged.')
  })
})

describe('npm: specifiers', () => {
  const NPM = "import { sign } from 'npm:@acme/sign@2.1.0'\nexport const main = () => sign\n"

  it('name an exact version without a lock file', async () => {
    expect(await runDeployed(await deploy({ 'run.ts': NPM }))).toBe('!')
  })

  it('name a range only with a lock file', async () => {
    const ranged = NPM.replace('2.1.0', '^2.0.0')
    const refused = await deploy({ 'run.ts': ranged })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Write an exact version, as in npm:zod@4.0.0')
    expect(await runDeployed(await deploy(appWith([stub('@acme/sign')], ranged)))).toBe('!')
    const other = await deploy(appWith([stub('@acme/sign')], NPM.replace('2.1.0', '^3.0.0')))
    expect(other.status).toBe(422)
  })

  it('need a lock file for a package that has dependencies', async () => {
    const answer = await deploy({ 'run.ts': UPPER.replace("'upper'", "'npm:upper@1.2.3'") })
    expect(problem(answer)).toBe(
      '422 needs_lock_file: npm:upper@1.2.3 imports other packages, so it needs a package-lock.json. Create one with: npm install upper@1.2.3',
    )
  })

  it('of a version that does not exist name it', async () => {
    const answer = await deploy({ 'run.ts': NPM.replace('2.1.0', '9.9.9') })
    expect(problem(answer)).toBe(
      '422 package_not_found: The registry HOST has no @acme/sign@9.9.9 (404).',
    )
  })
})

/** The syntax by which .npmrc refers to a variable. */
const reference = (name: string): string => `$\{${name}}`

describe('.npmrc', () => {
  const NPMRC = '@acme:registry=http://127.0.0.1:1/\n'

  it('of a private address is refused', async () => {
    expect(problem(await deploy(upperApp({ '.npmrc': NPMRC })))).toBe(
      '422 bad_npmrc: @acme/sign@2.1.0 may not be fetched from HOST: the registry is not at a public address. An operator grants a private one by SVC_EGRESS_ALLOW or by egress_allow of the workspace.',
    )
  })

  it('of a private address is open where an operator grants it', async () => {
    const files = upperApp({ '.npmrc': `@acme:registry=${registry.url}\n` })
    const { port } = new URL(registry.url)
    const root = await app.token(['*'])
    const patch = (grants: readonly string[] | null) =>
      app.call('PATCH', `/api/admin/workspaces/${WS}`, {
        token: root,
        json: { egress_allow: grants },
      })
    await patch(['127.0.0.1:1'])
    expect(problem(await deploy(files))).toContain('422 bad_npmrc')
    await patch([`127.0.0.1:${port}`])
    expect((await deploy(files)).status).toBe(201)
    await patch(null)
  })

  it('with a token in the file is refused', async () => {
    const answer = await deploy(
      upperApp({ '.npmrc': `${NPMRC}//127.0.0.1:1/:_authToken=secret\n` }),
    )
    expect(problem(answer)).toContain(
      `422 bad_npmrc: .npmrc, line 2: a token is written as ${reference('NAME')}`,
    )
  })

  it('names a variable that the workspace lacks', async () => {
    const answer = await deploy(
      upperApp({ '.npmrc': `${NPMRC}//127.0.0.1:1/:_authToken=${reference('ACME_TOKEN')}\n` }),
    )
    expect(problem(answer)).toContain(
      '422 bad_npmrc: .npmrc names the variable ACME_TOKEN for @acme/sign',
    )
  })
})

/** Bundles a folder as `svc deploy` does, and sends it to a server without a registry. */
const deployFolder = async (files: Texts) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-deploy-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  vi.stubEnv('SVC_NPM_REGISTRY', registry.url)
  vi.stubEnv('SVC_PACKAGE_CACHE_MB', '0')
  const bundled = await bundleFolder(folder, readNamed(folder), () => undefined).finally(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
  const form = new FormData()
  for (const { source, shared } of bundled) {
    for (const [path, bytes] of source.files) {
      form.append(`functions/${source.name}/${path}`, new Blob([new Uint8Array(bytes)]), path)
    }
    for (const [path, bytes] of shared) {
      form.append(path, new Blob([new Uint8Array(bytes)]), path)
    }
  }
  const off = await createTestApp()
  const bearer = await off.token(['deployments:write'])
  await off.call('POST', `/api/w/${WS}/apps`, {
    token: bearer,
    json: { key: 'shop', name: 'Shop' },
  })
  const sent = new Response(form)
  const request = {
    token: bearer,
    headers: { 'content-type': sent.headers.get('content-type') ?? '' },
    body: new Uint8Array(await sent.arrayBuffer()),
  }
  const path = `/api/w/${WS}/apps/shop/functions/deploy`
  const answers = [await off.call('POST', path, request), await off.call('POST', path, request)]
  await off.close()
  return { bundled, answers }
}

describe('svc deploy', () => {
  it('fetches packages itself, so that the server needs no registry', async () => {
    const lib = [stub('upper'), stub('@acme/sign')]
    const code = "import { upper } from 'upper'\nexport default () => upper('hello')\n"
    const opened = [
      'node_modules/@acme/sign/index.js',
      'node_modules/@acme/sign/package.json',
      'node_modules/upper/main.js',
      'node_modules/upper/package.json',
    ]
    const ofApp = await deployFolder(appWith(lib, '', { 'functions/hello/index.ts': code }))
    expect([...(ofApp.bundled[0]?.shared.keys() ?? [])]).toEqual(opened)
    const own = 'functions/hello/'
    const ofFunction = await deployFolder({
      [`${own}index.ts`]: code,
      [`${own}function.yaml`]: 'description: Has a lock file of its own\n',
      [`${own}package.json`]: dependenciesOf(lib),
      [`${own}package-lock.json`]: lockFileOf(lib),
    })
    expect([...(ofFunction.bundled[0]?.shared.keys() ?? [])]).toEqual(
      opened.map((path) => `${own}${path}`),
    )
    for (const { bundled, answers } of [ofApp, ofFunction]) {
      const hash = bundled[0]?.source.hash
      expect(answers).toMatchObject([
        { status: 200, json: { deployed: [{ name: 'hello', hash }], skipped: [] } },
        { status: 200, json: { deployed: [], skipped: ['hello'] } },
      ])
    }
  })
})
