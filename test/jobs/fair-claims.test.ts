/**
 * Several tenants on one queue [jobs 9]: claims go round robin by workspace,
 * priority orders jobs within one, and no workspace runs more jobs than it may. Random
 * histories of several workers are checked against rules that always hold.
 */
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ClaimMemory, createClaimMemory } from '#service/queue/claim-jobs.ts'
import { asNumber, asText } from '#store/column.ts'
import type { Statement } from '#store/database.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { completeJob } from '../support/complete-job.ts'
import { copyWorkspace, openQueue, QUEUE_BACKENDS, type Queue } from '../support/open-queue.ts'
import { runs } from '../support/runs.ts'

const TENANTS = ['ada', 'bob', 'cyd', 'dan', 'eve'] as const
const LEASE_MS = 60_000

type JobFields = Readonly<{ ws: string; priority?: number; key?: string | null; tag?: string }>
type Waiting = Readonly<{
  id: string
  ws: string
  priority: number
  runAt: number
  key: string | null
}>

describe.each(QUEUE_BACKENDS)('claims on %s', (name, openDatabase) => {
  let queue: Queue
  beforeAll(async () => {
    const opened = await openDatabase()
    queue = await openQueue(opened.db)
    await queue.deploy()
    await queue.db.write(TENANTS.map(copyWorkspace))
    return opened.close
  })
  const reset = async (): Promise<void> => {
    await queue.db.write([sql`DELETE FROM jobs`, sql`UPDATE workspaces SET max_running = NULL`])
  }
  beforeEach(reset)

  /** Queues a job of the deployed action and moves it to a tenant. Keys allow one job at a time. */
  const enqueue = async ({ ws, priority = 0, key = null, tag }: JobFields): Promise<string> => {
    const id = await queue.enqueue({ priority, ...(tag === undefined ? {} : { tag }) })
    await queue.db.write([
      sql`UPDATE jobs
        SET ws = ${ws}, concurrency_key = ${key === null ? null : `${ws}/${key}`}, concurrency_limit = ${key === null ? null : 1}
        WHERE id = ${id}`,
    ])
    return id
  }
  const limit = (ws: string, maxRunning: number | null) =>
    queue.db.write([sql`UPDATE workspaces SET max_running = ${maxRunning} WHERE id = ${ws}`])
  /** @param maxRunning limit of the instance */
  const claim = (
    wanted: number,
    afterWs = '',
    maxRunning = 0,
    memory: ClaimMemory = createClaimMemory(),
  ) =>
    claimJobs(
      { ...queue.deps, limits: { ...queue.deps.limits, workspaceMaxRunning: maxRunning } },
      { worker: 'w', tags: ['default'], limit: wanted, leaseMs: LEASE_MS, afterWs, memory },
    )
  const tenantsOf = (jobs: readonly ClaimedJob[]) => jobs.map(({ ws }) => ws)
  const end = (job: ClaimedJob) =>
    completeJob(queue.deps, {
      job,
      outcome: { kind: 'success', resultJson: '1' },
      retry: null,
      logs: [],
    })

  it('serve a workspace at once, however much of high priority another has waiting', async () => {
    for (let at = 0; at < 40; at += 1) await enqueue({ ws: 'ada', priority: 100 })
    const small = await enqueue({ ws: 'bob' })
    const [first, second] = await claim(2)
    expect([first?.ws, second?.id]).toEqual(['ada', small])
  })

  it('go on behind the workspace that was served last', async () => {
    for (const ws of TENANTS) for (let at = 0; at < 3; at += 1) await enqueue({ ws })
    let afterWs = ''
    const served: string[] = []
    for (const wanted of [2, 1, 4, 3, 5]) {
      const jobs = await claim(wanted, afterWs)
      expect(jobs).toHaveLength(wanted)
      afterWs = jobs.at(-1)?.ws ?? afterWs
      served.push(...tenantsOf(jobs))
    }
    expect(served).toEqual([...TENANTS, ...TENANTS, ...TENANTS])
  })

  it('take all that they have room for, though one workspace alone has much', async () => {
    await enqueue({ ws: 'bob' })
    for (let at = 0; at < 30; at += 1) await enqueue({ ws: 'ada' })
    const first = await claim(16)
    expect(tenantsOf(first).slice(0, 2)).toEqual(['ada', 'bob'])
    expect(first).toHaveLength(16)
    expect(await claim(16)).toHaveLength(15)
  })

  it.each([
    ['the instance', null, 2],
    ['the workspace', 2, 0],
    ['the workspace, against that of the instance', 2, 1],
  ])('hold the limit of %s', async (_, own, instance) => {
    for (let at = 0; at < 4; at += 1) await enqueue({ ws: 'ada' })
    await limit('ada', own)
    const [job, ...others] = await claim(9, '', instance)
    expect(others).toHaveLength(1)
    expect(await claim(9, '', instance)).toEqual([])
    if (job !== undefined) await end(job)
    expect(await claim(9, '', instance)).toHaveLength(1)
  })

  it('lift the limit of the instance for a workspace whose own is 0', async () => {
    for (let at = 0; at < 4; at += 1) await enqueue({ ws: 'ada' })
    await limit('ada', 0)
    expect(await claim(9, '', 1)).toHaveLength(4)
  })

  it('pass workspaces over that may run no more, however many there are', async () => {
    for (const ws of ['ada', 'bob', 'cyd']) {
      for (let at = 0; at < 2; at += 1) await enqueue({ ws })
    }
    expect(await claim(9, '', 1)).toHaveLength(3)
    const free = await enqueue({ ws: 'dan' })
    expect(await claim(1, '', 1)).toMatchObject([{ id: free }])
  })

  it('hold a limit with many workers at once', async () => {
    for (let at = 0; at < 20; at += 1) await enqueue({ ws: 'ada' })
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(4, '', 5)))
    expect(claims.flat()).toHaveLength(5)
  })

  it('reach the jobs behind many of a full key', async () => {
    for (let at = 0; at < 120; at += 1) await enqueue({ ws: 'ada', key: 'one', priority: 1 })
    const [first] = await claim(1)
    const open = await enqueue({ ws: 'ada' })
    expect(await claim(1)).toMatchObject([{ id: open }])
    expect(await claim(1)).toEqual([])
    if (first !== undefined) await end(first)
    expect(await claim(4)).toHaveLength(1)
  })

  it('say that others may wait behind a full key, so that a worker claims again', async () => {
    for (let at = 0; at < 3; at += 1) await enqueue({ ws: 'ada', key: 'one', priority: 1 })
    const open = await enqueue({ ws: 'ada' })
    const memory = createClaimMemory()
    expect(await claim(3, '', 0, memory)).toHaveLength(1)
    expect(memory.mayBeMore).toBe(true)
    expect(await claim(2, '', 0, memory)).toMatchObject([{ id: open }])
    expect(memory.mayBeMore).toBe(false)
  })

  it('serve others at once while many jobs of a full key are set aside', async () => {
    for (let at = 0; at < 120; at += 1) await enqueue({ ws: 'ada', key: 'one' })
    await claim(1)
    for (let at = 0; at < 3; at += 1) await enqueue({ ws: 'bob' })
    let writes = 0
    const db: Queue['db'] = {
      ...queue.db,
      write: (...args) => {
        writes += 1
        return queue.db.write(...args)
      },
    }
    let afterWs = ''
    for (let at = 0; at < 3; at += 1) {
      const options = { worker: 'w', tags: ['default'], limit: 1, leaseMs: LEASE_MS, afterWs }
      const jobs = await claimJobs({ ...queue.deps, db }, options)
      expect(tenantsOf(jobs)).toEqual(['bob'])
      afterWs = 'bob'
    }
    // one look at what is blocked, and one claim
    expect(writes).toBeLessThanOrEqual(6)
  })

  it('let a full key go on under the tag that is served, though its first job waits under another', async () => {
    await enqueue({ ws: 'ada', key: 'one' })
    const [first] = await claim(1)
    // a worker of both tags found both jobs blocked by the full key
    await enqueue({ ws: 'ada', key: 'one', tag: 'unserved', priority: 9 })
    const second = await enqueue({ ws: 'ada', key: 'one' })
    await queue.claim(9, ['default', 'unserved'])
    if (first !== undefined) await end(first)
    expect(await claim(9)).toMatchObject([{ id: second }])
  })

  /** Inserts of jobs of several tenants, one write each. Ids are in the order of the list. */
  const insertions = (requests: readonly JobFields[]): readonly Statement[][] =>
    requests.map(({ ws, priority = 0, key = null, tag = 'default' }, at) => {
      const id = `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`
      const keyed = key === null ? null : `${ws}/${key}`
      return [
        sql`INSERT INTO jobs (ws, id, app, action, deployment_id, status, tag, priority, run_at, concurrency_key,
            concurrency_limit, crash_limit, trigger_kind, created_by, permissioned_as, created_at)
          VALUES (${ws}, ${id}, 'hello', 'greet', 'none', 'queued', ${tag}, ${priority}, 1000, ${keyed},
            ${keyed === null ? null : 1}, 3, 'api', 'test', 'test', 1000)`,
        sql`INSERT INTO job_inputs (job_id, input) VALUES (${id}, '{}') ON CONFLICT DO NOTHING`,
      ]
    })

  const share = fc.record({
    before: fc.array(
      fc.record({
        ws: fc.constantFrom(...TENANTS),
        priority: fc.constantFrom(-1, 0, 5),
        key: fc.constantFrom(null, null, 'one'),
      }),
      { maxLength: 6 },
    ),
    during: fc.array(
      fc.record({
        ws: fc.constantFrom(...TENANTS),
        priority: fc.constantFrom(-1, 0, 5),
        key: fc.constantFrom(null, null, 'one'),
        tag: fc.constantFrom('default', 'default', 'unserved'),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    isRunning: fc.boolean(),
    limit: fc.integer({ min: 1, max: 6 }),
    max: fc.constantFrom(0, 1, 2),
    afterWs: fc.constantFrom('', ...TENANTS),
  })
  type Share = typeof share extends fc.Arbitrary<infer T> ? T : never

  /** What a claim takes that runs at the same moment as some inserts. @param together whether they share a commit */
  const claimBeside = async (
    { before, during, isRunning, limit: wanted, max, afterWs }: Share,
    together: boolean,
  ): Promise<readonly string[]> => {
    await reset()
    await queue.db.write([sql`DELETE FROM job_inputs`])
    const batches = insertions([...before, ...during])
    for (const batch of batches.slice(0, before.length)) await queue.db.write(batch)
    if (isRunning) await claim(1)
    const added = batches.slice(before.length)
    if (!together) {
      for (const batch of added) await queue.db.write(batch)
      return (await claim(wanted, afterWs, max)).map(({ id }) => id)
    }
    const [jobs] = await Promise.all([
      claim(wanted, afterWs, max),
      ...added.map((batch) => queue.db.write(batch)),
    ])
    return jobs.map(({ id }) => id)
  }

  it('take within the commit that queues jobs what they would take after it', async () => {
    const numRuns =
      name === 'a file' ? runs({ short: 40, long: 200 }) : runs({ short: 5, long: 20 })
    await fc.assert(
      fc.asyncProperty(share, async (one) => {
        expect(await claimBeside(one, true)).toEqual(await claimBeside(one, false))
      }),
      { numRuns },
    )
  }, 120_000)

  const operation = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('enqueue' as const),
        ws: fc.constantFrom(...TENANTS, 'ada', 'ada'),
        priority: fc.constantFrom(-1, 0, 0, 5),
        key: fc.constantFrom(null, null, 'one', 'two'),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('claim' as const),
        worker: fc.nat({ max: 2 }),
        limit: fc.integer({ min: 1, max: 7 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('end' as const), nth: fc.nat() }) },
    fc.record({ do: fc.constant('cancel' as const), nth: fc.nat() }),
    fc.record({
      do: fc.constant('limit' as const),
      ws: fc.constantFrom(...TENANTS),
      max: fc.constantFrom(null, 0, 1, 2),
    }),
  )
  type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

  const INSTANCE_MAX = 3

  const createLife = () => {
    const waiting = new Map<string, Waiting>()
    const running = new Map<string, ClaimedJob & Readonly<{ key: string | null }>>()
    const limits = new Map<string, number | null>()
    const cursors = ['', '', '']
    // the second and third worker try only the short cut from the beginning
    const memories = [0, 3, 3].map((plainInARow) => ({ ...createClaimMemory(), plainInARow }))
    const everClaimed = new Set<string>()
    /** For each worker and workspace: how many turns other workspaces got while it could have been served. */
    const passed = new Map<string, number>()

    const roomOf = (ws: string): number => {
      const max = limits.get(ws) ?? INSTANCE_MAX
      const now = [...running.values()].filter((job) => job.ws === ws).length
      return max === 0 ? 1_000 : max - now
    }
    /** Returns a workspace's jobs in the order in which they must start. */
    const claimableOf = (ws: string): readonly Waiting[] => {
      const busy = new Set([...running.values()].map((job) => `${job.ws}/${job.key}`))
      const open: Waiting[] = []
      const mine = [...waiting.values()].filter((job) => job.ws === ws)
      for (const job of mine.toSorted(
        (a, b) => b.priority - a.priority || a.runAt - b.runAt || (a.id < b.id ? -1 : 1),
      )) {
        if (job.key !== null && busy.has(`${ws}/${job.key}`)) continue
        if (job.key !== null) busy.add(`${ws}/${job.key}`)
        open.push(job)
      }
      return open.slice(0, Math.max(0, roomOf(ws)))
    }

    type Shares = ReadonlyMap<string, readonly Waiting[]>

    /** Each workspace gives its first jobs, at most one more than the others, and none is passed over for too long. */
    const checkShares = (worker: number, open: Shares, jobs: readonly ClaimedJob[]): void => {
      const got = Map.groupBy(jobs, ({ ws }) => ws)
      for (const [ws, mine] of got) {
        // the first jobs of their workspace, in order
        const expected = (open.get(ws) ?? []).slice(0, mine.length).map(({ id }) => id)
        expect(mine.map(({ id }) => id)).toEqual(expected)
      }
      const most = Math.max(0, ...[...got.values()].map(({ length }) => length))
      for (const [ws, mine] of open) {
        const count = got.get(ws)?.length ?? 0
        if (count < mine.length) expect(most).toBeLessThanOrEqual(count + 1)
        const at = `${worker}/${ws}`
        const turns = mine.length > 0 && count === 0 ? (passed.get(at) ?? 0) + jobs.length : 0
        passed.set(at, turns)
        // at most one turn of each other workspace
        expect(turns).toBeLessThan(TENANTS.length)
      }
    }

    const claimAs = async (worker: number, wanted: number): Promise<number> => {
      const open = new Map(TENANTS.map((ws) => [ws as string, claimableOf(ws)]))
      const jobs = await claim(wanted, cursors[worker], INSTANCE_MAX, memories[worker])
      expect(jobs.length).toBeLessThanOrEqual(wanted)
      const all = [...open.values()].flat()
      expect(jobs.length > 0).toBe(all.length > 0)
      checkShares(worker, open, jobs)
      for (const job of jobs) {
        expect(everClaimed.has(job.id)).toBe(false)
        everClaimed.add(job.id)
        running.set(job.id, { ...job, key: waiting.get(job.id)?.key ?? null })
        waiting.delete(job.id)
      }
      cursors[worker] = jobs.at(-1)?.ws ?? cursors[worker] ?? ''
      return jobs.length
    }

    const add = async (options: Readonly<{ ws: string; priority: number; key: string | null }>) => {
      const id = await enqueue(options)
      const row = await queue.db.one(sql`SELECT run_at FROM jobs WHERE id = ${id}`)
      waiting.set(id, { id, ...options, runAt: asNumber(row?.run_at) })
    }

    const cancel = async (nth: number): Promise<void> => {
      const job = [...waiting.values()][nth % Math.max(1, waiting.size)]
      if (job === undefined) return
      await queue.db.write([
        sql`UPDATE jobs SET status = 'canceled', completed_at = 1 WHERE id = ${job.id}
          AND status = 'queued'`,
      ])
      waiting.delete(job.id)
    }

    const finish = async (job: ClaimedJob): Promise<void> => {
      expect(await end(job)).toBe('success')
      running.delete(job.id)
    }

    return {
      apply: async (op: Operation): Promise<void> => {
        if (op.do === 'enqueue') await add({ ws: op.ws, priority: op.priority, key: op.key })
        else if (op.do === 'claim') await claimAs(op.worker, op.limit)
        else if (op.do === 'limit') {
          await limit(op.ws, op.max)
          limits.set(op.ws, op.max)
        } else if (op.do === 'end') {
          const job = [...running.values()][op.nth % Math.max(1, running.size)]
          if (job !== undefined) await finish(job)
        } else await cancel(op.nth)
        await checkRunning()
      },
      /** Everything that waits is claimed in the end, exactly once. */
      drain: async (): Promise<void> => {
        while (waiting.size > 0) {
          for (const job of [...running.values()]) await finish(job)
          expect(await claimAs(0, 5)).toBeGreaterThan(0)
        }
      },
    }

    async function checkRunning(): Promise<void> {
      const rows = await queue.db.all(
        sql`SELECT ws, count(*) AS n FROM jobs WHERE status = 'running' GROUP BY ws`,
      )
      const counted = Map.groupBy(running.values(), ({ ws }) => ws)
      expect(new Map(rows.map((row) => [asText(row.ws), asNumber(row.n)]))).toEqual(
        new Map([...counted].map(([ws, jobs]) => [ws, jobs.length])),
      )
    }
  }

  it('are fair, whatever comes when', async () => {
    const operations = fc.array(operation, { minLength: 10, maxLength: 40 })
    const live = async (list: readonly Operation[]): Promise<void> => {
      await reset()
      const life = createLife()
      for (const op of list) await life.apply(op)
      await life.drain()
    }
    const numRuns =
      name === 'a file' ? runs({ short: 30, long: 100 }) : runs({ short: 5, long: 10 })
    await fc.assert(fc.asyncProperty(operations, live), { numRuns })
  }, 120_000)
})
