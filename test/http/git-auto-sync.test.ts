/** `auto_sync_s`: sources that sync automatically. The test moves the times in the database instead of waiting. */
import process from 'node:process'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { AppError } from '#core/error.ts'
import { createGit, type Git } from '#git/git.ts'
import { resolveHost } from '#outbound/resolve-host.ts'
import { createGitSyncDuty } from '#scheduler/duties/sync-git.ts'
import { beginDueGitSyncs } from '#service/git-sources/sync-due-git-sources.ts'
import { sql } from '#store/sql.ts'
import { oneActionApp } from '../support/app-files.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { openRepositoryFolder } from '../support/git-repository.ts'
import { createTenant } from '../support/tenant.ts'

const repositories = openRepositoryFolder()
const repository = repositories.create('auto')
const never = new AbortController().signal
let app: TestApp
let token: string
beforeAll(async () => {
  app = await createTestApp({ gitLocalRoots: [repositories.root] })
  token = await app.token(['*'])
})
afterAll(async () => {
  await app.close()
  repositories.remove()
})

const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  error: () => undefined,
  warn: () => undefined,
}

const gitDeps = () => ({
  ...app.deps,
  git: createGit({
    localRoots: [repositories.root],
    environment: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    resolve: resolveHost,
  }),
})

const syncDue = async (signal = never) => {
  const begun = await beginDueGitSyncs(gitDeps(), [], signal)
  return (await Promise.all(begun.map(({ ended }) => ended))).filter((one) => one !== null)
}

const call = async (
  method: string,
  path: string,
  json?: unknown,
): Promise<Record<string, unknown>> => {
  const sent = json === undefined ? {} : { json }
  const answer = await app.call(method, `/api/w/${WS}${path}`, { token, ...sent })
  return answer.json as Record<string, unknown>
}

/** Moves the times of all sources a minute back. */
const letTimePass = async (): Promise<void> => {
  await app.deps.db.write([
    {
      sql: 'UPDATE git_sources SET last_sync_at = COALESCE(last_sync_at, created_at) - 60000, created_at = created_at - 60000',
      args: [],
    },
  ])
}

it('a source is synced when its time has come, by one of the nodes that look, and its faults are kept', async () => {
  const first = repository.commit(oneActionApp('auto', 'one'))
  const { id } = await call('POST', '/git-sources', {
    name: 'auto',
    url: repository.path,
    auto_sync_s: 30,
  })
  await call('POST', '/git-sources', { name: 'by hand', url: repository.path })
  expect(await syncDue()).toEqual([])

  await letTimePass()
  const nodes = await Promise.all([1, 2, 3].map(() => syncDue()))
  expect(nodes.flat().map(({ source, error }) => [source.id, error])).toEqual([[id, null]])
  expect(await call('GET', '/apps/auto')).toMatchObject({ commit: first, git_source_id: id })
  const { items } = await call('GET', '/deployments?app=auto')
  expect(items).toMatchObject([
    { created_by: `git_source:${id}`, created_by_name: 'auto', source: 'git' },
  ])
  expect(await syncDue()).toEqual([])

  repository.commit({ 'app.yaml': 'key: Auto\n' })
  await letTimePass()
  const [failed] = await syncDue()
  expect(failed?.error).toMatchObject({ kind: 'unprocessable' })
  expect(await call('GET', `/git-sources/${id}`)).toMatchObject({
    last_commit: first,
    last_error: 'The git source was not deployed because of a fault.',
  })
  expect(await call('GET', '/apps/auto')).toMatchObject({ commit: first })

  const second = repository.commit(oneActionApp('auto', 'two'))
  await letTimePass()
  const said: string[] = []
  const log = {
    debug: () => undefined,
    info: () => undefined,
    error: () => undefined,
    warn: (text: string) => void said.push(text),
  }
  const leadership = { claim: async () => true, release: async () => undefined }
  const duty = createGitSyncDuty({ ...gitDeps(), log, leadership })
  await duty.runOnce(never)
  await duty.settled?.()
  expect(await call('GET', '/apps/auto')).toMatchObject({ commit: second })
  expect(said).toEqual([])
})

it('an app that was taken back by hand stays where it is until there is a new commit, or a sync by hand', async () => {
  const { git_source_id: id } = await call('GET', '/apps/auto')
  const history = async () =>
    z
      .array(z.looseObject({ deployment_id: z.string(), commit: z.string() }))
      .parse((await call('GET', '/apps/auto/history')).items)
  const [current, former] = await history()
  await call('POST', `/deployments/${former?.deployment_id}/redeploy`)
  expect(await call('GET', '/apps/auto')).toMatchObject({ commit: former?.commit })

  await letTimePass()
  const [kept] = await syncDue()
  expect(kept?.error).toBeNull()
  expect(await call('GET', '/apps/auto')).toMatchObject({ commit: former?.commit })

  await call('POST', `/git-sources/${String(id)}/sync`)
  expect(await call('GET', '/apps/auto')).toMatchObject({ commit: current?.commit })

  await call('POST', `/deployments/${former?.deployment_id}/redeploy`)
  const third = repository.commit(oneActionApp('auto', 'three'))
  await letTimePass()
  await syncDue()
  expect(await call('GET', '/apps/auto')).toMatchObject({ commit: third })
})

it('a sync that is given up leaves everything as it was', async () => {
  await letTimePass()
  const [given] = await syncDue(AbortSignal.abort())
  expect(given?.error).toMatchObject({ code: 'git_unreachable' })
})

it('remotes of one workspace that do not answer leave room for the sources of others', async () => {
  await app.deps.db.write([sql`UPDATE git_sources SET auto_sync_s = NULL`])
  const other = await createTenant(app, 'neighbor')
  const hangs = Promise.withResolvers<never>()
  const fetched: string[] = []
  const git: Git = {
    ...gitDeps().git,
    fetch: async ({ url }) => {
      fetched.push(url)
      if (url.includes('hangs')) return hangs.promise
      throw new AppError('bad_gateway', 'It does not answer.')
    },
  }
  const leadership = { claim: async () => true, release: async () => undefined }
  const duty = createGitSyncDuty({ ...app.deps, git, log: SILENT, leadership })
  const wants: string[] = []
  duty.onWanted?.(() => void wants.push('turn'))
  const add = (token: string, ws: string, name: string) =>
    app.call('POST', `/api/w/${ws}/git-sources`, {
      token,
      json: { name, url: `https://${name}.example/x`, auto_sync_s: 10 },
    })
  for (const name of ['hangs-1', 'hangs-2', 'hangs-3', 'hangs-4']) await add(token, WS, name)
  await letTimePass()
  await duty.runOnce(never)
  await vi.waitFor(() => expect(fetched).toHaveLength(3))
  await add(other.token, other.ws, 'answers')
  await letTimePass()
  await duty.runOnce(never)
  await vi.waitFor(() => expect(wants).toEqual(['turn']))
  expect(fetched.slice(3)).toEqual(['https://answers.example/x'])
  hangs.reject(new AppError('bad_gateway', 'It does not answer.'))
  await duty.settled?.()
  expect(wants).toHaveLength(4)
})

it('remotes of several workspaces that do not answer leave a place to a workspace that has none', async () => {
  await app.deps.db.write([sql`UPDATE git_sources SET auto_sync_s = NULL`])
  const hangs = Promise.withResolvers<never>()
  const fetched: string[] = []
  const git: Git = {
    ...gitDeps().git,
    fetch: ({ url }) => {
      fetched.push(new URL(url).hostname.replace('.example', ''))
      return hangs.promise
    },
  }
  const leadership = { claim: async () => true, release: async () => undefined }
  const duty = createGitSyncDuty({ ...app.deps, git, log: SILENT, leadership })
  const tenants = await Promise.all(['slow-a', 'slow-b', 'late'].map((ws) => createTenant(app, ws)))
  const add = async (ws: string, name: string): Promise<void> => {
    const token = tenants.find((tenant) => tenant.ws === ws)?.token ?? ''
    const json = { name, url: `https://${name}.example/x`, auto_sync_s: 10 }
    expect((await app.call('POST', `/api/w/${ws}/git-sources`, { token, json })).status).toBe(201)
  }
  for (const ws of ['slow-a', 'slow-b']) {
    for (let at = 0; at < 5; at += 1) await add(ws, `${ws}-${at}`)
  }
  await letTimePass()
  await duty.runOnce(never)
  await vi.waitFor(() => expect(fetched).toHaveLength(3))
  expect(new Set(fetched.map((name) => name.slice(0, 6)))).toEqual(new Set(['slow-a', 'slow-b']))
  await add('late', 'late-0')
  await letTimePass()
  await duty.runOnce(never)
  await vi.waitFor(() => expect(fetched).toHaveLength(4))
  expect(fetched.at(-1)).toBe('late-0')
  hangs.reject(new AppError('bad_gateway', 'It does not answer.'))
  await duty.settled?.()
})

it('a source whose sync takes longer than its interval is not synced twice at once', async () => {
  await app.deps.db.write([sql`UPDATE git_sources SET auto_sync_s = NULL`])
  const hangs = Promise.withResolvers<never>()
  const fetched: string[] = []
  const git: Git = {
    ...gitDeps().git,
    fetch: async ({ url }) => {
      fetched.push(url)
      return hangs.promise
    },
  }
  const leadership = { claim: async () => true, release: async () => undefined }
  const duty = createGitSyncDuty({ ...app.deps, git, log: SILENT, leadership })
  const add = (name: string) =>
    call('POST', '/git-sources', { name, url: `https://${name}.example/x`, auto_sync_s: 10 })
  await add('slow')
  await letTimePass()
  await duty.runOnce(never)
  await vi.waitFor(() => expect(fetched).toHaveLength(1))
  await letTimePass()
  await add('next')
  await letTimePass()
  await duty.runOnce(never)
  await vi.waitFor(() => expect(fetched).toHaveLength(2))
  hangs.reject(new AppError('bad_gateway', 'It does not answer.'))
  await duty.settled?.()
  expect(fetched).toEqual(['https://slow.example/x', 'https://next.example/x'])
})
