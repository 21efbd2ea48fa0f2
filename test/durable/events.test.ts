/** Events that jobs send and wait for, through a real sandbox into the database and back [events 2] [jobs 15.3]. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { JsonValue } from '#core/json/value.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { deliverPendingEvents } from '#service/events/deliver-pending-events.ts'
import { sendEvent } from '#service/events/send-event.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { createJobRunner, type JobRunner } from '#service/queue/run-job.ts'
import { sweepExpired } from '#service/sweep.ts'
import { sql } from '#store/sql.ts'
import { denoProvider, openPool } from '../sandbox/job.ts'
import { BY, openQueue, type Queue, WS } from '../support/open-queue.ts'
import { openTemporaryDatabase } from '../support/temporary-database.ts'
import { deployCode, passTime, resultOf, runOne, stepsOf } from './run-durable.ts'

const ACTIONS = {
  sends: `export const main = async (ctx) => {
    const ids = [await ctx.sendEvent('order.paid', { key: 'o1', data: { n: 1 } })]
    ids.push(await ctx.step('note', async () => [await ctx.sendEvent('noted'), await ctx.sendEvent('noted')]))
    ids.push(await ctx.sendEvent('order.paid', { key: '7', id: 'own' }))
    await ctx.sleep('rest', { days: 2 })
    ids.push(await ctx.sendEvent('order.shipped'))
    if (ctx.job.attempt === 1) throw new Error('later')
    return ids
  }`,
  retries: `export const main = async (ctx) => {
    const sent = []
    await ctx.step('note', async () => {
      const { eventId } = await ctx.sendEvent('noted')
      sent.push(eventId)
      if (sent.length < 3) throw new Error('later')
    }, { retry: { maxAttempts: 3, delayMs: 0 } })
    return sent
  }`,
  tries: `export const main = async (ctx) => {
    const results = []
    for (const [method, ...args] of ctx.input.calls) {
      try { results.push(await ctx[method](...args)) } catch ({ name, code }) { results.push({ name, code }) }
    }
    return results
  }`,
  waits: `export const main = async (ctx) => {
    await ctx.step('first', () => 1)
    await ctx.sleep('rest', { hours: 1 })
    const wait = (name) => ctx.waitForEvent(name, { name: 'order.paid', match: 'o9', timeoutS: 60 })
    const one = await wait('one')
    const two = await wait('two')
    return [one?.data ?? null, two?.data ?? null]
  }`,
}
const SETTINGS = { sends: ', retry: { maxAttempts: 2, delayMs: 0 }' }

let queue: Queue
let sandbox: Sandbox
let runner: JobRunner
let faultAt: string | null = null
const cleanups: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const { db, close } = await openTemporaryDatabase()
  cleanups.push(close)
  queue = await openQueue(db)
  sandbox = openPool(denoProvider())
  cleanups.push(() => sandbox.close())
  const passFault = (point: string): void => {
    if (point === faultAt) throw new Error('The process ends here.')
  }
  runner = createJobRunner({ ...queue.deps, passFault, sandbox, baseUrl: 'http://svc.test' })
  await deployCode(queue, ACTIONS, SETTINGS)
})
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
})
afterEach(async () => {
  faultAt = null
  const tables = [sql`DELETE FROM event_waits`, sql`DELETE FROM events`]
  await queue.db.write([sql`DELETE FROM jobs WHERE status IN ('queued', 'running')`, ...tables])
})

const start = (action: keyof typeof ACTIONS, input: JsonValue = {}, more = {}) =>
  queue.enqueue({ ...more, action, input })
const deps = () => ({ ...queue.deps, ...enqueueDepsOf(queue.deps) })
const run = () => runOne(queue, runner)
const events = () =>
  queue.db.all(sql`SELECT id, name, key, sent_by, chain_depth FROM events ORDER BY rowid`)
const send = (key: string, data: JsonValue) =>
  sendEvent(deps(), { ws: WS, name: 'order.paid', key, data, id: null, sentBy: BY })

describe('ctx.sendEvent', () => {
  it('sends each event once, over a suspension and a further attempt', async () => {
    const id = await start('sends')
    expect(await run()).toMatchObject({ ended: 'suspended' })
    const sentBy = { sent_by: `job:${id}`, chain_depth: 1 }
    const before = await events()
    expect(before).toMatchObject([
      { name: 'order.paid', key: 'o1', ...sentBy },
      { name: 'noted', key: null, ...sentBy },
      { name: 'noted', key: null, ...sentBy },
      { id: 'own', name: 'order.paid', key: '7', ...sentBy },
    ])
    // the events are deleted before the job continues
    await queue.db.write([sql`DELETE FROM events WHERE id <> 'own'`])
    await passTime(queue, id)
    expect(await run()).toMatchObject({ ended: 'retrying' })
    await queue.db.write([sql`UPDATE jobs SET run_at = 1, ready = 1 WHERE id = ${id}`])
    expect(await run()).toMatchObject({ ended: 'success' })
    const after = await events()
    expect(after).toMatchObject([before[3], { name: 'order.shipped', key: null, ...sentBy }])
    const [first, second, third, own] = before.map((event) => ({ eventId: event.id }))
    const last = { eventId: after[1]?.id }
    expect(await resultOf(queue, id)).toEqual([first, [second, third], own, last])
  })

  it('sends its event once when its step is tried again in the same attempt', async () => {
    const id = await start('retries')
    expect(await run()).toMatchObject({ ended: 'success' })
    const [sent, ...others] = await events()
    expect(others).toEqual([])
    expect(await resultOf(queue, id)).toEqual([sent?.id, sent?.id, sent?.id])
  })

  it('shares its count with ctx.run, and refuses another target under the same number', async () => {
    const id = await start('tries', {
      calls: [
        ['run', 'tries', { calls: [] }],
        ['sendEvent', 'a'],
      ],
    })
    const [job] = await queue.claim(1)
    if (job === undefined) throw new Error('There was nothing to claim.')
    const attempt = async (calls: JsonValue, number: number) => {
      const claimed = { ...job, attempt: number, inputJson: JSON.stringify({ calls }) }
      const action = await runner.findAction(claimed)
      const { signal } = new AbortController()
      const outcome = await runner.run({ job: claimed, action, onLog: () => undefined, signal })
      return outcome.kind === 'success' ? JSON.parse(outcome.resultJson) : outcome
    }
    const first = await attempt(
      [
        ['run', 'tries', { calls: [] }],
        ['sendEvent', 'a'],
      ],
      1,
    )
    expect(first).toMatchObject([{ jobId: expect.any(String) }, { eventId: expect.any(String) }])
    // as after a crash: the number of the call is already used
    await queue.db.write([sql`UPDATE jobs SET attempt = 2 WHERE id = ${id}`])
    expect(
      await attempt(
        [
          ['sendEvent', 'a'],
          ['sendEvent', 'b'],
        ],
        2,
      ),
    ).toMatchObject([{ code: 'idempotency_mismatch' }, { code: 'idempotency_mismatch' }])
    expect(await events()).toHaveLength(1)
  })

  it('refuses what is not an event, and the end of a chain', async () => {
    const calls = [
      ['sendEvent', 'Order'],
      ['sendEvent', 7],
      ['sendEvent', 'a', 'text'],
    ]
    const bad = [...calls, ['sendEvent', 'a', { keys: 'x' }], ['sendEvent', 'a', { key: '' }]]
    const id = await start('tries', { calls: bad })
    await run()
    expect(await resultOf(queue, id)).toMatchObject(bad.map(() => ({ code: 'invalid' })))
    const deep = await start('tries', { calls: [['sendEvent', 'a']] }, { chainDepth: 20 })
    await run()
    expect(await resultOf(queue, deep)).toMatchObject([{ name: 'ChainTooDeep' }])
    expect(await events()).toEqual([])
  })
})

describe('ctx.waitForEvent', () => {
  const begin = async (): Promise<string> => {
    const id = await start('waits')
    expect(await run()).toMatchObject({ id, ended: 'suspended' })
    return id
  }

  it('takes the oldest events that came since its job began, each once', async () => {
    await send('o9', 'before the job')
    await new Promise((go) => setTimeout(go, 5))
    const id = await begin()
    await send('o8', 'of another key')
    await send('o9', 'one')
    await send('o9', 'two')
    await passTime(queue, id)
    expect(await run()).toMatchObject({ ended: 'success' })
    expect(await resultOf(queue, id)).toEqual(['one', 'two'])
    expect(JSON.stringify(await stepsOf(queue, id, 'result'))).not.toContain('two\\"')
  })

  it('takes none that is older than the time to look back', async () => {
    const id = await begin()
    await send('o9', 'old')
    await queue.db.write([
      sql`UPDATE jobs SET began_at = 1, started_at = 1 WHERE id = ${id}`,
      sql`UPDATE events SET at = at - ${queue.deps.limits.eventLookbackMs}`,
    ])
    await passTime(queue, id)
    expect(await run()).toMatchObject({ ended: 'suspended' })
    await send('o9', 'new')
    expect(await run()).toMatchObject({ ended: 'suspended' })
    await passTime(queue, id)
    await run()
    expect(await resultOf(queue, id)).toEqual(['new', null])
  })

  it.each([
    ['at once', 0],
    ['two days later', 2],
  ])(
    'loses none when its process ends after it has taken the event, and it runs again %s',
    async (_, days) => {
      const id = await begin()
      await send('o9', 'one')
      await passTime(queue, id)
      faultAt = 'step_committed'
      const [job] = await queue.claim(1)
      if (job === undefined) throw new Error('There was nothing to claim.')
      const action = await runner.findAction(job)
      const { signal } = new AbortController()
      await runner.run({ job, action, onLog: () => undefined, signal })
      expect(await stepsOf(queue, id, "name, status, result IS NULL AS 'open'")).toContainEqual({
        name: 'one',
        status: 'running',
        open: 1,
      })
      faultAt = null
      await queue.db.write([sql`UPDATE events SET at = at - ${days * 86_400_000}`])
      await sweepExpired(queue.deps, { signal })
      await queue.expire(id)
      await rescueJobs(queue.deps)
      expect(await run()).toMatchObject({ ended: 'suspended' })
      await send('o9', 'two')
      await deliverPendingEvents(deps())
      expect(await run()).toMatchObject({ ended: 'success' })
      expect(await resultOf(queue, id)).toEqual(['one', 'two'])
    },
  )
})
