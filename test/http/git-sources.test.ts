/** Git sources over HTTP, against real repositories. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inFolder, oneActionApp } from '../support/app-files.ts'
import { createTestApp, type TestAnswer, type TestApp, WS } from '../support/create-test-app.ts'
import { startGitHttpServer } from '../support/git-http-server.ts'
import { type GitRepository, openRepositoryFolder } from '../support/git-repository.ts'
import { portOf } from '../support/port-of.ts'

const repositories = openRepositoryFolder()
const outside = openRepositoryFolder()
let app: TestApp
let token: string

beforeAll(async () => {
  app = await createTestApp({ gitLocalRoots: [repositories.root] })
  token = await app.token(['*'])
})
afterAll(async () => {
  await app.close()
  repositories.remove()
  outside.remove()
})

type Body = {
  id?: string
  code?: string
  error?: string
  details?: { path: string; message: string }[]
  items?: Record<string, unknown>[]
  deployments?: { deployment_id: string; app: string; commit: string }[]
}
const bodyOf = ({ json }: TestAnswer): Body => (json ?? {}) as Body

const call = (method: string, path: string, json?: unknown): Promise<TestAnswer> =>
  app.call(method, `/api/w/${WS}${path}`, { token, ...(json === undefined ? {} : { json }) })

const addSource = async (fields: Readonly<Record<string, unknown>>): Promise<string> => {
  const answer = await call('POST', '/git-sources', { name: 'test', ...fields })
  expect(answer.text).toContain('"id"')
  return bodyOf(answer).id ?? ''
}
const sync = (id: string): Promise<TestAnswer> => call('POST', `/git-sources/${id}/sync`)
const sourceOf = async (repository: GitRepository, more = {}): Promise<string> =>
  addSource({ url: repository.path, ...more })

describe('a git source', () => {
  it('is made, read, changed, listed and removed', async () => {
    const repository = repositories.create('crud')
    repository.commit(oneActionApp('crud'))
    const made = await call('POST', '/git-sources', { name: 'Crud', url: repository.path })
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({
      name: 'Crud',
      url: repository.path,
      branch: null,
      path: '',
      has_auth: false,
      auto_sync_s: null,
      last_commit: null,
      last_error: null,
    })
    const id = bodyOf(made).id ?? ''
    expect((await call('GET', `/git-sources/${id}`)).json).toEqual(made.json)
    const changed = await call('PATCH', `/git-sources/${id}`, { name: 'New', auto_sync_s: 60 })
    expect(changed.json).toMatchObject({ name: 'New', auto_sync_s: 60, url: repository.path })
    expect(bodyOf(await call('GET', '/git-sources')).items?.[0]).toEqual(changed.json)
    expect((await call('DELETE', `/git-sources/${id}`)).status).toBe(204)
    expect((await call('GET', `/git-sources/${id}`)).status).toBe(404)
    expect((await call('DELETE', `/git-sources/${id}`)).status).toBe(404)
    expect((await sync(id)).status).toBe(404)
  })

  it.each([
    ['ext::sh -c touch% /tmp/svc-owned', 'url_not_allowed'],
    ['ext::sh', 'url_not_allowed'],
    ['--upload-pack=touch /tmp/svc-owned', 'url_not_allowed'],
    ['-u/tmp/x', 'url_not_allowed'],
    ['fd::17', 'url_not_allowed'],
    ['ftp://example.com/x.git', 'url_not_allowed'],
    ['FILE:///etc', 'url_not_allowed'],
    ['file://example.com/etc', 'url_not_allowed'],
    ['/etc', 'url_not_allowed'],
    ['relative/path', 'url_not_allowed'],
    ['https://user:secret@example.com/x.git', 'url_not_allowed'],
    ['https://token@example.com/x.git', 'url_not_allowed'],
    ['https://example.com/x.git?private_token=secret', 'url_not_allowed'],
    ['https://good.example\\@evil.example/x.git', 'url_not_allowed'],
    ['http://169.254.169.254/latest/meta-data', 'url_not_allowed'],
    ['http://2852039166/x.git', 'url_not_allowed'],
    ['http://[fe80::1]/x.git', 'url_not_allowed'],
    ['git@-oProxyCommand=x:y', 'url_not_allowed'],
    ['ssh://-oProxyCommand=x/y', 'url_not_allowed'],
  ])('never asks %s', async (url, code) => {
    const probed = await call('POST', '/git-sources/probe', { url })
    expect(probed.status).toBe(400)
    expect(bodyOf(probed).code).toBe(code)
    expect(probed.text).not.toContain('secret@')
    expect(existsSync('/tmp/svc-owned')).toBe(false)
  })

  it.each([
    ['branch', { branch: '--upload-pack=x' }],
    ['branch', { branch: 'a..b' }],
    ['path', { path: '../other' }],
    ['path', { path: 'a/.git' }],
    [
      'auth of another kind',
      { url: 'ssh://git@example.com/x', auth: { type: 'token', token: 't' } },
    ],
    [
      'auth of another kind',
      { url: 'https://example.com/x', auth: { type: 'ssh_key', private_key: 'k' } },
    ],
    ['auto_sync_s', { auto_sync_s: 1 }],
    ['unknown field', { colour: 'red' }],
  ])('refuses a bad %s', async (_, fields) => {
    const url = 'https://example.com/x.git'
    expect((await call('POST', '/git-sources', { name: 'x', url, ...fields })).status).toBe(400)
  })

  it('reads no repository outside of the opened folders, by whatever road', async () => {
    const secret = outside.create('secret')
    secret.commit(oneActionApp('secret'))
    symlinkSync(secret.path, join(repositories.root, 'link'))
    mkdirSync(join(repositories.root, 'borrowed'))
    writeFileSync(join(repositories.root, 'borrowed', '.git'), `gitdir: ${secret.path}/.git\n`)
    for (const url of [
      secret.path,
      `file://${secret.path}`,
      join(repositories.root, 'link'),
      join(repositories.root, 'borrowed'),
      `${repositories.root}/../${secret.path.split('/').slice(-2).join('/')}`,
    ]) {
      const answer = await call('POST', '/git-sources', { name: 'x', url })
      expect([url, answer.status]).toEqual([url, 400])
    }
  })

  it('reports a missing repository below an opened folder as unreachable', async () => {
    const gone = repositories.create('gone')
    gone.commit(oneActionApp('gone'))
    const id = await addSource({ url: gone.path })
    rmSync(gone.path, { recursive: true })
    const synced = await sync(id)
    expect([synced.status, bodyOf(synced).code]).toEqual([502, 'git_unreachable'])
    const { status, json } = await call('POST', '/git-sources/probe', {
      url: `${gone.path}/deeper`,
    })
    expect([status, json]).toMatchObject([200, { reachable: false, branches: [] }])
  })

  it('does not show whether a path outside of the opened folders exists', async () => {
    symlinkSync('/nowhere/at-all', join(repositories.root, 'dangling'))
    for (const url of [
      '/nowhere/at-all',
      join(repositories.root, 'dangling'),
      join(repositories.root, 'dangling', 'x'),
      `${repositories.root}/../nowhere`,
    ]) {
      const probed = await call('POST', '/git-sources/probe', { url })
      expect([url, probed.status, bodyOf(probed).code]).toEqual([url, 400, 'url_not_allowed'])
    }
  })

  it('may be a worktree inside of the opened folders, and owned by another user', async () => {
    const main = repositories.create('with-worktree')
    main.commit(oneActionApp('worktree'))
    main.git('worktree', 'add', '--quiet', '-b', 'side', join(repositories.root, 'side'))
    const side = join(repositories.root, 'side')
    // only root can give files away; without root, this tests the worktree alone
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'nobody', main.path, side])
    const id = await addSource({ url: side })
    expect((await sync(id)).status).toBe(200)
  })
})

describe('a probe', () => {
  it('lists the branches and the default one', async () => {
    const repository = repositories.create('probed')
    repository.commit(oneActionApp('probed'))
    repository.git('branch', 'feature/#1')
    const { status, json } = await call('POST', '/git-sources/probe', { url: repository.path })
    expect([status, json]).toEqual([
      200,
      { reachable: true, branches: ['feature/#1', 'main'], default_branch: 'main' },
    ])
  })

  it('reports an empty repository', async () => {
    const { json } = await call('POST', '/git-sources/probe', {
      url: repositories.create('nothing').path,
    })
    expect(json).toMatchObject({ reachable: true, branches: [] })
  })

  it.each([
    'http://127.0.0.1:1/x.git',
    'git://127.0.0.1:1/x.git',
    'https://no-such-host.invalid/x',
  ])('of %s reports why it cannot be reached', async (url) => {
    const { status, json } = await call('POST', '/git-sources/probe', { url })
    expect([status, json]).toEqual([
      200,
      {
        reachable: false,
        branches: [],
        default_branch: null,
        error: expect.stringMatching(/^The git source could not be fetched: it/),
      },
    ])
  })
})

describe('a sync', () => {
  it('deploys the app, and again only when there is something new', async () => {
    const repository = repositories.create('one')
    const first = repository.commit(oneActionApp('one'))
    const id = await sourceOf(repository)
    const answer = await sync(id)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      deployments: [
        {
          deployment_id: expect.any(String),
          app: 'one',
          commit: first,
          actions: ['run'],
          flows: [],
          functions: [],
        },
      ],
    })
    expect((await sync(id)).json).toEqual(answer.json)
    expect(bodyOf(await call('GET', '/apps/one/history')).items).toHaveLength(1)
    const second = repository.commit({ 'README.md': 'new' })
    expect(bodyOf(await sync(id)).deployments?.[0]?.commit).toBe(second)
    expect(bodyOf(await call('GET', '/apps/one/history')).items).toHaveLength(2)
    expect((await call('GET', '/apps/one')).json).toMatchObject({
      commit: second,
      git_source_id: id,
    })
    expect((await call('GET', `/git-sources/${id}`)).json).toMatchObject({
      last_commit: second,
      last_error: null,
    })
  })

  it('takes the named branch, else the default one', async () => {
    const repository = repositories.create('branches')
    repository.commit(oneActionApp('branches', 'of main'))
    repository.git('checkout', '--quiet', '-b', 'next/v2')
    const next = repository.commit(oneActionApp('branches', 'of next'))
    repository.git('checkout', '--quiet', 'main')
    const id = await sourceOf(repository, { branch: 'next/v2' })
    expect(bodyOf(await sync(id)).deployments?.[0]?.commit).toBe(next)
    await call('PATCH', `/git-sources/${id}`, { branch: 'gone' })
    const missing = await sync(id)
    expect([missing.status, bodyOf(missing).code]).toEqual([422, 'branch_not_found'])
    expect((await call('GET', `/git-sources/${id}`)).json).toMatchObject({
      last_commit: next,
      last_error: 'The git source has no branch "gone".',
    })
  })

  it('deploys each app of the first-level folders, or the one at `path`', async () => {
    const repository = repositories.create('several')
    repository.commit({
      ...inFolder('alpha', oneActionApp('alpha')),
      ...inFolder('beta', oneActionApp('beta')),
      ...inFolder('deep/gamma', oneActionApp('gamma')),
      'README.md': 'three apps',
    })
    const all = await sync(await sourceOf(repository))
    expect(bodyOf(all).deployments?.map((one) => one.app)).toEqual(['alpha', 'beta'])
    const inner = await sync(await sourceOf(repository, { path: '/deep/gamma/' }))
    expect(bodyOf(inner).deployments?.map((one) => one.app)).toEqual(['gamma'])
  })

  it('does not read files outside its apps, however many there are', async () => {
    const repository = repositories.create('monorepo')
    const many = Object.fromEntries(
      Array.from({ length: 2_100 }, (_, n) => [`docs/${n}.md`, `${n}`]),
    )
    repository.commit({ ...many, ...inFolder('app', oneActionApp('monorepo')) })
    expect((await sync(await sourceOf(repository))).status).toBe(200)
    expect((await sync(await sourceOf(repository, { path: 'app' }))).status).toBe(409)
  })

  it('reports the faults of every app and deploys none of them', async () => {
    const repository = repositories.create('broken')
    repository.commit({
      ...inFolder('good', oneActionApp('unbroken')),
      'first/app.yaml': 'key: first\ncolour: red\nactions:\n  - key: a\n    entrypoint: ../a.ts\n',
      'second/app.yaml': 'key: Second\n',
      'third/app.yaml': 'key: third\nactions:\n  - { key: a, entrypoint: a.ts }\n',
      'third/a.ts': 'export const main = () => {\n  return 1 +\n}\n',
    })
    const id = await sourceOf(repository)
    const answer = await sync(id)
    expect([answer.status, bodyOf(answer).code]).toEqual([422, 'bad_manifest'])
    expect(bodyOf(answer).details?.map(({ path }) => path)).toEqual([
      'first/app.yaml:2:1 colour',
      'first/app.yaml:5:5 actions[0].entrypoint',
      'second/app.yaml:1:1 key',
      'third/a.ts:3:1',
    ])
    expect((await call('GET', '/apps/unbroken')).status).toBe(404)
    expect((await call('GET', `/git-sources/${id}`)).json).toMatchObject({
      last_commit: null,
      last_error: 'The git source was not deployed because of 4 faults.',
    })
  })

  it('refuses two apps of one key', async () => {
    const repository = repositories.create('twins')
    repository.commit({
      ...inFolder('a', oneActionApp('twin')),
      ...inFolder('b', oneActionApp('twin')),
    })
    const answer = await sync(await sourceOf(repository))
    expect(answer.status).toBe(422)
    expect(bodyOf(answer).details?.[0]?.path).toBe('b/app.yaml key')
  })

  it('names the default branch when it does not exist, although other branches have commits', async () => {
    const repository = repositories.create('renamed')
    repository.commit(oneActionApp('renamed'))
    repository.git('symbolic-ref', 'HEAD', 'refs/heads/master')
    const answer = await sync(await sourceOf(repository))
    expect(bodyOf(answer)).toMatchObject({
      code: 'empty_repository',
      error: 'The git source has no commit on its default branch. Push one, or name a branch.',
    })
  })

  it('answers 422 for a repository without an app or without a commit', async () => {
    const empty = await sync(await sourceOf(repositories.create('empty')))
    expect([empty.status, bodyOf(empty).code]).toEqual([422, 'empty_repository'])
    const bare = repositories.create('no-app')
    bare.commit({ 'README.md': 'nothing to run' })
    const none = await sync(await sourceOf(bare))
    expect([none.status, bodyOf(none).code]).toEqual([422, 'no_manifest'])
    const wrong = await sync(await sourceOf(bare, { path: 'not/there' }))
    expect([wrong.status, bodyOf(wrong).error]).toEqual([
      422,
      expect.stringContaining('the folder not/there'),
    ])
  })

  it('leaves an old app where it is when the manifest has a new key', async () => {
    const repository = repositories.create('renamed')
    repository.commit(oneActionApp('old-key'))
    const id = await sourceOf(repository)
    await sync(id)
    repository.commit(oneActionApp('new-key'))
    expect(bodyOf(await sync(id)).deployments?.[0]?.app).toBe('new-key')
    expect((await call('GET', '/apps/old-key')).status).toBe(200)
  })

  it('deploys again when the source points to another folder of the same commit', async () => {
    const repository = repositories.create('two-folders')
    repository.commit({
      ...inFolder('v1/app', oneActionApp('moved', 'one')),
      ...inFolder('v2/app', oneActionApp('moved', 'two')),
    })
    const id = await sourceOf(repository, { path: 'v1/app' })
    const first = bodyOf(await sync(id)).deployments?.[0]
    await call('PATCH', `/git-sources/${id}`, { path: 'v2/app' })
    const second = bodyOf(await sync(id)).deployments?.[0]
    expect(second?.commit).toBe(first?.commit)
    expect(second?.deployment_id).not.toBe(first?.deployment_id)
  })

  it('refuses an app that another source holds, until that source is removed', async () => {
    const one = repositories.create('holder')
    one.commit(oneActionApp('held'))
    const other = repositories.create('taker')
    other.commit(oneActionApp('held'))
    const holder = await sourceOf(one)
    const taker = await sourceOf(other)
    await sync(holder)
    const refused = await sync(taker)
    expect([refused.status, bodyOf(refused).code]).toEqual([409, 'app_exists'])
    await call('DELETE', `/git-sources/${holder}`)
    expect((await call('GET', '/apps/held')).json).toMatchObject({ git_source_id: null })
    expect((await sync(taker)).status).toBe(200)
  })

  it('passes over links and submodules, runs no hook and fetches nothing of LFS', async () => {
    const inner = repositories.create('inner')
    inner.commit({ 'secret.ts': 'export const secret = 1' })
    const repository = repositories.create('tricky')
    repository.commit({
      ...oneActionApp('tricky'),
      '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n*.ts eol=crlf ident\n',
      'big.bin':
        'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n',
    })
    repository.git(
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      inner.path,
      'sub',
    )
    const marker = join(repositories.root, 'hook-ran')
    const hook = `#!/bin/sh\ntouch ${marker}\n`
    for (const name of ['post-checkout', 'post-upload-pack', 'reference-transaction']) {
      writeFileSync(join(repository.path, '.git', 'hooks', name), hook, { mode: 0o755 })
    }
    repository.git('config', 'uploadpack.packObjectsHook', `touch ${marker}; false`)
    symlinkSync('/etc/passwd', join(repository.path, 'passwd.txt'))
    symlinkSync('..', join(repository.path, 'up'))
    repository.commit({})
    // the author's own git ran the hook; svc's git must not
    rmSync(marker, { force: true })
    const id = await sourceOf(repository)
    expect((await sync(id)).status).toBe(200)
    expect(existsSync(marker)).toBe(false)
    repository.commit({
      'run.ts':
        "import text from './passwd.txt'\nimport { secret } from './sub/secret.ts'\nexport const main = () => text + secret\n",
    })
    const answer = await sync(id)
    expect(bodyOf(answer).details?.map(({ message }) => message)).toEqual([
      'Cannot find "./passwd.txt" among the files of the app.',
      'Cannot find "./sub/secret.ts" among the files of the app.',
    ])
  })

  it('refuses a repository that is too large, and an app that is', async () => {
    const small = await createTestApp({
      gitLocalRoots: [repositories.root],
      git: { maxRepositoryBytes: 20_000 },
    })
    const repository = repositories.create('large')
    const noise = crypto.getRandomValues(new Uint8Array(60_000))
    repository.commit({ ...oneActionApp('large'), 'noise.bin': noise })
    const made = await small.call('POST', `/api/w/${WS}/git-sources`, {
      token: await small.token(['*']),
      json: { name: 'x', url: repository.path },
    })
    const answer = await small.call('POST', `/api/w/${WS}/git-sources/${bodyOf(made).id}/sync`, {
      token: await small.token(['*']),
    })
    expect([answer.status, bodyOf(answer).code]).toEqual([422, 'repository_too_large'])
    await small.close()
    // compresses to almost nothing, and is refused before it is unpacked
    repository.commit({ 'noise.bin': new Uint8Array(30_000_000) })
    const unpacked = await sync(await sourceOf(repository))
    expect(unpacked.status).toBe(422)
    expect(bodyOf(unpacked).details?.[0]?.message).toBe('An app has at most 20 MiB.')
  })
})

describe('a remote over http', () => {
  const AUTHORIZATION = `Basic ${Buffer.from('x-access-token:s3cret').toString('base64')}`

  it('gets the token, which is never shown again', async () => {
    const repository = repositories.create('private')
    repository.commit(oneActionApp('private'))
    const server = await startGitHttpServer(repositories.root, { authorization: AUTHORIZATION })
    try {
      const url = `${server.url}/private/.git`
      const open = await addSource({ url })
      const denied = await sync(open)
      expect([denied.status, bodyOf(denied).code]).toEqual([502, 'git_unreachable'])
      expect(bodyOf(denied).error).toContain('credentials')
      const auth = { type: 'token', token: 's3cret' }
      const id = await addSource({ url, auth })
      expect((await sync(id)).status).toBe(200)
      const wrong = await addSource({ url, auth: { type: 'token', token: 'wr0ng' } })
      const refused = await sync(wrong)
      expect(refused.status).toBe(502)
      const probed = await call('POST', '/git-sources/probe', { url, auth })
      expect(probed.json).toMatchObject({ reachable: true, branches: ['main'] })
      const seen = [
        refused.text,
        probed.text,
        (await call('GET', '/git-sources')).text,
        (await call('GET', `/git-sources/${id}`)).text,
        JSON.stringify(app.errors),
      ].join('\n')
      for (const secret of ['s3cret', 'wr0ng', AUTHORIZATION.slice(6)]) {
        expect(seen).not.toContain(secret)
      }
      expect((await call('GET', `/git-sources/${id}`)).json).toMatchObject({ has_auth: true })
    } finally {
      await server.close()
    }
  })

  it('keeps its token through a change of name, and loses it to a new address', async () => {
    const url = 'https://example.com/x.git'
    const id = await addSource({ url, auth: { type: 'token', token: 's3cret' } })
    const named = await call('PATCH', `/git-sources/${id}`, { name: 'named', url })
    expect(named.json).toMatchObject({ has_auth: true })
    const moved = await call('PATCH', `/git-sources/${id}`, { url: 'https://evil.example/x.git' })
    expect(moved.json).toMatchObject({ has_auth: false })
  })

  it('may redirect on its own host, never to another', async () => {
    const repository = repositories.create('redirected')
    repository.commit(oneActionApp('redirected'))
    const thief = await startGitHttpServer(repositories.root)
    const server = await startGitHttpServer(repositories.root, {
      authorization: AUTHORIZATION,
      intercept: (request, response) => {
        const [, first = '', rest = ''] = /^\/(\w+)(\/.*)$/.exec(request.url ?? '') ?? []
        const target = {
          old: `/redirected${rest}`,
          away: `${thief.url}/redirected${rest}`,
          inside: `http://169.254.169.254${rest}`,
          loop: request.url,
        }[first]
        if (target !== undefined) response.writeHead(301, { location: target }).end()
        return target !== undefined
      },
    })
    try {
      const auth = { type: 'token', token: 's3cret' }
      const old = await addSource({ url: `${server.url}/old/.git`, auth })
      expect((await sync(old)).status).toBe(200)
      for (const path of ['away', 'inside', 'loop']) {
        const answer = await sync(await addSource({ url: `${server.url}/${path}/.git`, auth }))
        expect([path, answer.status, bodyOf(answer).code]).toEqual([path, 400, 'url_not_allowed'])
      }
      expect(thief.requests).toEqual([])
    } finally {
      await server.close()
      await thief.close()
    }
  })

  it('that does not answer, or answers nonsense, is 502 git_unreachable', async () => {
    const hanging = createServer(() => undefined)
    await new Promise<void>((listening) => hanging.listen(0, '127.0.0.1', listening))
    const port = portOf(hanging)
    const hasty = await createTestApp({ git: { timeoutMs: 500 } })
    const json = { name: 'x', url: `http://127.0.0.1:${port}/x.git` }
    const hastyToken = await hasty.token(['*'])
    const made = await hasty.call('POST', `/api/w/${WS}/git-sources`, { token: hastyToken, json })
    const late = await hasty.call('POST', `/api/w/${WS}/git-sources/${bodyOf(made).id}/sync`, {
      token: hastyToken,
    })
    expect([late.status, bodyOf(late).code, bodyOf(late).error]).toEqual([
      502,
      'git_unreachable',
      'The git source could not be fetched: it did not answer in time.',
    ])
    await hasty.close()
    hanging.close()
    const server = await startGitHttpServer(repositories.root, {
      intercept: (_, response) => {
        response.end('<html>\n<p>Secret intranet page\n</html>\n')
        return true
      },
    })
    const answer = await sync(await addSource({ url: `${server.url}/x.git` }))
    expect([answer.status, bodyOf(answer).code]).toEqual([502, 'git_unreachable'])
    expect(answer.text).not.toContain('intranet')
    await server.close()
  })

  it('on an instance that strangers share is a public one', async () => {
    const shared = await createTestApp({
      git: { network: 'public', resolve: async () => ['93.184.215.14', '10.0.0.1'] },
    })
    const sharedToken = await shared.token(['*'])
    for (const url of [
      'http://127.0.0.1/x',
      'http://[::ffff:10.0.0.1]/x',
      'git://two-faced.example/x',
    ]) {
      const answer = await shared.call('POST', `/api/w/${WS}/git-sources/probe`, {
        token: sharedToken,
        json: { url },
      })
      expect([url, answer.status]).toEqual([url, 400])
    }
    await shared.close()
  })
})
