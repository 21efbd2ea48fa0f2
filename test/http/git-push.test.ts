/** Pushes and clones with the real git client over HTTP. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#store/sql.ts'
import { type AppTexts, oneActionApp } from '../support/app-files.ts'
import { type TestApp, WS } from '../support/create-test-app.ts'
import { type GitRepository, openRepositoryFolder } from '../support/git-repository.ts'
import { expireMeasurements } from '../support/later-measurement.ts'
import {
  type Ended,
  openPushServer,
  type PushServer,
  runGit as run,
} from '../support/push-server.ts'
import { createTenant } from '../support/tenant.ts'

const MAX_BYTES = 1_048_576

const repositories = openRepositoryFolder()
let server: PushServer
let app: TestApp
let base = ''
let token = ''
let root = ''
beforeAll(async () => {
  server = await openPushServer(MAX_BYTES)
  ;({ app, base, token, root } = server)
})
afterAll(async () => {
  await server.close()
  repositories.remove()
})

const remote = (key: string): string => server.remote(key)

const push = ({ path }: GitRepository, key: string, ...refs: readonly string[]): Promise<Ended> =>
  run(path, 'push', remote(key), ...(refs.length === 0 ? ['main'] : refs))

const commitOf = (key: string): Promise<string | null | undefined> => server.commitOf(key)

const refsOf = (key: string): Promise<string> => server.refs(key)

/** An app that was pushed once. */
const pushed = async (key: string) => {
  const repository = repositories.create(key)
  const commit = repository.commit(oneActionApp(key))
  expect(await push(repository, key)).toMatchObject({ code: 0 })
  return { repository, commit }
}

describe('a push of main', () => {
  it('makes the app and shows progress, then updates it, also by force', async () => {
    const repository = repositories.create('first')
    const first = repository.commit(oneActionApp('first'))
    const made = await push(repository, 'first')
    expect(made.text).toMatch(/remote: Deploying [0-9a-f]{12} to .*\/first/)
    expect(made.text).toContain('remote: Deployed first: 1 action,')
    expect(made.code).toBe(0)
    expect(await commitOf('first')).toBe(first)
    const second = repository.commit(oneActionApp('first', 'new'))
    expect(await push(repository, 'first')).toMatchObject({ code: 0 })
    expect(await commitOf('first')).toBe(second)
    repository.git('reset', '--quiet', '--hard', first)
    expect(await push(repository, 'first', '+main')).toMatchObject({ code: 0 })
    expect(await commitOf('first')).toBe(first)
    expect(await refsOf('first')).toContain(`${first}\trefs/heads/main`)
  })

  it('that fails leaves ref and deployment, and names file and line', async () => {
    const { repository, commit } = await pushed('broken')
    repository.commit({
      'app.yaml': 'key: broken\nactions:\n  - key: run\n    entrypont: run.ts\n',
    })
    const refused = await push(repository, 'broken')
    expect(refused.code).not.toBe(0)
    expect(refused.text).toMatch(/remote: {3}app\.yaml:\d+/)
    expect(refused.text).toContain('pre-receive hook declined')
    expect(await commitOf('broken')).toBe(commit)
    expect(await refsOf('broken')).toContain(`${commit}\trefs/heads/main`)
  })

  it('refuses a manifest of another key, and no manifest', async () => {
    const repository = repositories.create('other')
    repository.commit(oneActionApp('other'))
    const wrong = await push(repository, 'mine')
    expect(wrong.text).toContain('The manifest has the key "other", not "mine".')
    expect(wrong.code).not.toBe(0)
    expect(await commitOf('mine')).toBeUndefined()
    expect(await commitOf('other')).toBeUndefined()
    repository.commit({ 'app.yaml': null })
    expect((await push(repository, 'other')).text).toContain('There is no app.yaml')
  })

  it('refuses the deletion of main', async () => {
    const { repository, commit } = await pushed('kept')
    const refused = await push(repository, 'kept', ':main')
    expect(refused.code).not.toBe(0)
    expect(await refsOf('kept')).toContain(`${commit}\trefs/heads/main`)
  })

  it('leaves nothing of what it sent when its client goes away', async () => {
    const { commit } = await pushed('cut')
    const pushes = join(root, 'repositories', WS, 'cut.git', 'pushes')
    const unfinished = () => readdirSync(pushes)
    const command = `${commit} ${'1'.repeat(40)} refs/heads/main\0 report-status\n`
    const length = (command.length + 4).toString(16).padStart(4, '0')
    // the head of a pack of a thousand objects, which do not come
    const sent = Buffer.from(`${length}${command}0000PACK\0\0\0\x02\0\0\x03\xe8`, 'latin1')
    const client = request(`${base}/git/${WS}/cut/git-receive-pack`, {
      method: 'POST',
      auth: `any:${token}`,
      headers: { 'content-type': 'application/x-git-receive-pack-request' },
    })
    client.on('error', () => undefined)
    client.write(sent)
    await expect.poll(unfinished).toHaveLength(1)
    client.destroy()
    await expect.poll(unfinished).toEqual([])
  })

  it('takes one of two at once', async () => {
    const { repository } = await pushed('race')
    const clone = join(root, 'race-clone')
    await run(root, 'clone', '--quiet', remote('race'), clone)
    const one = repository.commit(oneActionApp('race', 'one'))
    await run(clone, 'commit', '--allow-empty', '-qm', 'x')
    const two = (await run(clone, 'rev-parse', 'HEAD')).text.trim()
    const both = await Promise.all([
      push(repository, 'race'),
      run(clone, 'push', remote('race'), 'main'),
    ])
    expect(both.filter(({ code }) => code === 0)).toHaveLength(1)
    const won = both[0]?.code === 0 ? one : two
    expect(await commitOf('race')).toBe(won)
    expect(await refsOf('race')).toContain(`${won}\trefs/heads/main`)
  })

  it('refuses a pack that is too large', async () => {
    const { repository, commit } = await pushed('large')
    repository.commit({ 'data.bin': crypto.getRandomValues(new Uint8Array(65_536)) })
    for (let at = 0; at < 20; at += 1) {
      repository.commit({ 'data.bin': crypto.getRandomValues(new Uint8Array(65_536)) })
    }
    expect((await push(repository, 'large')).code).not.toBe(0)
    expect(await commitOf('large')).toBe(commit)
  })

  it('refuses a commit whose few objects are ten billion files', async () => {
    const repository = repositories.create('bomb')
    const file = { mode: '100644 blob', oid: repository.git('hash-object', '-w', '.git/HEAD') }
    let entry = file
    for (let depth = 0; depth < 10; depth += 1) {
      const lines = Array.from({ length: 10 }, (_, at) => `${entry.mode} ${entry.oid}\t${at}\n`)
      const input = lines.join('')
      const tree = execFileSync('git', ['-C', repository.path, 'mktree'], { input })
      entry = { mode: '040000 tree', oid: tree.toString().trim() }
    }
    repository.git(
      'update-ref',
      'refs/heads/main',
      repository.git('commit-tree', entry.oid, '-m', 'x'),
    )
    const refused = await push(repository, 'bomb')
    expect(refused.code).not.toBe(0)
    expect(refused.text).toContain("The list of the repository's files takes more than 16 MiB.")
  })

  it('refuses a push to a workspace that stores too much, before anything is sent, and still serves clones', async () => {
    const full = await openPushServer(MAX_BYTES, { maxStoredBytes: 1 })
    const repository = repositories.create('full')
    repository.commit(oneActionApp('full'))
    const address = full.remote('full')
    expect(await run(repository.path, 'push', address, 'main')).toMatchObject({ code: 0 })
    expireMeasurements()
    repository.commit(oneActionApp('full', 'more'))
    const refused = await run(repository.path, 'push', address, 'main')
    expect(refused.code).not.toBe(0)
    expect(refused.text).toContain('429')
    expect(await run(repository.path, 'fetch', address)).toMatchObject({ code: 0 })
    await full.close()
  })
})

describe('other refs', () => {
  it('keeps tags without deploying them, and clones all', async () => {
    const { repository, commit } = await pushed('refs')
    repository.git('tag', 'v1')
    expect(await push(repository, 'refs', 'v1')).toMatchObject({ code: 0 })
    repository.git('checkout', '--quiet', '-b', 'idea')
    repository.commit(oneActionApp('refs', 'idea'))
    expect(await push(repository, 'refs', 'idea')).toMatchObject({ code: 0 })
    expect(await commitOf('refs')).toBe(commit)
    const clone = join(root, 'refs-clone')
    expect(await run(root, 'clone', '--quiet', remote('refs'), clone)).toMatchObject({ code: 0 })
    expect((await run(clone, 'rev-parse', 'HEAD', 'v1')).text).toBe(`${commit}\n${commit}\n`)
    expect(await refsOf('refs')).toContain('refs/heads/idea')
    expect(await push(repository, 'refs', ':idea')).toMatchObject({ code: 0 })
    expect((await push(repository, 'refs', 'idea:refs/notes/x')).text).toContain('neither a branch')
  })

  it('refuses names that svc cannot store as they are', async () => {
    const { commit } = await pushed('names')
    const name = (bytes: string): Buffer => Buffer.from(bytes, 'latin1')
    for (const ref of [
      name('refs/heads/a\xff'),
      Buffer.from('refs/heads/a\u00a0b'),
      name('HEAD'),
      Buffer.from('refs/tags/a\u2028b'),
    ]) {
      const head = Buffer.from(`${'0'.repeat(40)} ${commit} `)
      const command = Buffer.concat([head, ref, Buffer.from('\0 report-status side-band-64k\n')])
      const length = (command.length + 4).toString(16).padStart(4, '0')
      // a pack without objects, because the server has the commit
      const pack = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
      const hash = createHash('sha1').update(pack).digest()
      const answer = await fetch(`${base}/git/${WS}/names/git-receive-pack`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
          'content-type': 'application/x-git-receive-pack-request',
        },
        body: Buffer.concat([Buffer.from(length), command, Buffer.from('0000'), pack, hash]),
      })
      expect(await answer.text()).toMatch(/Refused: .* (?:is not UTF-8|neither a branch)/s)
    }
    expect((await refsOf('names')).split('\n')).toHaveLength(3)
  })

  it('needs main first', async () => {
    const repository = repositories.create('late')
    repository.commit(oneActionApp('late'))
    const refused = await push(repository, 'late', 'main:other')
    expect(refused.code).not.toBe(0)
    expect(refused.text).toContain('The first push must include the branch main')
  })
})

describe('a push of another branch', () => {
  const branch = (repository: GitRepository, name: string, files: AppTexts): string => {
    repository.git('checkout', '--quiet', '-B', name, 'main')
    return repository.commit(files)
  }
  const get = async (key: string) =>
    (await app.call('GET', `/api/w/${WS}/apps/${key}`, { token })).json

  it('makes a preview, an app of its own, which goes with the branch', async () => {
    const { repository, commit } = await pushed('shop')
    const idea = branch(repository, 'Idea/1', oneActionApp('shop', 'idea'))
    const made = await push(repository, 'shop', 'Idea/1')
    expect(made.text).toContain('remote: Preview shop--idea-1: 1 action,')
    expect(await get('shop--idea-1')).toMatchObject({
      commit: idea,
      preview_of: 'shop',
      preview_branch: 'Idea/1',
    })
    expect(await get('shop')).toMatchObject({ commit, preview_of: null, preview_branch: null })
    const next = repository.commit(oneActionApp('shop', 'better'))
    expect(await push(repository, 'shop', 'Idea/1')).toMatchObject({ code: 0 })
    expect(await commitOf('shop--idea-1')).toBe(next)
    await app.deps.db.write([
      sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 600)
        INSERT INTO schedules (id, ws, app, action, cron, timezone, input, enabled, next_fire_at, created_by, created_at, updated_at)
        SELECT 's' || n, ${WS}, 'shop--idea-1', 'run', '@hourly', 'UTC', '{}', 1, 9e15, '', 0, 0 FROM n`,
    ])
    const removed = await push(repository, 'shop', ':Idea/1')
    expect(removed.text).toContain('remote: Removed the preview shop--idea-1.')
    expect(await commitOf('shop--idea-1')).toBeUndefined()
    expect(await app.deps.db.all(sql`SELECT id FROM schedules`)).toEqual([])
    expect(await commitOf('shop')).toBe(commit)
  })

  it('fires no schedule, takes no webhook and no event', async () => {
    const { repository } = await pushed('quiet')
    const starts = `schedules: [{ key: often, cron: '@every 1s', action: run }]
webhooks: [{ key: in, action: run, verify: { scheme: none } }]
events: [{ name: quiet.go, action: run }]\n`
    const files = oneActionApp('quiet')
    branch(repository, 'idea', { ...files, 'app.yaml': `${files['app.yaml']}${starts}` })
    expect(await push(repository, 'quiet', 'idea')).toMatchObject({ code: 0 })
    const all = await app.token(['*'])
    const list = await app.call('GET', `/api/w/${WS}/schedules?app=quiet--idea`, { token: all })
    expect(list.json).toMatchObject({ items: [] })
    expect((await app.call('POST', `/hook/${WS}/quiet--idea/in`, { json: {} })).status).toBe(404)
    const sent = await app.call('POST', `/api/w/${WS}/events`, {
      token: all,
      json: { name: 'quiet.go' },
    })
    expect(sent.json).toMatchObject({ delivered: 0 })
  })

  it('refuses a branch whose key is taken, and one without a key', async () => {
    const { repository } = await pushed('twin')
    branch(repository, 'a/b', oneActionApp('twin', 'one'))
    expect(await push(repository, 'twin', 'a/b')).toMatchObject({ code: 0 })
    const kept = await commitOf('twin--a-b')
    branch(repository, 'a-b', oneActionApp('twin', 'two'))
    const refused = await push(repository, 'twin', 'a-b')
    expect(refused.code).not.toBe(0)
    expect(refused.text).toContain('"twin--a-b" is taken by branch a/b.')
    expect(await commitOf('twin--a-b')).toBe(kept)
    branch(repository, '결제', oneActionApp('twin', 'three'))
    expect((await push(repository, 'twin', '결제')).text).toContain('needs a letter or digit')
  })

  it('goes with its app', async () => {
    const { repository } = await pushed('gone')
    branch(repository, 'idea', oneActionApp('gone', 'idea'))
    expect(await push(repository, 'gone', 'idea')).toMatchObject({ code: 0 })
    const all = await app.token(['*'])
    expect((await app.call('DELETE', `/api/w/${WS}/apps/gone`, { token: all })).status).toBe(204)
    expect(await commitOf('gone--idea')).toBeUndefined()
  })
})

describe('a workspace that pushes slowly', () => {
  const refsOfWs = (ws: string, secret: string) =>
    fetch(`${base}/git/${ws}/slow/info/refs?service=git-receive-pack`, { headers: basic(secret) })
  const basic = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}`,
  })

  it('takes some of the places, and leaves the others to other workspaces', async () => {
    const other = await createTenant(app, 'unhurried')
    const pushes = Array.from({ length: 10 }, (_, at) => {
      const type = { 'content-type': 'application/x-git-receive-pack-request' }
      const headers = { ...basic(token), ...type }
      const sent = request(`${base}/git/${WS}/slow${at}/git-receive-pack`, {
        method: 'POST',
        headers,
      })
      sent.on('error', () => undefined)
      sent.write('00')
      return sent
    })
    await expect.poll(async () => (await refsOfWs(WS, token)).status).toBe(503)
    expect((await refsOfWs(other.ws, other.token)).status).toBe(200)
    for (const sent of pushes) sent.destroy()
    await expect.poll(async () => (await refsOfWs(WS, token)).status).toBe(200)
  })
})

describe('who may', () => {
  const status = async (secret: string | null, path: string): Promise<Response> =>
    fetch(`${base}/git/${path}`, {
      headers:
        secret === null
          ? {}
          : { authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}` },
    })
  const READ = 'info/refs?service=git-upload-pack'
  const WRITE = 'info/refs?service=git-receive-pack'

  it('asks for a password, and refuses a bad one', async () => {
    const asked = await status(null, `${WS}/refs/${WRITE}`)
    expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="svc"',
    ])
    expect((await status(`${token.slice(0, -4)}AAAA`, `${WS}/refs/${WRITE}`)).status).toBe(401)
  })

  it('states how much is left of the limit, of the credential or of the address', async () => {
    for (const secret of [token, null]) {
      const { headers } = await status(secret, `${WS}/refs/${WRITE}`)
      expect(headers.get('ratelimit')).toMatch(/^"default";r=9\d\d;t=1$/)
      expect(headers.get('ratelimit-policy')).toBe('"default";q=1000;w=1')
    }
  })

  it('needs the scope of what is done', async () => {
    const reader = await app.token(['apps:read'])
    const writer = await app.token(['deployments:write'])
    expect((await status(reader, `${WS}/refs/${READ}`)).status).toBe(200)
    expect((await status(reader, `${WS}/refs/${WRITE}`)).status).toBe(403)
    expect((await status(writer, `${WS}/refs/${WRITE}`)).status).toBe(200)
    expect((await status(writer, `${WS}/refs/${READ}`)).status).toBe(403)
  })

  it.each([
    `nowhere/refs/${WRITE}`,
    `${WS}/unknown/${READ}`,
    `${WS}/..%2f..%2fx/${WRITE}`,
    `${WS}/Refs/${WRITE}`,
    `${WS}/refs/HEAD`,
    `${WS}/refs/info/refs`,
    `${WS}/refs/objects/info/packs`,
  ])('answers 404 to %s', async (path) => {
    expect((await status(token, path)).status).toBe(404)
  })

  it.each([
    ['HEAD', WRITE, 'GET'],
    ['GET', 'git-upload-pack', 'POST'],
  ])('refuses %s for %s, and names the method that it takes', async (method, path, allow) => {
    const answer = await fetch(`${base}/git/${WS}/refs/${path}`, { method })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
  })

  it('checks the credential of the service itself too', async () => {
    const answer = await fetch(`${base}/git/${WS}/refs/git-receive-pack`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-git-receive-pack-request' },
      body: '0000',
    })
    expect(answer.status).toBe(401)
  })
})
