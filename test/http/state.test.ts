/** `ctx.state` over HTTP: by the token of a running job, or by `*`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ALL_SCOPES } from '#core/scope.ts'
import { claimJobs } from '#service/claim-jobs.ts'
import { completeJob, handBackJobs } from '#service/complete-job.ts'
import { createWorkspace } from '#service/create-workspace.ts'
import { mintJobToken } from '#service/job-token.ts'
import { type Database, sql } from '#store/database.ts'
import type { ClaimedJob } from '#store/job-queue.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const STATE = `/api/w/${WS}/state`

let app: TestApp
let admin = ''
let beforeWrite: () => Promise<void> = async () => undefined
const wrapDatabase = (db: Database): Database => ({
  ...db,
  write: async (...args) => {
    await beforeWrite()
    return db.write(...args)
  },
})
beforeAll(async () => {
  app = await createTestApp({ wrapDatabase })
  admin = await app.token(['*'])
  await createWorkspace(app.deps, { id: 'other', name: 'Other' })
  await deployActions(app.deps, [{ ws: WS, app: 'hello', key: 'greet' }])
  await deployActions(app.deps, [{ ws: WS, app: 'billing', key: 'pay' }])
})
afterAll(() => app.close())

const claimOne = async (path = 'hello/greet'): Promise<ClaimedJob> => {
  const run = await app.call('POST', `/api/w/${WS}/jobs/run/${path}`, { token: admin, json: {} })
  const { job_id } = z.object({ job_id: z.string() }).parse(run.json)
  const wish = { worker: 'w1', tags: ['default'], limit: 100, leaseMs: 60_000 }
  const job = (await claimJobs(app.deps, wish)).find(({ id }) => id === job_id)
  if (job === undefined) throw new Error('The job was not claimed.')
  return job
}
const mint = (job: ClaimedJob, timeoutMs = 300_000, now = app.deps.now) =>
  mintJobToken({ ...app.deps, now }, { held: job, app: job.app, timeoutMs })
const end = (job: ClaimedJob) =>
  completeJob(app.deps, {
    job,
    outcome: { kind: 'success', resultJson: '1' },
    retry: null,
    logs: [],
  })

const get = (token: string, query: string) => app.call('GET', `${STATE}?${query}`, { token })
const set = (token: string, json: unknown, query = '') =>
  app.call('POST', `${STATE}${query}`, { token, json })

describe('/state with an API token', () => {
  it('needs `*` in this workspace', async () => {
    const narrow = await app.token(ALL_SCOPES.filter((scope) => scope !== '*'))
    const elsewhere = await app.token(['*'], { ws: 'other' })
    for (const [token, status] of [
      [narrow, 403],
      [elsewhere, 403],
    ] as const) {
      expect((await get(token, 'key=a&app=hello')).status).toBe(status)
      expect((await set(token, { key: 'a', value: 1 }, '?app=hello')).status).toBe(status)
    }
    expect((await app.call('GET', `${STATE}?key=a&app=hello`)).status).toBe(401)
    expect((await app.call('POST', STATE, { json: { key: 'a', value: 1 } })).status).toBe(401)
  })

  it('keeps JSON by app and key, null where nothing was set', async () => {
    for (const value of [{ a: [1, 'x', null] }, 0, false, '', null]) {
      expect((await set(admin, { key: 'k', value }, '?app=hello')).status).toBe(204)
      const version: unknown = expect.any(String)
      expect((await get(admin, 'key=k&app=hello')).json).toEqual({ key: 'k', value, version })
    }
    await set(admin, { key: 'k', value: 'mine' }, '?app=hello')
    expect((await get(admin, 'key=k&app=billing')).json).toEqual({
      key: 'k',
      value: null,
      version: null,
    })
    expect((await get(admin, 'key=unset&app=hello')).json).toEqual({
      key: 'unset',
      value: null,
      version: null,
    })
  })

  it('sets a value only while it has a version, when that is asked for', async () => {
    const versionOf = async (): Promise<unknown> => {
      const { json } = await get(admin, 'key=v&app=hello')
      return z.object({ version: z.string().nullable() }).parse(json).version
    }
    const setIf = async (value: number, if_version: unknown) => {
      const { status, json } = await set(admin, { key: 'v', value, if_version }, '?app=hello')
      return status === 204 ? 204 : [status, z.object({ code: z.string() }).parse(json).code]
    }
    expect(await setIf(1, 'none')).toEqual([409, 'state_conflict'])
    expect(await setIf(1, null)).toBe(204)
    expect(await setIf(2, null)).toEqual([409, 'state_conflict'])
    const first = await versionOf()
    const both = await Promise.all([setIf(2, first), setIf(3, first)])
    expect(both).toEqual(expect.arrayContaining([204, [409, 'state_conflict']]))
  })

  it('deletes and lists keys, page by page', async () => {
    const keys = Array.from({ length: 1_001 }, (_, at) => `list/${String(at).padStart(4, '0')}`)
    await Promise.all(keys.map((key) => set(admin, { key, value: 1 }, '?app=billing')))
    const listed = (query: string) =>
      app.call('GET', `${STATE}/keys?app=billing&${query}`, { token: admin })
    const page = z.object({
      items: z.array(z.string()),
      pagination: z.object({ next_cursor: z.string().nullable() }),
    })
    const first = page.parse((await listed('prefix=list/')).json)
    expect(first.items).toEqual(keys.slice(0, 1_000))
    const rest = await listed(`prefix=list/&cursor=${first.pagination.next_cursor}`)
    expect(rest.json).toEqual({ items: keys.slice(1_000), pagination: { next_cursor: null } })
    const remove = (query: string) =>
      app.call('DELETE', `${STATE}?app=billing&${query}`, { token: admin })
    expect((await remove('key=list/1000')).status).toBe(204)
    expect((await remove('key=list/1000')).status).toBe(204)
    expect(page.parse((await listed('prefix=list/1')).json).items).toEqual([])
    expect((await listed('cursor=nonsense')).status).toBe(400)
  })

  it('refuses more than 256 KiB', async () => {
    const value = 'x'.repeat(262_143)
    expect(await set(admin, { key: 'large', value }, '?app=hello')).toMatchObject({
      status: 413,
      json: { code: 'state_too_large' },
    })
  })

  it('names an app that there is, and a key', async () => {
    expect(await get(admin, 'key=k')).toMatchObject({ status: 400, json: { code: 'no_app' } })
    expect((await get(admin, 'app=hello')).status).toBe(400)
    expect((await get(admin, 'key=k&app=none')).status).toBe(404)
    expect((await set(admin, { key: 'k', value: 1 }, '?app=none')).status).toBe(404)
    expect((await set(admin, { key: 'x'.repeat(513), value: 1 }, '?app=hello')).status).toBe(400)
    expect((await set(admin, { key: 'k' }, '?app=hello')).status).toBe(400)
  })
})

describe('/state with a job token', () => {
  it('reaches the state of its own app, which the next job sees', async () => {
    const [one, two] = [await mint(await claimOne()), await mint(await claimOne())]
    expect((await set(one, { key: 'cursor', value: { page: 3 } })).status).toBe(204)
    expect((await get(two, 'key=cursor')).json).toMatchObject({
      key: 'cursor',
      value: { page: 3 },
    })
    expect((await get(two, 'key=cursor&app=hello')).status).toBe(200)
  })

  it('reaches no other app', async () => {
    await set(admin, { key: 'k', value: 'theirs' }, '?app=billing')
    const token = await mint(await claimOne())
    expect((await get(token, 'key=k&app=billing')).status).toBe(403)
    expect((await set(token, { key: 'k', value: 1 }, '?app=billing')).status).toBe(403)
    expect((await get(admin, 'key=k&app=billing')).json).toMatchObject({ value: 'theirs' })
  })

  it('opens no other route, and no other workspace', async () => {
    const token = await mint(await claimOne())
    for (const route of app.routes.filter(
      ({ scope, jobTokens }) => scope !== 'public' && !jobTokens,
    )) {
      const path = route.path
        .replace('{ws}', WS)
        .replaceAll(/\{\w+\}/g, '019abcde-0000-7000-8000-000000000000')
      const { status } = await app.call(route.method.toUpperCase(), path, { token })
      expect([route.path, status]).toEqual([route.path, 401])
    }
    expect((await app.call('GET', '/api/w/other/state?key=k', { token })).status).toBe(403)
    expect(app.routes.filter(({ jobTokens }) => jobTokens).map(({ path }) => path)).toEqual([
      '/api/w/{ws}/state',
      '/api/w/{ws}/state',
      '/api/w/{ws}/state',
      '/api/w/{ws}/state/keys',
    ])
  })

  it('ends with the attempt: done, handed back, taken by the next attempt, or its lease over', async () => {
    const done = await claimOne()
    const handedBack = await claimOne()
    const lapsed = await claimOne()
    const tokens = [await mint(done), await mint(handedBack), await mint(lapsed)]
    for (const token of tokens) expect((await get(token, 'key=k')).status).toBe(200)
    await end(done)
    await handBackJobs(app.deps, { jobs: [{ held: handedBack, started: true }] })
    await app.deps.db.write([sql('UPDATE jobs SET lease_until = 1 WHERE id = ?', lapsed.id)])
    for (const token of tokens) {
      expect((await get(token, 'key=k')).status).toBe(401)
      expect((await set(token, { key: 'late', value: 1 })).status).toBe(401)
      const removed = await app.call('DELETE', `${STATE}?key=cursor`, { token })
      expect(removed.status).toBe(401)
    }
    const wish = { worker: 'w2', tags: ['default'], limit: 100, leaseMs: 60_000 }
    const again = (await claimJobs(app.deps, wish)).find(({ id }) => id === handedBack.id)
    expect(again?.attempt).toBe(handedBack.attempt + 1)
    expect((await get(tokens[1] ?? '', 'key=k')).status).toBe(401)
    expect((await get(admin, 'key=late&app=hello')).json).toMatchObject({ value: null })
  })

  it('writes nothing when the attempt ends between the check and the write', async () => {
    const job = await claimOne()
    const token = await mint(job)
    beforeWrite = async () => {
      beforeWrite = async () => undefined
      await end(job)
    }
    expect((await set(token, { key: 'raced', value: 1 })).status).toBe(401)
    expect((await get(admin, 'key=raced&app=hello')).json).toMatchObject({ value: null })
  })

  it("ends with the action's timeout, whatever the job does", async () => {
    const job = await claimOne()
    const old = await mint(job, 1_000, () => app.deps.now() - 61_001)
    expect(await get(old, 'key=k')).toMatchObject({ status: 401, json: { code: 'invalid_token' } })
    expect((await get(await mint(job, 1_000), 'key=k')).status).toBe(200)
  })

  it('is not taken when forged', async () => {
    const token = await mint(await claimOne())
    const [head = '', body = '', tail = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...claims, app: 'billing' })).toString('base64url')
    for (const wrong of [
      `${head}.${forged}.${tail}`,
      `${head}.${body}.`,
      `${head}.${body}`,
      'a.b.c',
    ]) {
      expect(await get(wrong, 'key=k')).toMatchObject({
        status: 401,
        json: { code: 'invalid_token' },
      })
    }
  })
})
