/** Debounced requests of actions with other limits [jobs 18.3], on both databases. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { completeJob } from '../support/complete-job.ts'
import { openQueue, QUEUE_BACKENDS, type Queue } from '../support/open-queue.ts'

const QUIET_MS = 10_000
const MAX_MS = 25_000
const WINDOW_MS = 10_000
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation
const debounce = { key: '${input.key}', quietS: QUIET_MS / 1_000, maxS: MAX_MS / 1_000 }
const ACTIONS = [
  { key: 'greet' },
  { key: 'plain', debounce },
  { key: 'paced', debounce, rate: { limit: 1, perS: WINDOW_MS / 1_000, key: 'all' } },
  { key: 'fair', debounce, fairKey: '${input.tenant}' },
  { key: 'keyed', debounce, concurrency: { limit: 1, key: '${input.tenant}' } },
] as const
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation

describe.each(QUEUE_BACKENDS)('debounced requests on %s', (_, openDatabase) => {
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

  const request = (action: string, key: string, tenant = 'a') =>
    queue.enqueue({ action, input: { key, tenant } })
  const end = (job: ClaimedJob) =>
    completeJob(queue.deps, {
      job,
      outcome: { kind: 'success', resultJson: '1' },
      retry: null,
      logs: [],
    })
  /** Lets time pass by moving all times back. */
  const pass = (ms: number) =>
    queue.db.write([
      sql`UPDATE jobs SET run_at = run_at - ${ms}, debounce_until = debounce_until - ${ms} WHERE status = 'queued'`,
      sql`UPDATE rate_starts SET at = at - ${ms}`,
    ])
  const idsOf = (jobs: readonly ClaimedJob[]) => jobs.map(({ id }) => id)

  it('keep the place in the queue that the job has had since maxS', async () => {
    const first = await request('plain', 'k')
    await pass(MAX_MS)
    const behind = await queue.enqueue()
    await pass(1_000)
    expect(await request('plain', 'k')).toBe(first)
    expect(idsOf(await queue.claim(1))).toEqual([first])
    expect(idsOf(await queue.claim(1))).toEqual([behind])
  })

  it('keep the place that the job has in its rate', async () => {
    const first = await request('paced', 'first')
    const pushed = await request('paced', 'k')
    await pass(MAX_MS)
    expect(idsOf(await queue.claim(10))).toEqual([first])
    const behind = [await request('paced', 'x'), await request('paced', 'y')]
    const order: string[] = []
    for (let window = 0; window < 5; window += 1) {
      await pass(WINDOW_MS)
      if (!order.includes(pushed)) expect(await request('paced', 'k')).toBe(pushed)
      order.push(...idsOf(await queue.claim(10)))
    }
    expect(order).toEqual([pushed, ...behind])
  })

  it('wait at least quietS, whatever place the job has in its rate', async () => {
    const first = await request('paced', 'first')
    await pass(QUIET_MS)
    const pushed = await request('paced', 'k')
    expect(idsOf(await queue.claim(10))).toEqual([first])
    await pass(QUIET_MS)
    await request('paced', 'k')
    expect(await queue.claim(10)).toEqual([])
    await pass(QUIET_MS)
    expect(idsOf(await queue.claim(10))).toEqual([pushed])
  })

  it('keep the input of a newer request when one that waited for room joins late', async () => {
    const since = await queue.db.now()
    const inputOf = async (id: string) =>
      JSON.parse(
        String((await queue.db.one(sql`SELECT input FROM job_inputs WHERE job_id = ${id}`))?.input),
      ).tenant
    const late = (tenant: string, requestedAt: number) =>
      queue.enqueue({ action: 'plain', input: { key: 'k', tenant }, requestedAt })
    const first = await late('held', since - 9_000)
    expect(await late('held-later', since - 8_000)).toBe(first)
    expect(await inputOf(first)).toBe('held-later')
    await request('plain', 'k', 'newest')
    const { run_at: place } = await queue.row(first)
    expect(await late('held-last', since - 7_000)).toBe(first)
    expect(await inputOf(first)).toBe('newest')
    expect((await queue.row(first)).run_at).toBe(place)
    // after the clock was set back, the times do not show which is newer
    await queue.db.write([sql`UPDATE jobs SET debounced_at = debounced_at + 3600000`])
    await late('held-now', await queue.db.now())
    expect(await inputOf(first)).toBe('held-now')
    await pass(QUIET_MS)
    expect(idsOf(await queue.claim(10))).toEqual([first])
  })

  it('take the turn of the last input', async () => {
    const moved = await request('fair', 'k', 'a')
    const ofA = await request('fair', 'w', 'a')
    const ofB = await request('fair', 'x', 'b')
    await request('fair', 'k', 'b')
    await pass(QUIET_MS)
    const order = []
    for (let at = 0; at < 3; at += 1) order.push(...idsOf(await queue.claim(1)))
    expect(order).toEqual([ofB, ofA, moved])
  })

  it('leave a concurrency key to the jobs that wait for it', async () => {
    const running = await request('keyed', 'r', 'a')
    await pass(MAX_MS)
    const [job] = await queue.claim(1)
    expect(job?.id).toBe(running)
    const moved = await request('keyed', 'k', 'a')
    await pass(1_000)
    const waits = await request('keyed', 'w', 'a')
    await pass(MAX_MS)
    expect(await queue.claim(10)).toEqual([])
    if (job !== undefined) await end(job)
    await request('keyed', 'k', 'b')
    expect(idsOf(await queue.claim(10)).toSorted()).toEqual([moved, waits].toSorted())
  })
})
