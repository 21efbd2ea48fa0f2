/** The job list, the summary and requeue as callers see them [jobs 5.7, 5.8, 7.5]. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { JOB_STATUSES, type JobStatus } from '#core/job/transitions.ts'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import { type JobFilter, listJobs } from '#store/jobs/list.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { copyJob, insertJobs, type JobOptions } from '../support/insert-job.ts'

let app: TestApp
let token = ''
let deploymentId = ''
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['jobs:read', 'jobs:run', 'apps:write'])
  deploymentId = await deployActions(app.deps, [
    { ws: WS, app: 'hello', key: 'greet' },
    { ws: WS, app: 'hello', key: 'wave' },
  ])
})
afterAll(() => app.close())

const JOBS = `/api/w/${WS}/jobs`
const page = z.object({
  items: z.array(z.looseObject({ id: z.string(), status: z.string() })),
  pagination: z.object({ next_cursor: z.string().nullable() }),
})

const timeline = z.object({
  bucket_seconds: z.int(),
  buckets: z.array(
    z.object({ at: z.iso.datetime(), completed: z.int(), failed: z.int(), canceled: z.int() }),
  ),
})

let workspaces = 0
/** Lists in a separate workspace, so that tests do not see each other's jobs. */
const startWorkspace = async () => {
  const ws = `list-${workspaces++}`
  await createWorkspace(app.deps, { id: ws, name: ws })
  const own = await app.token(['jobs:read', 'apps:write'], { ws })
  const list = async (query = '') => {
    const answer = await app.call('GET', `/api/w/${ws}/jobs${query}`, { token: own })
    expect(answer.status).toBe(200)
    return page.parse(answer.json)
  }
  const insert = (requests: readonly Partial<JobOptions>[]) =>
    insertJobs(
      app.deps.db,
      requests.map((options) => ({ ws, deploymentId, app: 'hello', action: 'greet', ...options })),
    )
  return { ws, own, list, insert }
}

const idsOf = ({ items }: z.infer<typeof page>): readonly string[] => items.map(({ id }) => id)

describe('GET jobs', () => {
  it('shows 50 by default, newest first, without input and result', async () => {
    const { list, insert } = await startWorkspace()
    const ids = await insert(Array.from({ length: 60 }, () => ({ status: 'success' as const })))
    const first = await list()
    expect(idsOf(first)).toEqual(ids.toReversed().slice(0, 50))
    const second = await list(`?cursor=${first.pagination.next_cursor}`)
    expect(idsOf(second)).toEqual(ids.toReversed().slice(50))
    expect(second.pagination.next_cursor).toBeNull()
    expect(first.items[0]).toMatchObject({ app: 'hello', action: 'greet', trigger_kind: 'api' })
    expect(first.items[0]).not.toHaveProperty('input')
  })

  it('takes every status, `completed` for all that ended, and `all`', async () => {
    const { list, insert } = await startWorkspace()
    const ids = await insert(JOB_STATUSES.map((status) => ({ status })))
    for (const [index, status] of JOB_STATUSES.entries()) {
      expect(idsOf(await list(`?status=${status}`))).toEqual([ids[index]])
    }
    expect(idsOf(await list('?status=completed'))).toEqual(ids.slice(2).toReversed())
    expect(idsOf(await list('?status=all'))).toEqual(ids.toReversed())
  })

  it('filters by app, action and trigger, alone and together', async () => {
    const { list, insert } = await startWorkspace()
    const [greet, wave, other, hook] = await insert([
      {},
      { action: 'wave' },
      { app: 'other' },
      { triggerKind: 'webhook' },
    ])
    expect(idsOf(await list('?app=other'))).toEqual([other])
    expect(idsOf(await list('?action=wave'))).toEqual([wave])
    expect(idsOf(await list('?trigger_kind=webhook'))).toEqual([hook])
    expect(idsOf(await list('?app=hello&action=greet&trigger_kind=api'))).toEqual([greet])
    expect(idsOf(await list('?app=nowhere'))).toEqual([])
  })

  it('searches in parts of the list, and finds in each what a look at all finds', async () => {
    const { ws, insert } = await startWorkspace()
    const kinds = ['api', 'webhook', 'api', 'schedule', 'api'] as const
    const places = Array.from({ length: 40 }, (_, n) => n)
    const ids = await insert(
      places.map((n) => ({
        app: n % 3 === 0 ? 'other' : 'hello',
        action: n % 4 === 0 ? 'wave' : 'greet',
        triggerKind: kinds[n % 5] ?? 'api',
      })),
    )
    const none = { statuses: [], app: null, action: null, triggerKind: null }
    const bounds = { since: null, until: null, beforeId: null }
    const search = async (filter: Partial<JobFilter>, limit: number, perLook: number) =>
      (await listJobs(app.deps.db, ws, { ...none, ...bounds, ...filter, limit }, perLook)).map(
        ({ id }) => id,
      )
    const waves = ids.filter((_, n) => n % 4 === 0).toReversed()
    const otherHooks = ids.filter((_, n) => n % 3 === 0 && n % 5 === 1).toReversed()
    for (const perLook of [1, 2, 7, 40, 41]) {
      expect(await search({ action: 'wave' }, 100, perLook)).toEqual(waves)
      expect(await search({ action: 'wave' }, 4, perLook)).toEqual(waves.slice(0, 4))
      expect(await search({ app: 'other', triggerKind: 'webhook' }, 9, perLook)).toEqual(otherHooks)
      expect(await search({ action: 'wave', app: 'none' }, 9, perLook)).toEqual([])
      const statuses = ['queued'] as const
      expect(await search({ action: 'wave', statuses }, 100, perLook)).toEqual(waves)
    }
  })

  it('takes since and until on created_at, both inclusive, with any offset', async () => {
    const { list, insert } = await startWorkspace()
    const at = (text: string) => ({ createdAt: Date.parse(text) })
    const [one, two, three] = await insert([
      at('2026-01-01T00:00:00.000Z'),
      at('2026-01-01T12:00:00.500Z'),
      at('2026-01-02T00:00:00.000Z'),
    ])
    expect(idsOf(await list('?since=2026-01-01T12:00:00.500Z'))).toEqual([three, two])
    expect(idsOf(await list('?until=2026-01-01T12:00:00.500Z'))).toEqual([two, one])
    expect(idsOf(await list('?since=2026-01-02T09:00:00%2B09:00'))).toEqual([three])
    expect(idsOf(await list('?since=2026-01-01T00:00:00Z&until=2026-01-01T00:00:00Z'))).toEqual([
      one,
    ])
  })

  it.each([
    '?limit=0',
    '?limit=501',
    '?limit=ten',
    '?limit=1e1',
    '?limit=0x10',
    '/summary?recent_seconds=1e3',
    '?status=done',
    '?trigger_kind=cron',
    '?since=yesterday',
    '?until=2026-13-01T00:00:00Z',
    '?cursor=abc',
  ])('answers 400 to %s', async (query) => {
    const answer = await app.call('GET', `${JOBS}${query}`, { token })
    expect(answer.status).toBe(400)
  })

  it('repeats and skips no job while others are added and end between the pages', async () => {
    const statuses = fc.constantFrom<JobStatus>(...JOB_STATUSES)
    const steps = fc.array(fc.record({ added: fc.array(statuses, { maxLength: 5 }) }), {
      minLength: 1,
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(statuses, { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        steps,
        async (initial, limit, between) => {
          const { list, insert } = await startWorkspace()
          const there = await insert(initial.map((status) => ({ status })))
          const seen: string[] = []
          let cursor = ''
          for (let pages = 0; pages < 100; pages += 1) {
            const shown = await list(`?limit=${limit}${cursor}`)
            expect(shown.items.length).toBeLessThanOrEqual(limit)
            seen.push(...idsOf(shown))
            if (shown.pagination.next_cursor === null) break
            cursor = `&cursor=${shown.pagination.next_cursor}`
            const { added } = between[pages % between.length] ?? { added: [] }
            await insert(added.map((status) => ({ status })))
          }
          expect(seen).toEqual(there.toReversed())
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('GET jobs/summary', () => {
  it('counts what waits and runs, by tag and app, and what ended within the window', async () => {
    const { ws, own, insert } = await startWorkspace()
    const longAgo = Date.now() - 7_200_000
    await insert([
      { status: 'queued', tag: 'gpu' },
      { status: 'queued' },
      { status: 'running', app: 'other' },
      { status: 'success' },
      { status: 'success', createdAt: longAgo },
      { status: 'failure', app: 'other' },
      { status: 'canceled' },
    ])
    const path = `/api/w/${ws}/jobs/summary`
    const hour = await app.call('GET', `${path}?recent_seconds=3600`, { token: own })
    expect(hour.json).toEqual({
      queued_count: 2,
      suspended_count: 0,
      running_count: 1,
      completed_count: 1,
      failed_count: 1,
      canceled_count: 1,
      by_tag: [
        { tag: 'default', queued: 1, running: 1 },
        { tag: 'gpu', queued: 1, running: 0 },
      ],
      by_app: [
        { app: 'hello', queued: 2, running: 0, completed: 1, failed: 0, canceled: 1 },
        { app: 'other', queued: 0, running: 1, completed: 0, failed: 1, canceled: 0 },
      ],
      recent_seconds: 3_600,
    })
    const day = await app.call('GET', path, { token: own })
    expect(day.json).toMatchObject({ completed_count: 2, recent_seconds: 86_400 })
    for (const wrong of ['0', '-1', 'day']) {
      const answer = await app.call('GET', `${path}?recent_seconds=${wrong}`, { token: own })
      expect(answer.status).toBe(400)
    }
  })
})

describe('GET jobs/timeline', () => {
  it('counts the jobs that ended, in pieces that cover the requested time', async () => {
    const { ws, own, insert } = await startWorkspace()
    const now = Date.now()
    const ago = (minutes: number) => now - minutes * 60_000
    await insert([
      { status: 'success', createdAt: ago(30) },
      { status: 'success', createdAt: ago(30) },
      { status: 'failure', createdAt: ago(2) },
      { status: 'success', createdAt: ago(300) },
      { status: 'queued' },
    ])
    const path = `/api/w/${ws}/jobs/timeline`
    const answer = await app.call('GET', `${path}?recent_seconds=3600`, { token: own })
    const { bucket_seconds: size, buckets } = timeline.parse(answer.json)
    expect([size, buckets.length]).toEqual([60, 60])
    const sum = (key: 'completed' | 'failed' | 'canceled') =>
      buckets.reduce((total, bucket) => total + bucket[key], 0)
    expect([sum('completed'), sum('failed'), sum('canceled')]).toEqual([2, 1, 0])
    expect(buckets.filter(({ completed }) => completed === 2)).toHaveLength(1)
    const starts = buckets.map(({ at }) => Date.parse(at))
    expect(
      starts.every((at, index) => index === 0 || at - (starts[index - 1] ?? 0) === 60_000),
    ).toBe(true)
    const none = await app.call('GET', `${path}?recent_seconds=0`, { token: own })
    expect(none.status).toBe(400)
  })
})

describe('GET jobs/figures', () => {
  const figures = z.object({
    bucket_seconds: z.int(),
    buckets: z.array(
      z.object({
        at: z.iso.datetime(),
        runs: z.int(),
        failures: z.int(),
        estimated: z.boolean(),
        truncated: z.boolean(),
        wait_p50_ms: z.int().nullable(),
        wait_p95_ms: z.int().nullable(),
        duration_p50_ms: z.int().nullable(),
        duration_p95_ms: z.int().nullable(),
      }),
    ),
  })

  it('counts what was queued in each interval, and samples times where there is much', async () => {
    const { ws, own, insert } = await startWorkspace()
    const createdAt = Math.floor(Date.now() / 60_000) * 60_000 - 300_000
    const ran = (ms: number) => ({ createdAt, completedAt: createdAt + ms })
    await insert([
      { status: 'success', ...ran(10) },
      { status: 'success', ...ran(30) },
      { status: 'failure', ...ran(20) },
      // the newest of them succeeded
      ...Array.from({ length: 300 }, (_, index) => ({
        status: index < 7 ? ('failure' as const) : ('success' as const),
        createdAt: createdAt - 60_000 + index,
      })),
    ])
    const read = async (query: string) =>
      figures.parse(
        (await app.call('GET', `/api/w/${ws}/jobs/figures?${query}`, { token: own })).json,
      )
    const { bucket_seconds: size, buckets } = await read('recent_seconds=3600')
    expect([size, buckets.length]).toEqual([60, 60])
    expect(buckets.filter(({ runs }) => runs > 0)).toEqual([
      expect.objectContaining({ runs: 300, failures: 7, estimated: true, truncated: false }),
      {
        at: new Date(createdAt).toISOString(),
        runs: 3,
        failures: 1,
        estimated: false,
        truncated: false,
        wait_p50_ms: 0,
        wait_p95_ms: 0,
        duration_p50_ms: 20,
        duration_p95_ms: 30,
      },
    ])
    const runsOf = async (query: string): Promise<number> =>
      (await read(query)).buckets.reduce((sum, { runs }) => sum + runs, 0)
    expect(await runsOf('recent_seconds=3600&app=hello')).toBe(303)
    expect(await runsOf('recent_seconds=3600&app=other')).toBe(0)
    expect(await runsOf('recent_seconds=3600&app=hello&action=greet')).toBe(303)
    expect(await runsOf('recent_seconds=3600&app=hello&action=wave')).toBe(0)
    for (const bad of ['recent_seconds=0', 'action=greet', 'app=hello&actions=greet']) {
      expect(
        (await app.call('GET', `/api/w/${ws}/jobs/figures?${bad}`, { token: own })).status,
      ).toBe(400)
    }
  })
})

describe('GET jobs/figures of all apps', () => {
  it('leave out trials of drafts, which have figures of their own', async () => {
    const { ws, own, insert } = await startWorkspace()
    const createdAt = Math.floor(Date.now() / 60_000) * 60_000 - 300_000
    const trial = 'hello--try-0123abcd'
    await insert([
      { status: 'success', createdAt },
      { status: 'failure', createdAt, app: trial },
      // a git branch named try-0123, pushed as a preview
      { status: 'success', createdAt, app: 'hello--try-0123' },
    ])
    const countOf = async (query: string): Promise<readonly [number, number]> => {
      const { json } = await app.call(
        'GET',
        `/api/w/${ws}/jobs/figures?recent_seconds=3600${query}`,
        {
          token: own,
        },
      )
      const counts = z.object({ runs: z.int(), failures: z.int() })
      const { buckets } = z.object({ buckets: z.array(counts) }).parse(json)
      return [
        buckets.reduce((sum, { runs }) => sum + runs, 0),
        buckets.reduce((sum, { failures }) => sum + failures, 0),
      ]
    }
    expect(await countOf('')).toEqual([2, 0])
    expect(await countOf(`&app=${trial}`)).toEqual([1, 1])
  })
})

describe('GET jobs/figures of an action', () => {
  it('look through the newest jobs of its app, and are estimated where there are more', async () => {
    const { ws, own, insert } = await startWorkspace()
    const createdAt = Math.floor(Date.now() / 60_000) * 60_000 - 300_000
    const rare = { action: 'wave', createdAt: createdAt + 2, status: 'failure' } as const
    const [, common = ''] = await insert([
      { ...rare, createdAt },
      { status: 'success', createdAt: createdAt + 1 },
      rare,
    ])
    await copyJob(app.deps.db, { id: common, count: 2_000, createdAt: createdAt + 1 })
    const { json } = await app.call(
      'GET',
      `/api/w/${ws}/jobs/figures?recent_seconds=3600&app=hello&action=wave`,
      { token: own },
    )
    const { buckets } = z.object({ buckets: z.array(z.looseObject({ runs: z.int() })) }).parse(json)
    expect(buckets.filter(({ runs }) => runs > 0)).toEqual([
      expect.objectContaining({ runs: 1, failures: 1, estimated: true, truncated: true }),
    ])
  })
})

describe('GET workers/history', () => {
  it('shows who ran the jobs of each interval, also workers that are gone', async () => {
    const { ws, insert } = await startWorkspace()
    const own = await app.token(['workers:read'], { ws })
    const createdAt = Math.floor(Date.now() / 60_000) * 60_000 - 300_000
    const later = createdAt + 60_000
    await insert([
      { status: 'success', createdAt, completedAt: createdAt + 10, worker: 'old' },
      { status: 'failure', createdAt, completedAt: createdAt + 40, worker: 'new' },
      { status: 'success', createdAt: later, completedAt: later + 20, worker: 'new' },
      { createdAt },
    ])
    const path = `/api/w/${ws}/workers/history?recent_seconds=3600`
    const { json } = await app.call('GET', path, { token: own })
    const found = z
      .object({
        buckets: z.array(z.looseObject({ jobs: z.int(), estimated: z.boolean() })),
        workers: z.array(z.looseObject({ per_bucket: z.array(z.int()) })),
      })
      .parse(json)
    expect(found.buckets.flatMap(({ jobs }) => (jobs > 0 ? [jobs] : []))).toEqual([3, 1])
    expect(
      found.workers.map(({ per_bucket, ...worker }) => ({
        ...worker,
        counts: per_bucket.filter((n) => n > 0),
      })),
    ).toEqual([
      {
        name: 'new',
        jobs: 2,
        failures: 1,
        first_at: new Date(createdAt).toISOString(),
        last_at: new Date(later + 20).toISOString(),
        counts: [1, 1],
      },
      expect.objectContaining({ name: 'old', jobs: 1, failures: 0, counts: [1] }),
    ])
    const stranger = await app.token(['jobs:read'], { ws })
    expect((await app.call('GET', path, { token: stranger })).status).toBe(403)
  })
})

describe('POST jobs/{id}/requeue', () => {
  it('puts a queued job under another tag, and leaves an audit entry', async () => {
    const { ws, own, insert } = await startWorkspace()
    const [id] = await insert([{ tag: 'nobody-serves-this' }])
    const path = `/api/w/${ws}/jobs/${id}/requeue`
    const answer = await app.call('POST', path, { token: own, json: { tag: 'default' } })
    expect(answer).toMatchObject({ status: 200, json: { id, status: 'queued', tag: 'default' } })
    const again = await app.call('POST', path, { token: own })
    expect(again).toMatchObject({ status: 200, json: { tag: 'default' } })
  })

  it('refuses what is no longer queued, and what is not there', async () => {
    const { ws, own, insert } = await startWorkspace()
    const [running, ended] = await insert([{ status: 'running' }, { status: 'success' }])
    for (const id of [running, ended]) {
      const answer = await app.call('POST', `/api/w/${ws}/jobs/${id}/requeue`, { token: own })
      expect(answer).toMatchObject({ status: 409, json: { code: 'not_queued' } })
    }
    const unknown = '019abcde-0000-7000-8000-000000000000'
    const path = `/api/w/${ws}/jobs/${unknown}/requeue`
    expect((await app.call('POST', path, { token: own })).status).toBe(404)
    expect((await app.call('POST', path.replace(unknown, 'nonsense'), { token: own })).status).toBe(
      404,
    )
  })
})
