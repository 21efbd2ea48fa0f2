/** Turns of `fairKey` among jobs that wait for a rate [jobs 18.6], on both databases. */
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { requeueJob } from '#service/queue/requeue-job.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { dropFence, raiseFence } from '#store/workspaces/fence.ts'
import { holdForMove } from '#store/workspaces/moved.ts'
import { completeJob } from '../support/complete-job.ts'
import { BY, openQueue, QUEUE_BACKENDS, type Queue, WS } from '../support/open-queue.ts'
import { runs } from '../support/runs.ts'
import { actorFor } from '../support/test-workspace.ts'

const WINDOW_MS = 10_000
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation
const ACTIONS = [
  { key: 'greet' },
  { key: 'shared', rate: { limit: 2, perS: 10, key: 'all' }, fairKey: '${input.tenant}' },
  ...['one', 'two'].map((key) => ({
    key,
    rate: { limit: 2, perS: 10, key: 'all', scope: 'app', name: 'both' } as const,
    fairKey: '${input.tenant}',
  })),
  {
    key: 'regional',
    rate: { limit: 1, perS: 10, key: '${input.region}' },
    fairKey: '${input.tenant}',
  },
  {
    key: 'single',
    rate: { limit: 1, perS: 10, key: 'all' },
    concurrency: { limit: 1, key: 'all' },
    fairKey: '${input.tenant}',
  },
]
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation

type Tenant = 'a' | 'b' | 'c'

describe.each(QUEUE_BACKENDS)('turns under a rate on %s', (name, openDatabase) => {
  let queue: Queue
  beforeAll(async () => {
    const opened = await openDatabase()
    queue = await openQueue(opened.db)
    await queue.deploy(...ACTIONS)
    return opened.close
  })
  const reset = () =>
    queue.db.write([
      sql`DELETE FROM jobs`,
      sql`DELETE FROM rate_starts`,
      sql`DELETE FROM fair_turns`,
    ])
  beforeEach(async () => void (await reset()))

  const enqueue = (tenant: string, more = {}) =>
    queue.enqueue({ action: 'shared', input: { tenant }, ...more })
  const tenantOf = ({ inputJson }: ClaimedJob): Tenant => JSON.parse(inputJson).tenant
  const succeed = (job: ClaimedJob) =>
    completeJob(queue.deps, {
      job,
      outcome: { kind: 'success', resultJson: '1' },
      retry: null,
      logs: [],
    })
  /** Lets time pass by moving all times back. */
  const pass = (ms: number) =>
    queue.db.write([
      sql`UPDATE jobs SET run_at = run_at - ${ms} WHERE status = 'queued'`,
      sql`UPDATE rate_starts SET at = at - ${ms}`,
    ])
  /** Runs all jobs that may start now, one after another. @returns their tenants */
  const runReady = async (tags = ['default']): Promise<string> => {
    let served = ''
    for (;;) {
      const [job] = await queue.claim(1, tags)
      if (job === undefined) return served
      served += tenantOf(job)
      await succeed(job)
    }
  }
  const runWindows = async (count: number): Promise<readonly string[]> => {
    const served: string[] = []
    for (let at = 0; at < count; at += 1) {
      await pass(WINDOW_MS)
      served.push(await runReady())
    }
    return served
  }

  it('are taken, however much one tenant has queued before', async () => {
    for (let at = 0; at < 12; at += 1) await enqueue('a')
    expect(await runReady()).toBe('aa')
    for (let at = 0; at < 3; at += 1) await enqueue('b')
    await enqueue('c')
    const served = await runWindows(7)
    expect(served.map(({ length }) => length)).toEqual([2, 2, 2, 2, 2, 2, 2])
    const next = served.join('')
    expect([...next.slice(0, 3)].toSorted().join('')).toBe('abc')
    expect([...next.slice(0, 7)].filter((tenant) => tenant === 'b')).toHaveLength(3)
  })

  it('are taken across the actions that share a rate', async () => {
    for (let at = 0; at < 6; at += 1) await enqueue('a', { action: 'one' })
    expect(await runReady()).toBe('aa')
    await enqueue('b', { action: 'two' })
    await enqueue('a', { action: 'two' })
    await enqueue('c', { action: 'one' })
    const served = await runWindows(4)
    expect(served.map(({ length }) => length)).toEqual([2, 2, 2, 1])
    expect([...served.join('').slice(0, 3)].toSorted().join('')).toBe('abc')
  })

  it('come after priorities', async () => {
    for (let at = 0; at < 5; at += 1) await enqueue('a', { priority: 1 })
    expect(await runReady()).toBe('aa')
    await enqueue('b')
    await enqueue('c', { priority: 9 })
    expect((await runWindows(3)).join('')).toMatch(/^(ca|ac)aab$/)
  })

  it('give no place to a job that the worker does not serve', async () => {
    for (let at = 0; at < 6; at += 1) await enqueue('a')
    expect(await runReady()).toBe('aa')
    await enqueue('b', { tag: 'unserved' })
    expect(await runWindows(2)).toEqual(['aa', 'aa'])
  })

  it('leave a retry its own time', async () => {
    await enqueue('b')
    const [job] = await queue.claim(1)
    if (job === undefined) throw new Error('There was nothing to claim.')
    const retry = { maxAttempts: 3, delayMs: 2 * WINDOW_MS, backoffFactor: 1 }
    const outcome = { kind: 'failure', error: { name: 'E', message: '' } } as const
    await completeJob(queue.deps, { job, outcome, retry, logs: [] })
    for (let at = 0; at < 3; at += 1) await enqueue('a')
    expect(await runReady()).toBe('a')
    expect(await runWindows(1)).toEqual(['aa'])
    expect(await runWindows(1)).toEqual(['b'])
  })

  it('start a job that was queued while its concurrency key was full', async () => {
    const enqueueSingle = (tenant: string) => queue.enqueue({ action: 'single', input: { tenant } })
    await enqueueSingle('a')
    const [running] = await queue.claim(1)
    if (running === undefined) throw new Error('There was nothing to claim.')
    for (const tenant of ['a', 'a', 'b']) await enqueueSingle(tenant)
    await succeed(running)
    expect(await runWindows(3)).toEqual(['a', 'b', 'a'])
  })

  it('are counted for each value of the rate key', async () => {
    const enqueueIn = (tenant: string, region: string) =>
      queue.enqueue({ action: 'regional', input: { tenant, region } })
    for (let at = 0; at < 4; at += 1) await enqueueIn('a', 'slow')
    expect(await runReady()).toBe('a')
    for (let round = 0; round < 6; round += 1) {
      await enqueueIn('c', 'fast')
      expect(await runReady()).toBe('c')
      await queue.db.write([sql`DELETE FROM rate_starts WHERE key LIKE '%/fast'`])
    }
    await enqueueIn('b', 'slow')
    expect((await runWindows(2)).join('')).toMatch(/^(ab|ba)$/)
  })

  it('do not keep a requeued job from being due at once', async () => {
    await enqueue('a')
    await enqueue('a')
    await enqueue('b')
    const last = await enqueue('a')
    await requeueJob(queue.deps, { ws: WS, id: last, tag: 'gpu', actor: actorFor(BY) })
    expect((await queue.row(last)).ready).toBe(1)
  })

  it('do not change a workspace that is moved away, nor delay others', async () => {
    for (let at = 0; at < 4; at += 1) await enqueue('a')
    expect(await runReady()).toBe('aa')
    await enqueue('b')
    const plain = await queue.enqueue({ priority: 5 })
    await pass(WINDOW_MS)
    const before = await queue.db.all(sql`SELECT id, run_at FROM jobs ORDER BY id`)
    await queue.db.write([holdForMove({ ws: WS, fileId: 'move' }), ...raiseFence(WS)])
    expect(await queue.claim(5)).toEqual([])
    await queue.db.write([...dropFence(WS), sql`DELETE FROM held_workspaces`])
    expect(await queue.db.all(sql`SELECT id, run_at FROM jobs ORDER BY id`)).toEqual(before)
    expect((await queue.claim(1)).map(({ id }) => id)).toEqual([plain])
  })

  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('enqueue' as const),
        tenant: fc.constantFrom<Tenant>('a', 'a', 'b', 'c'),
        count: fc.integer({ min: 1, max: 4 }),
        isOther: fc.boolean(),
      }),
    },
    fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 100, max: 12_000 }) }),
    fc.record({ do: fc.constant('claim' as const), limit: fc.integer({ min: 1, max: 4 }) }),
  )
  type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

  const TENANTS = ['a', 'b', 'c'] as const
  /** One of each turn, and those that were due before it, in two windows. */
  const MOST_PASSED = 6

  /** @param actions that share the rate */
  const openHistory = ([action, other]: readonly [string, string]) => {
    const waiting: Record<Tenant, number> = { a: 0, b: 0, c: 0 }
    const starts: number[] = []
    /** For each tenant, starts of each other one since it began to wait or was served last. */
    const passed: Record<Tenant, Partial<Record<Tenant, number>>> = { a: {}, b: {}, c: {} }
    let clock = 0
    const note = (tenant: Tenant): void => {
      waiting[tenant] -= 1
      passed[tenant] = {}
      for (const other of TENANTS) {
        if (other === tenant || waiting[other] === 0) continue
        const count = (passed[other][tenant] ?? 0) + 1
        expect(count).toBeLessThanOrEqual(MOST_PASSED)
        passed[other][tenant] = count
      }
    }
    const claim = async (limit: number): Promise<void> => {
      for (let left = limit; left > 0; left -= 1) {
        const [job] = await queue.claim(1)
        if (job === undefined) return
        note(tenantOf(job))
        starts.push(clock + Number((await queue.row(job.id)).started_at))
        await succeed(job)
      }
    }
    const wait = async (ms: number): Promise<void> => {
      await pass(ms)
      clock += ms
    }
    const take = async (at: Step): Promise<void> => {
      if (at.do === 'pass') return wait(at.ms)
      if (at.do === 'claim') return claim(at.limit)
      if (waiting[at.tenant] === 0) passed[at.tenant] = {}
      for (let left = at.count; left > 0; left -= 1) {
        await enqueue(at.tenant, { action: at.isOther ? other : action })
      }
      waiting[at.tenant] += at.count
    }
    return { waiting, starts, claim, wait, take }
  }

  it.each([
    ['of one action', ['shared', 'shared']],
    ['that two actions share', ['one', 'two']],
  ] as const)(
    'exceed no rate %s, let every job start, and no tenant wait for the queue of another',
    async (_, actions) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
          await reset()
          const { waiting, starts, claim, wait, take } = openHistory(actions)
          for (const at of steps) await take(at)
          // two jobs start in each window
          const left = waiting.a + waiting.b + waiting.c
          for (let round = Math.ceil(left / 2) + 2; round > 0; round -= 1) {
            await claim(50)
            await wait(WINDOW_MS)
          }
          expect(waiting).toEqual({ a: 0, b: 0, c: 0 })
          for (const [at, time] of starts.entries()) {
            const earlier = starts[at - 2] ?? time - WINDOW_MS
            expect(time - earlier).toBeGreaterThanOrEqual(WINDOW_MS)
          }
        }),
        { numRuns: runs(name === 'a file' ? { short: 15, long: 300 } : { short: 2, long: 20 }) },
      )
    },
    120_000,
  )
})
