/** Rate limits, debounce, scopes of concurrency and fair turns [jobs 18], on both databases. */
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cancelJob } from '#service/queue/cancel-job.ts'
import { enqueueBatch } from '#service/queue/enqueue-batch.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { requeueJob } from '#service/queue/requeue-job.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { completeJob } from '../support/complete-job.ts'
import { APP, BY, openQueue, QUEUE_BACKENDS, type Queue, WS } from '../support/open-queue.ts'
import { superAdminSession } from '../support/principals.ts'
import { runs } from '../support/runs.ts'
import { actorFor } from '../support/test-workspace.ts'

const WINDOW_MS = 10_000
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation
const ACTIONS = [
  { key: 'greet' },
  { key: 'paced', rate: { limit: 2, perS: 10, key: '${input.key}' } },
  { key: 'quiet', debounce: { key: '${input.key}', quietS: 10, maxS: 25 } },
  { key: 'fair', fairKey: '${input.tenant}' },
  { key: 'full', fairKey: '${input.tenant}', concurrency: { limit: 1, key: 'all' } },
  { key: 'wide', fairKey: '${input.tenant}', concurrency: { limit: 3, key: 'all' } },
  {
    key: 'mixed',
    fairKey: '${input.tenant}',
    concurrency: { limit: 1, key: 'all', scope: 'app', name: 'shared' },
  },
  { key: 'one', concurrency: { limit: 1, key: 'all', scope: 'app', name: 'shared' } },
  { key: 'two', concurrency: { limit: 1, key: 'all', scope: 'app', name: 'shared' } },
] as const
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation

describe.each(QUEUE_BACKENDS)('flow control on %s', (name, openDatabase) => {
  let queue: Queue
  beforeAll(async () => {
    const opened = await openDatabase()
    queue = await openQueue(opened.db)
    await queue.deploy(...ACTIONS)
    return opened.close
  })
  beforeEach(async () => {
    await queue.db.write([
      sql`DELETE FROM jobs`,
      sql`DELETE FROM rate_starts`,
      sql`DELETE FROM fair_turns`,
    ])
  })

  const end = (job: ClaimedJob) =>
    completeJob(queue.deps, {
      job,
      outcome: { kind: 'success', resultJson: '1' },
      retry: null,
      logs: [],
    })
  const cancel = (id: string) =>
    cancelJob(queue.deps, { ws: WS, id, caller: superAdminSession(BY), reason: null })
  const requeue = (id: string, tag: string | null = null) =>
    requeueJob(queue.deps, { ws: WS, id, tag, actor: actorFor(BY) })
  /** Lets time pass by moving all times back. */
  const pass = (ms: number) =>
    queue.db.write([
      sql`UPDATE jobs SET run_at = run_at - ${ms}, debounce_until = debounce_until - ${ms} WHERE status = 'queued'`,
      sql`UPDATE rate_starts SET at = at - ${ms}`,
    ])
  const idsOf = (jobs: readonly ClaimedJob[]) => jobs.map(({ id }) => id)
  const waitOf = async (id: string): Promise<number> =>
    Number((await queue.row(id)).run_at) - (await queue.db.now())

  describe('a rate', () => {
    const paced = (key = 'a', more = {}) =>
      queue.enqueue({ action: 'paced', input: { key }, ...more })

    it('places jobs a window apart, which scheduled_for shows', async () => {
      const ids = [await paced(), await paced(), await paced(), await paced(), await paced()]
      expect(idsOf(await queue.claim(10))).toEqual(ids.slice(0, 2))
      const waits = await Promise.all(ids.slice(2).map(waitOf))
      const windows = waits.map((ms) => Math.ceil(ms / WINDOW_MS))
      expect(windows).toEqual([1, 1, 2])
      expect(await queue.claim(10)).toEqual([])
      await pass(WINDOW_MS)
      expect(idsOf(await queue.claim(10))).toEqual(ids.slice(2, 4))
    })

    it('counts each key by itself, and lets other jobs pass', async () => {
      for (let at = 0; at < 5; at += 1) await paced('a')
      const others = [await paced('b'), await queue.enqueue()]
      const claimed = await queue.claim(10)
      expect(claimed).toHaveLength(4)
      expect(idsOf(claimed)).toEqual(expect.arrayContaining(others))
    })

    it('moves the next jobs up when one that waits is canceled', async () => {
      const ids = [await paced(), await paced(), await paced(), await paced(), await paced()]
      await queue.claim(10)
      await cancel(ids[2] ?? '')
      await cancel(ids[3] ?? '')
      expect(await waitOf(ids[4] ?? '')).toBeLessThanOrEqual(WINDOW_MS)
    })

    it('leaves a requeued job its place while the window is full', async () => {
      const ids = [await paced(), await paced(), await paced(), await paced(), await paced()]
      expect(idsOf(await queue.claim(10))).toEqual(ids.slice(0, 2))
      const last = String(ids[4])
      const { run_at: place } = await queue.row(last)
      await requeue(last, 'gpu')
      expect(await queue.row(last)).toMatchObject({ run_at: place, ready: 0, tag: 'gpu' })
      expect(await queue.claim(10, ['default', 'gpu'])).toEqual([])
      expect(await queue.row(last)).toMatchObject({ run_at: place })
    })

    it('gives a requeued job no place of jobs that are due', async () => {
      const ids = [await paced(), await paced(), await paced()]
      const last = String(ids[2])
      const { run_at: place } = await queue.row(last)
      await requeue(last)
      expect(idsOf(await queue.claim(10))).toEqual(ids.slice(0, 2))
      expect(await queue.row(last)).toMatchObject({ run_at: place, ready: 0 })
    })

    it('starts a requeued job at once if jobs of another tag have the places before it', async () => {
      for (let at = 0; at < 4; at += 1) await paced('a', { tag: 'unserved' })
      const last = await paced('a', { tag: 'unserved' })
      await requeue(last, 'default')
      expect(idsOf(await queue.claim(10))).toEqual([last])
    })

    it('starts the highest priority first among those that wait', async () => {
      for (let at = 0; at < 6; at += 1) await paced()
      const urgent = await paced('a', { priority: 9 })
      await queue.claim(10)
      expect(await waitOf(urgent)).toBeLessThanOrEqual(WINDOW_MS)
      await pass(WINDOW_MS)
      expect(idsOf(await queue.claim(10))[0]).toBe(urgent)
    })

    it('starts a job whose place a higher priority took before those behind it', async () => {
      const ids: string[] = []
      for (let at = 0; at < 6; at += 1) ids.push(await paced())
      const urgent = await paced('a', { priority: 9 })
      const claimed: string[][] = []
      for (let window = 0; window < 4; window += 1) {
        claimed.push(idsOf(await queue.claim(10)).toSorted())
        await pass(WINDOW_MS)
      }
      const [a, b, c, d, e, f] = ids
      expect(claimed).toEqual([[a, b], [c, urgent], [d, e], [f]])
    })

    it('holds for jobs that a batch queues, and for retries', async () => {
      const items = Array.from({ length: 7 }, () => ({
        ws: WS,
        app: APP,
        action: 'paced',
        input: { key: 'batch' },
        inputJson: '{"key":"batch"}',
        triggerKind: 'api' as const,
        createdBy: BY,
        permissionedAs: BY,
      }))
      await enqueueBatch(enqueueDepsOf(queue.deps), WS, items)
      const [first, ...others] = await queue.claim(10)
      expect(others).toHaveLength(1)
      if (first === undefined) throw new Error('Nothing was claimed.')
      await completeJob(queue.deps, {
        job: first,
        outcome: { kind: 'failure', error: { name: 'E', message: '' } },
        retry: { maxAttempts: 3, delayMs: 0, backoffFactor: 1 },
        logs: [],
      })
      expect(await queue.claim(10)).toEqual([])
      expect((await queue.row(first.id)).status).toBe('queued')
    })

    it.each([0, 1])('places a retry after %i ms behind the jobs that wait', async (delayMs) => {
      const ids = [await paced(), await paced(), await paced(), await paced()]
      const [first] = await queue.claim(10)
      if (first === undefined) throw new Error('Nothing was claimed.')
      await completeJob(queue.deps, {
        job: first,
        outcome: { kind: 'failure', error: { name: 'E', message: '' } },
        retry: { maxAttempts: 3, delayMs, backoffFactor: 1 },
        logs: [],
      })
      await expect.poll(() => queue.claim(10).then(() => waitOf(first.id))).toBeGreaterThan(0)
      const waits = await Promise.all([...ids.slice(2), first.id].map(waitOf))
      expect(waits.map((ms) => Math.ceil(ms / WINDOW_MS))).toEqual([1, 1, 2])
      const order: string[] = []
      for (let window = 0; window < 2; window += 1) {
        await pass(WINDOW_MS)
        order.push(...idsOf(await queue.claim(10)))
      }
      expect(order).toEqual([...ids.slice(2), first.id])
    })

    it('spreads a backlog that comes due at once, and reaches what is behind it', async () => {
      for (let at = 0; at < 80; at += 1) await paced('a')
      await pass(1_000 * WINDOW_MS)
      const plain = await queue.enqueue()
      const claimed = [...idsOf(await queue.claim(10)), ...idsOf(await queue.claim(10))]
      expect(claimed).toContain(plain)
      expect(claimed).toHaveLength(3)
      expect(await queue.claim(10)).toEqual([])
      await pass(WINDOW_MS)
      expect(await queue.claim(10)).toHaveLength(2)
    })

    it('refuses an input without the key', async () => {
      await expect(queue.enqueue({ action: 'paced', input: {} })).rejects.toMatchObject({
        code: 'missing_rate_key',
      })
    })

    const step = fc.oneof(
      fc.record({
        do: fc.constant('enqueue' as const),
        key: fc.constantFrom('a', 'b'),
        priority: fc.integer({ min: -1, max: 1 }),
      }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 100, max: 7_000 }) }),
      fc.record({ do: fc.constant('claim' as const), limit: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ do: fc.constant('cancel' as const), nth: fc.nat(20) }),
    )
    type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

    const openHistory = () => {
      const waiting: string[] = []
      const starts: Record<string, number[]> = { a: [], b: [] }
      let clock = 0
      const claim = async (limit: number): Promise<void> => {
        for (const job of await queue.claim(limit)) {
          const { key } = JSON.parse(job.inputJson)
          starts[key]?.push(clock + Number((await queue.row(job.id)).started_at))
          waiting.splice(waiting.indexOf(job.id), 1)
          await end(job)
        }
      }
      const wait = async (ms: number): Promise<void> => {
        await pass(ms)
        clock += ms
      }
      const take = async (at: Step): Promise<void> => {
        if (at.do === 'enqueue') waiting.push(await paced(at.key, { priority: at.priority }))
        else if (at.do === 'pass') await wait(at.ms)
        else if (at.do === 'claim') await claim(at.limit)
        else for (const id of waiting.splice(at.nth, 1)) await cancel(id)
      }
      return { waiting, starts, claim, wait, take }
    }

    const checkStarts = (times: readonly number[]): void => {
      for (const [at, time] of times.entries()) {
        const earlier = times[at - 2]
        if (earlier !== undefined) expect(time - earlier).toBeGreaterThanOrEqual(WINDOW_MS)
      }
    }

    it('is never exceeded in any window, and starts every job in time', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
          await queue.db.write([sql`DELETE FROM jobs`, sql`DELETE FROM rate_starts`])
          const { waiting, starts, claim, wait, take } = openHistory()
          for (const at of steps) await take(at)
          // two jobs start in each window
          for (let left = Math.ceil(waiting.length / 2) + 2; left > 0; left -= 1) {
            await claim(50)
            await wait(WINDOW_MS)
          }
          expect(waiting).toEqual([])
          for (const times of Object.values(starts)) checkStarts(times)
        }),
        { numRuns: runs(name === 'a file' ? { short: 30, long: 300 } : { short: 3, long: 20 }) },
      )
    }, 120_000)
  })

  describe('a debounce', () => {
    const quiet = (n: number, more = {}) =>
      queue.enqueue({ action: 'quiet', input: { key: 'a', n }, ...more })
    const inputOf = async (id: string) =>
      JSON.parse(
        String((await queue.db.one(sql`SELECT input FROM job_inputs WHERE job_id = ${id}`))?.input),
      )

    it('makes one job of requests that come close together, with the last input', async () => {
      const first = await quiet(1)
      await pass(6_000)
      expect(await quiet(2)).toBe(first)
      await pass(6_000)
      expect(await queue.claim(5)).toEqual([])
      expect(await quiet(3)).toBe(first)
      await pass(9_000)
      expect(await queue.claim(5)).toEqual([])
      await pass(1_000)
      const [job] = await queue.claim(5)
      expect([job?.id, JSON.parse(job?.inputJson ?? '')]).toEqual([first, { key: 'a', n: 3 }])
      expect(await quiet(4)).not.toBe(first)
    })

    it('waits no longer than maxS, keeps keys apart, and does not touch chosen times', async () => {
      const first = await quiet(1)
      for (const n of [2, 3, 4]) {
        await pass(8_000)
        expect(await quiet(n)).toBe(first)
      }
      expect(await waitOf(first)).toBeLessThanOrEqual(1_000)
      await pass(1_000)
      expect(await queue.claim(5)).toMatchObject([{ id: first }])
      const a = await quiet(5)
      const b = await queue.enqueue({ action: 'quiet', input: { key: 'b' } })
      const later = await quiet(6, { delayMs: 60_000 })
      expect(new Set([a, b, later]).size).toBe(3)
      expect(await inputOf(a)).toEqual({ key: 'a', n: 5 })
    })

    it('takes the tag of the last request, and of its deployment', async () => {
      const tag = async (id: string) => (await queue.row(id)).tag
      const first = await quiet(1, { tag: 'gpu' })
      expect(await quiet(2)).toBe(first)
      expect(await tag(first)).toBe('default')
      const [, , own, ...others] = ACTIONS
      await queue.deploy({ ...own, tag: 'large' }, ...others, { key: 'greet' })
      expect(await quiet(3)).toBe(first)
      expect(await tag(first)).toBe('large')
      await pass(10_000)
      expect(await queue.claim(5)).toEqual([])
      expect(idsOf(await queue.claim(5, ['large']))).toEqual([first])
      await queue.deploy(...ACTIONS)
    })

    it('answers a repeated Idempotency-Key without a push', async () => {
      const idempotency = { credential: 'c', route: 'r', key: 'k', bodyHash: 'h' }
      const first = await quiet(1)
      expect(await quiet(2, { idempotency })).toBe(first)
      await quiet(3)
      expect(await quiet(2, { idempotency })).toBe(first)
      expect(await inputOf(first)).toEqual({ key: 'a', n: 3 })
    })

    it('loses no last input, whatever is claimed meanwhile', async () => {
      for (let round = 0; round < (name === 'a file' ? 10 : 2); round += 1) {
        await queue.db.write([sql`DELETE FROM jobs`])
        const accepted = new Map<string, number>()
        const claimed: ClaimedJob[] = []
        for (let n = 0; n < 12; n += 1) {
          const requests = [
            quiet(n).then((id) => accepted.set(id, Math.max(n, accepted.get(id) ?? 0))),
          ]
          if (n % 3 === round % 3) await pass(11_000)
          await Promise.all([...requests, queue.claim(5).then((jobs) => claimed.push(...jobs))])
        }
        await pass(11_000)
        claimed.push(...(await queue.claim(5)))
        const ran = new Map(claimed.map(({ id, inputJson }) => [id, JSON.parse(inputJson).n]))
        for (const [id, n] of accepted) expect([id, ran.get(id)]).toEqual([id, n])
        expect([...ran.values()]).toContain(11)
      }
    }, 120_000)

    const item = (n: number, action = 'quiet') => ({
      ws: WS,
      app: APP,
      action,
      input: { key: 'a', n },
      inputJson: JSON.stringify({ key: 'a', n }),
      triggerKind: 'api' as const,
      createdBy: BY,
      permissionedAs: BY,
    })

    it('makes one job of two items of a batch', async () => {
      const deps = enqueueDepsOf(queue.deps)
      const { ids, queued } = await enqueueBatch(deps, WS, [item(1), item(2)])
      const [first, second] = ids
      expect(first).toBe(second)
      expect(queued).toBe(1)
      expect(await inputOf(first ?? '')).toEqual({ key: 'a', n: 2 })
    })

    it.each(['quiet', 'greet'])('lets a batch join a job that waits, with %s', async (other) => {
      const waiting = await quiet(1)
      const items = [item(2), item(3, other)]
      const { ids, queued } = await enqueueBatch(enqueueDepsOf(queue.deps), WS, items)
      expect(queued).toBe(other === 'quiet' ? 0 : 1)
      expect(ids[0]).toBe(waiting)
      expect(ids[1] === waiting).toBe(other === 'quiet')
      expect(await inputOf(waiting)).toEqual({ key: 'a', n: other === 'quiet' ? 3 : 2 })
    })
  })

  describe('a fairKey', () => {
    const fair = (tenant: string, more = {}) =>
      queue.enqueue({ action: 'fair', input: { tenant }, ...more })
    const tenantOf = ({ inputJson }: ClaimedJob): string => JSON.parse(inputJson).tenant
    const order = async (count: number): Promise<string[]> => {
      const served: string[] = []
      for (let at = 0; at < count; at += 1) {
        const [job] = await queue.claim(1)
        if (job === undefined) break
        served.push(tenantOf(job))
        await end(job)
      }
      return served
    }

    it('lets tenants take turns, however much one has queued before', async () => {
      for (let at = 0; at < 20; at += 1) await fair('a')
      expect(await order(5)).toEqual(['a', 'a', 'a', 'a', 'a'])
      for (let at = 0; at < 3; at += 1) await fair('b')
      await fair('c')
      const next = await order(8)
      expect(next.filter((tenant) => tenant === 'b')).toHaveLength(3)
      expect(next.slice(0, 4)).toEqual(expect.arrayContaining(['b', 'c']))
    })

    describe('under a full concurrency key', () => {
      const full = (tenant: string, action = 'full', more = {}) =>
        queue.enqueue({ action, input: { tenant }, ...more })

      it('lets tenants take turns, whether their jobs came before or after the key was full', async () => {
        for (let at = 0; at < 4; at += 1) await full('a')
        const [running] = await queue.claim(5)
        for (let at = 0; at < 4; at += 1) await full('a')
        for (let at = 0; at < 3; at += 1) await full('b')
        await full('c')
        if (running !== undefined) await end(running)
        const next = await order(20)
        expect(next).toHaveLength(11)
        expect(next.slice(0, 3).toSorted()).toEqual(['a', 'b', 'c'])
        expect(next.slice(0, 7).filter((tenant) => tenant === 'b')).toHaveLength(3)
      })

      it('fills all places of the key', async () => {
        for (let at = 0; at < 8; at += 1) await full('a', 'wide')
        let running = await queue.claim(5)
        for (let at = 0; at < 3; at += 1) await full('b', 'wide')
        const served: string[] = []
        for (let round = 0; round < 4; round += 1) {
          served.push(running.map(tenantOf).toSorted().join(''))
          for (const job of running) await end(job)
          running = await queue.claim(5)
        }
        expect(served).toEqual(['aaa', 'aab', 'abb', 'aa'])
      })

      it('goes by priority before turns', async () => {
        await full('a')
        const [running] = await queue.claim(1)
        await full('a')
        await full('a')
        await full('b')
        await full('c', 'full', { priority: 5 })
        if (running !== undefined) await end(running)
        expect(await order(4)).toEqual(['c', 'a', 'b', 'a'])
      })

      it('leaves another action that shares the key its place', async () => {
        const plain = (tenant: string) => queue.enqueue({ action: 'one', input: { tenant } })
        await plain('first')
        const [running] = await queue.claim(1)
        await full('a', 'mixed')
        await plain('p')
        await full('a', 'mixed')
        await full('b', 'mixed')
        await plain('q')
        if (running !== undefined) await end(running)
        expect(await order(5)).toEqual(['a', 'p', 'b', 'a', 'q'])
      })
    })

    it('does not let a tenant that always has one more job keep another waiting', async () => {
      for (let at = 0; at < 5; at += 1) await fair('b')
      const served: string[] = []
      for (let at = 0; at < 10; at += 1) {
        await fair('a')
        served.push(...(await order(1)))
      }
      expect(served.filter((tenant) => tenant === 'b')).toHaveLength(5)
    })

    it('goes by priority before turns, and leaves other actions their place', async () => {
      for (let at = 0; at < 4; at += 1) await fair('a')
      const plain = await queue.enqueue()
      await fair('b', { priority: 5 })
      const [first] = await queue.claim(1)
      expect(first === undefined ? '' : tenantOf(first)).toBe('b')
      expect(idsOf(await queue.claim(5))).toContain(plain)
    })

    it.each(['fair', 'full'])(
      'serves no two tenants by more than one job apart while both wait, for the action %s',
      async (action) => {
        const tenant = fc.constantFrom('a', 'b', 'c')
        const arrivals = fc.array(fc.record({ tenant, claims: fc.nat(2) }), {
          minLength: 3,
          maxLength: 30,
        })
        await fc.assert(
          fc.asyncProperty(arrivals, async (list) => {
            await queue.db.write([sql`DELETE FROM jobs`, sql`DELETE FROM fair_turns`])
            const waiting: Record<string, number> = { a: 0, b: 0, c: 0 }
            /** Jobs of each other tenant that were served since a tenant began to wait or was last served. */
            const passed: Record<string, Record<string, number>> = { a: {}, b: {}, c: {} }
            const serve = async (): Promise<void> => {
              const [served] = await order(1)
              if (served === undefined) return
              waiting[served] = (waiting[served] ?? 0) - 1
              passed[served] = {}
              for (const [other, count] of Object.entries(waiting)) {
                const seen = passed[other]
                if (other === served || count === 0 || seen === undefined) continue
                seen[served] = (seen[served] ?? 0) + 1
                expect(seen[served]).toBeLessThanOrEqual(2)
              }
            }
            for (const { tenant: name, claims } of list) {
              if (waiting[name] === 0) passed[name] = {}
              await queue.enqueue({ action, input: { tenant: name } })
              waiting[name] = (waiting[name] ?? 0) + 1
              for (let at = 0; at < claims; at += 1) await serve()
            }
            for (let at = list.length; at > 0; at -= 1) await serve()
            expect(waiting).toEqual({ a: 0, b: 0, c: 0 })
          }),
          { numRuns: runs(name === 'a file' ? { short: 30, long: 300 } : { short: 3, long: 20 }) },
        )
      },
      120_000,
    )
  })

  it('a limit of concurrency is shared by actions of the same name', async () => {
    await queue.enqueue({ action: 'one' })
    const second = await queue.enqueue({ action: 'two' })
    const [first, ...others] = await queue.claim(10)
    expect(others).toEqual([])
    if (first !== undefined) await end(first)
    expect(await queue.claim(10)).toMatchObject([{ id: second }])
  })
})
