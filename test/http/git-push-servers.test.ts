/**
 * Pushes and clones over several servers on one database. Each server has its
 * own copies, which hold nothing that the database lacks.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, cpSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { listPackFiles } from '#git/repository-packs.ts'
import { deleteApp } from '#service/apps/manage-app.ts'
import { bootstrap } from '#service/bootstrap.ts'
import { sweepUnusedPacks } from '#service/sweep.ts'
import { statementsOf } from '#store/batch.ts'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { number } from '#store/row.ts'
import { raw, sql } from '#store/sql.ts'
import { oneActionApp } from '../support/app-files.ts'
import { ADMIN, WS } from '../support/create-test-app.ts'
import { PASSWORD } from '../support/database-template.ts'
import { type GitRepository, openRepositoryFolder } from '../support/git-repository.ts'
import { startMigratedSqld } from '../support/migrated-sqld.ts'
import { type Ended, openPushServer, type PushServer, runGit } from '../support/push-server.ts'
import { isLong, runs } from '../support/runs.ts'
import type { Sqld } from '../support/sqld.ts'
import { createTestDeps } from '../support/test-deps.ts'

const MIB = 1_048_576

const repositories = openRepositoryFolder()
let sqld: Sqld
let one: PushServer
let two: PushServer

/** Called before the first server writes a push. It may do the write itself. */
let beforeWrite: (write: () => Promise<unknown>) => Promise<unknown> = async () => undefined

const openServer = async (isWatched = false): Promise<PushServer> => {
  const db = await openDatabase({ url: sqld.httpUrl })
  const write: Database['write'] = async (batch, options) => {
    const isOfPush = statementsOf(batch).some(({ sql }) => sql.includes('INTO git_repositories'))
    if (isWatched && isOfPush) await beforeWrite(() => db.write(batch, options))
    return db.write(batch, options)
  }
  return openPushServer(256 * MIB, { checksBatches: false, wrapDatabase: () => ({ ...db, write }) })
}

beforeAll(async () => {
  sqld = await startMigratedSqld()
  const db = await openDatabase({ url: sqld.httpUrl })
  await bootstrap(createTestDeps(db), { email: ADMIN, password: PASSWORD })
  await db.close()
  ;[one, two] = [await openServer(true), await openServer()]
})
afterAll(async () => {
  await one.close()
  await two.close()
  await sqld.close()
  repositories.remove()
})

const push = (
  server: PushServer,
  { path }: GitRepository,
  key: string,
  ...refs: readonly string[]
): Promise<Ended> =>
  runGit(path, 'push', server.remote(key), ...(refs.length === 0 ? ['main'] : refs))

const count = async (table: string): Promise<number | null> =>
  number.one(one.app.deps.db, sql`SELECT count(*) FROM ${raw(table)}`)

const sweep = (): Promise<void> =>
  sweepUnusedPacks(one.app.deps, { signal: new AbortController().signal })

let clones = 0
const clone = async (server: PushServer, key: string): Promise<string> => {
  clones += 1
  const path = join(repositories.root, `clone-${clones}`)
  expect(await runGit(repositories.root, 'clone', '--quiet', server.remote(key), path)).toEqual({
    code: 0,
    text: '',
  })
  return path
}

const headOf = async (path: string): Promise<string> =>
  (await runGit(path, 'rev-parse', 'HEAD')).text.trim()

describe('a push to any server', () => {
  it('is what every other server clones, and what the next push goes on from', async () => {
    const repository = repositories.create('shop')
    const first = repository.commit(oneActionApp('shop'))
    expect(await push(one, repository, 'shop')).toMatchObject({ code: 0 })
    expect(await headOf(await clone(two, 'shop'))).toBe(first)
    const second = repository.commit(oneActionApp('shop', 'new'))
    repository.git('tag', 'v1')
    expect(await push(two, repository, 'shop', 'main', 'v1')).toMatchObject({ code: 0 })
    expect(await one.commitOf('shop')).toBe(second)
    expect(await one.refs('shop')).toBe(await two.refs('shop'))
    const copy = await clone(one, 'shop')
    expect(await headOf(copy)).toBe(second)
    expect(await runGit(copy, 'fsck', '--full', '--strict')).toMatchObject({ code: 0 })
    expect(await push(one, repository, 'shop', ':v1')).toMatchObject({ code: 0 })
    expect(await two.refs('shop')).not.toContain('refs/tags/v1')
  })

  it('needs no copy: the folder of a server may be lost', async () => {
    const repository = repositories.create('lost')
    repository.commit(oneActionApp('lost'))
    expect(await push(one, repository, 'lost')).toMatchObject({ code: 0 })
    rmSync(join(one.root, 'repositories'), { recursive: true })
    const next = repository.commit(oneActionApp('lost', 'next'))
    expect(await push(one, repository, 'lost')).toMatchObject({ code: 0 })
    rmSync(join(one.root, 'repositories'), { recursive: true })
    expect(await headOf(await clone(one, 'lost'))).toBe(next)
  })

  it('repairs a copy that a killed server has left locked or damaged', async () => {
    const repository = repositories.create('left')
    repository.commit(oneActionApp('left'))
    expect(await push(one, repository, 'left')).toMatchObject({ code: 0 })
    const name = join('repositories', WS, 'left.git')
    const damages: readonly ((copy: string) => void)[] = [
      (copy) => writeFileSync(join(copy, 'refs', 'heads', 'main.lock'), ''),
      (copy) => writeFileSync(join(copy, 'HEAD'), ''),
      (copy) => {
        for (const { path } of listPackFiles(join(copy, 'objects'))) {
          chmodSync(path, 0o600)
          truncateSync(path)
        }
      },
    ]
    for (const [at, damage] of damages.entries()) {
      expect(await runGit(one.root, 'ls-remote', one.remote('left'))).toMatchObject({ code: 0 })
      const next = await openServer()
      cpSync(join(one.root, name), join(next.root, name), { recursive: true })
      damage(join(next.root, name))
      await clone(next, 'left')
      repository.commit(oneActionApp('left', String(at)))
      expect(await push(next, repository, 'left')).toMatchObject({ code: 0 })
      await next.close()
    }
  })

  it('wins or is refused when another server takes one of the same branch', async () => {
    const repository = repositories.create('race')
    let base = repository.commit(oneActionApp('race'))
    expect(await push(one, repository, 'race')).toMatchObject({ code: 0 })
    const rival = await clone(two, 'race')
    for (let round = 0; round < runs({ short: 1, long: 40 }); round += 1) {
      const mine = repository.commit(oneActionApp('race', `one-${round}`))
      await runGit(rival, 'reset', '--quiet', '--hard', base)
      await runGit(rival, 'commit', '--allow-empty', '-qm', `two-${round}`)
      const theirs = await headOf(rival)
      const ended = await Promise.all([
        push(one, repository, 'race', '+main'),
        runGit(rival, 'push', two.remote('race'), '+main'),
      ])
      // both are forced, so a push that begins after the other one has ended replaces it
      const won = [mine, theirs].filter((_, at) => ended[at]?.code === 0)
      expect(won).not.toEqual([])
      for (const { text } of ended.filter(({ code }) => code !== 0)) {
        expect(text).toMatch(
          /has changed since you fetched it|failed to|git does not accept these refs/,
        )
      }
      base = (await one.commitOf('race')) ?? ''
      expect(won).toContain(base)
      for (const server of [one, two]) {
        expect(await server.refs('race')).toContain(`${base}\trefs/heads/main`)
      }
      await runGit(repository.path, 'fetch', '--quiet', one.remote('race'), 'main')
      await runGit(rival, 'fetch', '--quiet', two.remote('race'), 'main')
      repository.git('reset', '--quiet', '--hard', base)
    }
  })

  /** Does something on another server between the check of a push on the first server and its write. */
  const between = (act: () => Promise<unknown>): void => {
    beforeWrite = async () => {
      beforeWrite = async () => undefined
      await act()
    }
  }

  it('is refused when another one comes between its check and its write, and deploys nothing', async () => {
    const repository = repositories.create('late')
    repository.commit(oneActionApp('late'))
    expect(await push(one, repository, 'late')).toMatchObject({ code: 0 })
    const rival = await clone(two, 'late')
    await runGit(rival, 'commit', '--allow-empty', '-qm', 'x')
    repository.commit(oneActionApp('late', 'lost'))
    between(async () => {
      const won = await runGit(rival, 'push', two.remote('late'), 'main')
      expect(won).toMatchObject({ code: 0 })
    })
    const lost = await push(one, repository, 'late')
    expect(lost.text).toContain('refs/heads/main has changed since you fetched it.')
    expect(lost.code).not.toBe(0)
    const commit = await headOf(rival)
    expect(await one.commitOf('late')).toBe(commit)
    expect(await one.refs('late')).toContain(`${commit}\trefs/heads/main`)
  })

  it('follows a push of another branch that comes in between', async () => {
    const repository = repositories.create('after')
    repository.commit(oneActionApp('after'))
    expect(await push(one, repository, 'after')).toMatchObject({ code: 0 })
    repository.git('branch', 'left')
    repository.git('branch', 'right')
    between(async () => {
      expect(await push(two, repository, 'after', 'right')).toMatchObject({ code: 0 })
    })
    expect(await push(one, repository, 'after', 'left')).toMatchObject({ code: 0 })
    expect(await two.refs('after')).toMatch(/refs\/heads\/left\n.*main\n.*refs\/heads\/right/)
  })

  it('is refused when its app is deleted in between', async () => {
    const repository = repositories.create('erased')
    repository.commit(oneActionApp('erased'))
    expect(await push(one, repository, 'erased')).toMatchObject({ code: 0 })
    repository.commit(oneActionApp('erased', 'new'))
    between(() => deleteApp(two.app.deps, { ws: WS, key: 'erased', actor: CLI_ACTOR }))
    const refused = await push(one, repository, 'erased')
    expect(refused.text).toContain('The app was deleted or made again during the push.')
    expect(await one.commitOf('erased')).toBeUndefined()
  })

  it('is accepted once when its write was made and the answer was lost', async () => {
    const repository = repositories.create('twice')
    repository.commit(oneActionApp('twice'))
    expect(await push(one, repository, 'twice')).toMatchObject({ code: 0 })
    const commit = repository.commit(oneActionApp('twice', 'new'))
    beforeWrite = async (write) => {
      beforeWrite = async () => undefined
      await write()
    }
    expect(await push(one, repository, 'twice')).toMatchObject({ code: 0 })
    expect(await two.commitOf('twice')).toBe(commit)
    expect(await headOf(await clone(two, 'twice'))).toBe(commit)
  })

  it('takes pushes of different branches at once', async () => {
    const repository = repositories.create('both')
    repository.commit(oneActionApp('both'))
    expect(await push(one, repository, 'both')).toMatchObject({ code: 0 })
    repository.git('branch', 'left')
    repository.git('branch', 'right')
    const ended = await Promise.all([
      push(one, repository, 'both', 'left'),
      push(two, repository, 'both', 'right'),
    ])
    expect(ended).toMatchObject([{ code: 0 }, { code: 0 }])
    for (const server of [one, two]) {
      expect(await server.refs('both')).toMatch(/refs\/heads\/left\n.*main\n.*refs\/heads\/right/)
    }
    expect(await one.commitOf('both--left')).toBe(await one.commitOf('both'))
    expect(await one.commitOf('both--right')).toBe(await one.commitOf('both'))
  })

  it('refuses a branch below the name of another, though another server took that one', async () => {
    const repository = repositories.create('below')
    repository.commit(oneActionApp('below'))
    expect(await push(one, repository, 'below')).toMatchObject({ code: 0 })
    repository.git('branch', 'a')
    expect(await push(one, repository, 'below', 'a')).toMatchObject({ code: 0 })
    const refused = await push(two, repository, 'below', 'main:refs/heads/a/b')
    expect(refused.text).toContain('refs/heads/a/b cannot be next to refs/heads/a.')
    expect(await two.refs('below')).not.toContain('a/b')
  })

  it('deploys all branches of a push or none', async () => {
    const repository = repositories.create('atomic')
    const commit = repository.commit(oneActionApp('atomic'))
    expect(await push(one, repository, 'atomic')).toMatchObject({ code: 0 })
    repository.git('checkout', '--quiet', '-b', 'idea')
    repository.commit(oneActionApp('atomic', 'idea'))
    repository.git('checkout', '--quiet', 'main')
    repository.commit({ 'app.yaml': 'key: atomic\nactions: nonsense\n' })
    expect((await push(two, repository, 'atomic', 'idea', 'main')).code).not.toBe(0)
    expect(await one.commitOf('atomic')).toBe(commit)
    expect(await one.commitOf('atomic--idea')).toBeUndefined()
    expect(await one.refs('atomic')).not.toContain('idea')
  })
})

describe('the packs of a repository', () => {
  it(`are stored in chunks, ${isLong ? '100' : '6'} MB of them, and cloned from another server`, async () => {
    const repository = repositories.create('large')
    const files = oneActionApp('large')
    let commit = ''
    for (let at = 0; at < runs({ short: 6, long: 100 }); at += 1) {
      commit = repository.commit({ ...files, 'data.bin': randomBytes(MIB) })
    }
    commit = repository.commit({ 'data.bin': null })
    const pushed = await push(one, repository, 'large')
    expect(pushed).toMatchObject({ code: 0 })
    if (isLong) expect(pushed.text).toContain('remote: Storing 105 MB ...')
    const copy = await clone(two, 'large')
    expect(await headOf(copy)).toBe(commit)
    expect(await runGit(copy, 'fsck', '--full')).toMatchObject({ code: 0 })
  })

  it('go with the app, which begins again under its key', async () => {
    const repository = repositories.create('gone')
    repository.commit({ ...oneActionApp('gone'), 'data.bin': randomBytes(3 * MIB) })
    expect(await push(one, repository, 'gone')).toMatchObject({ code: 0 })
    expect(await headOf(await clone(two, 'gone'))).not.toBe('')
    await sweep()
    const before = await count('git_pack_chunks')
    await deleteApp(one.app.deps, { ws: WS, key: 'gone', actor: CLI_ACTOR })
    expect((await runGit(repositories.root, 'ls-remote', two.remote('gone'))).code).not.toBe(0)
    await sweep()
    expect(await count('git_pack_chunks')).toBe((before ?? 0) - 4)
    const again = repositories.create('gone-again')
    const commit = again.commit(oneActionApp('gone', 'again'))
    expect(await push(two, again, 'gone')).toMatchObject({ code: 0 })
    expect(await headOf(await clone(one, 'gone'))).toBe(commit)
    expect(await one.refs('gone')).toBe(`${commit}\tHEAD\n${commit}\trefs/heads/main\n`)
  })

  it('are not in the copy of a server that took the first push and nothing since', async () => {
    const repository = repositories.create('brief')
    const commit = repository.commit(oneActionApp('brief'))
    expect(await push(one, repository, 'brief')).toMatchObject({ code: 0 })
    await deleteApp(two.app.deps, { ws: WS, key: 'brief', actor: CLI_ACTOR })
    expect(await push(one, repository, 'brief')).toMatchObject({ code: 0 })
    expect(await headOf(await clone(two, 'brief'))).toBe(commit)
  })

  it('of a refused push are swept after a day', async () => {
    const repository = repositories.create('refused')
    repository.commit(oneActionApp('refused'))
    expect(await push(one, repository, 'refused')).toMatchObject({ code: 0 })
    await sweep()
    const packs = await count('git_packs')
    const { db } = one.app.deps
    await db.write([
      sql`INSERT INTO git_packs (ws, repository_id, name, bytes, begun_at) VALUES (${WS}, 'x', 'y', 1, 1)`,
      sql`INSERT INTO git_pack_chunks (ws, repository_id, name, seq, content) VALUES (${WS}, 'x', 'y', 0, ${new Uint8Array(1)})`,
    ])
    await sweep()
    expect(await count('git_packs')).toBe(packs)
    expect(await two.refs('refused')).toContain('refs/heads/main')
  })
})
