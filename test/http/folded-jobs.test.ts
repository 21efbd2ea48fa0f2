/** The list of jobs in which a flow run is one row. */
import { v7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type FoldedRow, toPage } from '#service/queue/list-folded-jobs.ts'
import type { Reader } from '#store/database.ts'
import { listJobs } from '#store/jobs/list.ts'
import { raw, sql } from '#store/sql.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { insertJobs } from '../support/insert-job.ts'

const JOBS = `/api/w/${WS}/jobs`
const page = z.object({
  items: z.array(
    z.looseObject({
      id: z.string(),
      job: z.looseObject({}).optional(),
      flow_run: z.looseObject({ flow: z.string(), status: z.string() }).optional(),
      jobs: z.int(),
    }),
  ),
  pagination: z.object({ next_cursor: z.string().nullable() }),
})
const started = z.object({ flow_run_id: z.string() })

let app: TestApp
let token = ''
let deploymentId = ''
/** Oldest first: a job, a run with three jobs, a job, a run with one job. */
let ids: readonly string[] = []

const run = async (flow: string): Promise<string> =>
  started.parse(
    (await app.call('POST', `/api/w/${WS}/flows/run/hello/${flow}`, { token, json: {} })).json,
  ).flow_run_id

const insert = (count: number, more = {}) =>
  insertJobs(
    app.deps.db,
    Array.from({ length: count }, () => ({
      ws: WS,
      deploymentId,
      app: 'hello',
      action: 'greet',
      ...more,
    })),
  )

const list = async (query = '', as = token) =>
  page.parse((await app.call('GET', `${JOBS}/folded${query}`, { token: as })).json)

beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
  const each = { key: 'each', kind: 'forloop_parallel', items: [1, 2, 3], action: 'greet' }
  deploymentId = await deployActions(
    app.deps,
    [{ ws: WS, app: 'hello', key: 'greet' }],
    [
      { key: 'three', steps: [each] },
      { key: 'one', steps: [{ key: 'first', action: 'greet' }] },
    ],
  )
  const [first = ''] = await insert(1, { status: 'failure' })
  const three = await run('three')
  const [second = ''] = await insert(1, { status: 'success' })
  ids = [first, three, second, await run('one')]
})
afterAll(() => app.close())

describe('GET jobs/folded', () => {
  it('shows jobs and runs, newest first, with the number of jobs of each run', async () => {
    const { items, pagination } = await list()
    expect(items.map(({ id }) => id)).toEqual(ids.toReversed())
    expect(items.map(({ flow_run, jobs }) => [flow_run?.flow, jobs])).toEqual([
      ['one', 1],
      [undefined, 1],
      ['three', 3],
      [undefined, 1],
    ])
    expect(items.map(({ job }) => job === undefined)).toEqual([true, false, true, false])
    expect(pagination.next_cursor).toBeNull()
  })

  it('is walked page by page, each row once', async () => {
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { items, pagination } = await list(
        `?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      seen.push(...items.map(({ id }) => id))
      cursor = pagination.next_cursor
    }
    expect(seen).toEqual(ids.toReversed())
  })

  it.each([
    ['?status=running', [1, 3]],
    ['?status=success', [2]],
    ['?status=failure&dismissed=false', [0]],
    ['?app=none', []],
  ])('%s filters both kinds of rows', async (query, places) => {
    const found = (await list(query)).items.map(({ id }) => id)
    expect(found).toEqual(places.map((at) => ids[at]).toReversed())
  })

  it('shows the jobs of runs one by one to a caller who may not read flows', async () => {
    const narrow = await app.token(['jobs:read'])
    const { items } = await list('', narrow)
    expect(items).toHaveLength(6)
    expect(items.every(({ flow_run }) => flow_run === undefined)).toBe(true)
  })

  it('reads a page of the jobs of a run in the order of an index, however many there are', async () => {
    const { db } = app.deps
    let text = ''
    const reader: Reader = {
      ...db,
      all: (statement) => {
        text = statement.sql
        return db.all(statement)
      },
    }
    const filter = { statuses: [], app: null, action: null, triggerKind: null }
    const page = { flowRunId: ids[1] ?? '', beforeId: null, limit: 2, since: null, until: null }
    expect(await listJobs(reader, WS, { ...filter, ...page })).toHaveLength(2)
    const plan = await db.all(raw(`EXPLAIN QUERY PLAN ${text}`))
    const steps = plan.map(({ detail }) => String(detail))
    expect(steps).toContainEqual(expect.stringContaining('USING INDEX jobs_of_run (flow_run_id=?)'))
    // only the page is sorted again, after the join
    expect(steps.filter((step) => step.includes('TEMP B-TREE')).length).toBeLessThanOrEqual(1)
  })

  it('is complemented by the jobs of a run and by operations without them', async () => {
    const ofRun = await app.call('GET', `${JOBS}?flow_run_id=${ids[1]}`, { token })
    expect(z.looseObject({ items: z.array(z.unknown()) }).parse(ofRun.json).items).toHaveLength(3)
    const matched = async (filter: object) =>
      (
        await app.call('POST', `${JOBS}/bulk`, {
          token,
          json: { do: 'cancel', filter, dry_run: true },
        })
      ).json
    expect(await matched({ status: 'queued' })).toEqual({ matched: 4 })
    expect(await matched({ status: 'queued', in_flow: false })).toEqual({ matched: 0 })
    expect(await matched({ in_flow: true })).toEqual({ matched: 4 })
  })

  it('passes over thousands of jobs of a run in pages that are short', async () => {
    const prefix = v7().slice(0, 24)
    await app.deps.db.write([
      sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
        INSERT INTO jobs (ws, id, app, action, deployment_id, status, tag, run_at, crash_limit, trigger_kind, created_by,
          permissioned_as, created_at, flow_run_id, flow_step, flow_index, flow_slot, flow_attempt)
        SELECT ws, ${prefix} || format('%012x', i), app, action, deployment_id, status, tag, run_at, crash_limit, trigger_kind,
          created_by, permissioned_as, created_at, flow_run_id, flow_step, flow_index, flow_slot + i, flow_attempt
        FROM n, jobs WHERE flow_run_id = ${ids[1] ?? ''} AND flow_slot = 0`,
    ])
    const first = await list()
    expect(first.items).toEqual([])
    const second = await list(`?cursor=${first.pagination.next_cursor}`)
    expect(second.items.map(({ id }) => id)).toEqual(ids.toReversed())
    expect(second.items[2]?.jobs).toBe(1_000)
    expect(second.pagination.next_cursor).toBeNull()
  })
})

describe('a page', () => {
  const row = (id: string): FoldedRow => ({ id, createdAt: 0, job: null, run: null, jobs: 1 })
  const found = ['a', 'd', 'c', 'b'].map(row)
  it.each([
    [2, '', ['d', 'c'], 'c'],
    [4, '', ['d', 'c', 'b', 'a'], null],
    [4, 'c', ['d', 'c'], 'c'],
    [4, 'e', [], 'e'],
    [1, 'c', ['d'], 'd'],
  ])('of %i rows above %o ends where both lists are known', (limit, floor, shown, next) => {
    const { rows, nextBeforeId } = toPage(found, { limit, floor })
    expect([rows.map(({ id }) => id), nextBeforeId]).toEqual([shown, next])
  })
})
