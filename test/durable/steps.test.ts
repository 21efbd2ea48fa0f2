/** Durable steps from the queue through a real sandbox into the database and back [durable 1 to 3]. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { JsonValue } from '#core/json/value.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { sendEvent } from '#service/events/send-event.ts'
import { cancelJob } from '#service/queue/cancel-job.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { createJobRunner, type JobRunner } from '#service/queue/run-job.ts'
import { countOpenJobs, countQueued, countSuspended } from '#store/jobs/count.ts'
import { findJob } from '#store/jobs/read.ts'
import { sql } from '#store/sql.ts'
import { releaseWorkspace } from '#store/workspaces/held.ts'
import { holdForMove } from '#store/workspaces/moved.ts'
import { BY, type Queue, WS } from '../support/open-queue.ts'
import { openRunner } from '../support/open-runner.ts'
import { adminSession } from '../support/principals.ts'
import { deployCode, passTime, resultOf, runOne, stepsOf } from './run-durable.ts'

const ACTIONS = {
  charge: `export const main = async (ctx) => {
    const first = await ctx.step('first', () => { console.log('first runs'); return { at: new Date(0), n: 1 } })
    const now = ctx.now()
    await ctx.sleep('cool-off', { days: 2 })
    const second = await ctx.step('second', () => { console.log('second runs'); return first.n + 1 })
    return { first, second, isSame: now === first.seen || typeof now === 'number', now, attempt: ctx.job.attempt }
  }`,
  caught: `export const main = async (ctx) => {
    let caught = null
    try { await ctx.step('bad', () => { console.log('bad runs'); throw Object.assign(new RangeError('no'), { code: 'DECLINED' }) }) } catch (error) { caught = [error.name, error.message, error.code].join(' ') }
    await ctx.sleep('pause', { minutes: 1 })
    return caught
  }`,
  undone: `export const main = async (ctx) => {
    try {
      return await ctx.step('book', () => { console.log('book runs'); throw new Error('sold out') })
    } catch (error) {
      await ctx.step('undo', () => console.log('undo runs'))
      if (ctx.job.attempt === 1) await new Promise((go) => setTimeout(go, 60000))
      if (ctx.input.fails) throw error
      return error.message
    }
  }`,
  cut: `export const main = async (ctx) => {
    await ctx.step('Hello 👋'.slice(0, 7), () => { console.log('cut runs') })
    await ctx.sleep('pause', { minutes: 1 })
    return await ctx.step('a\\0b', () => 1).catch((error) => error.message)
  }`,
  retried: `export const main = async (ctx) => ctx.step('flaky', async () => {
    const n = await ctx.state.update('tries', (n) => (n ?? 0) + 1)
    if (n < 3) throw new Error('try ' + n)
    return n
  }, { retry: { maxAttempts: 3, delayMs: 1 } })`,
  later: `export const main = async (ctx) => ctx.step('flaky', async () => {
    const n = await ctx.state.update('later', (n) => (n ?? 0) + 1)
    if (n < 2) throw new Error('try ' + n)
    return n
  }, { retry: { maxAttempts: 3, delayMs: 60000 } })`,
  parallel: `export const main = async (ctx) => {
    const parts = await Promise.all([
      ctx.sleep('a', { hours: 1 }),
      ctx.sleep('b', { hours: 1 }),
      (async () => {
        await new Promise((go) => setTimeout(go, 50))
        return await ctx.step('c', () => 'c')
      })(),
    ])
    return parts[2]
  }`,
  parent: `export const main = async (ctx) => {
    try { return await ctx.call('child', 'child', { a: ctx.input.a }) } catch ({ name, message, code, action, jobId }) { return { name, message, code, action, jobId } }
  }`,
  unknown: `export const main = async (ctx) => {
    try { return await ctx.call('child', 'nowhere') } catch (error) { return { name: error.name, code: error.code } }
  }`,
  refused: `export const main = async (ctx) => {
    const call = () => ctx.call('child', 'strict', { a: 'one' })
    try { return await call() } catch ({ code, details }) { return { code, details } }
  }`,
  strict: 'export const main = () => 1',
  child: `export const main = async (ctx) => {
    if (ctx.input.a === 'fail') throw new TypeError('child failed')
    if (ctx.input.a === 'sleep') await ctx.sleep('s', { days: 1 })
    return { got: ctx.input.a }
  }`,
  waits: `export const main = async (ctx) => ctx.waitForEvent('paid', { name: 'order.paid', match: 'o1', timeoutS: 60 })`,
  waitsTwice: `export const main = async (ctx) => {
    await ctx.sleep('pause', { hours: 1 })
    const wait = async (name) => (await ctx.waitForEvent(name, { name: 'order.paid', match: 'o1', timeoutS: 60 }))?.data
    return [await wait('first'), await wait('second')]
  }`,
  changing: `export const main = async (ctx) => {
    await ctx.step('way-' + await ctx.state.update('way', (n) => (n ?? 0) + 1), () => 1)
    await ctx.sleep('pause', { seconds: 30 })
  }`,
  names: `export const main = async (ctx) => {
    const name = async (act) => { try { await act(); return 'kept' } catch ({ name, message }) { return name } }
    await ctx.step('x', () => 1)
    return [
      await name(() => ctx.step('x', () => 2)),
      await name(() => ctx.step('', () => 2)),
      await name(() => ctx.step('big', () => 'x'.repeat(4_194_304))),
      await name(() => ctx.step('function', () => () => 1)),
      await name(() => ctx.step('outer', () => ctx.step('inner', () => 1))),
      await name(() => ctx.sleep('s', { days: 367 })),
      await name(() => ctx.sleep('s', { fortnights: 1 })),
    ]
  }`,
}

const SETTINGS = {
  undone: ', retry: { maxAttempts: 3, delayMs: 0 }',
  strict: ', inputSchema: { type: object, properties: { a: { type: integer } } }',
}

let queue: Queue
let sandbox: Sandbox
let runner: JobRunner
let close: () => Promise<void>

beforeAll(async () => {
  ;({ queue, sandbox, runner, close } = await openRunner())
  await deployCode(queue, ACTIONS, SETTINGS)
})
afterAll(() => close())
afterEach(() => queue.db.write([sql`DELETE FROM jobs WHERE status IN ('queued', 'running')`]))

const start = (action: keyof typeof ACTIONS, input = {}) => queue.enqueue({ action, input })
const run = () => runOne(queue, runner)

describe('a step', () => {
  it('runs once, over a sleep that holds no worker and counts no attempt', async () => {
    const id = await start('charge')
    const before = await run()
    expect(before).toMatchObject({ ended: 'suspended', log: 'first runs\n' })
    expect(before.dueInMs).toBeGreaterThan(2 * 86_400_000 - 60_000)
    expect(await queue.row(id)).toMatchObject({
      status: 'queued',
      ready: 0,
      worker: null,
      lease_until: null,
      suspended_kind: 'sleep',
      suspended_name: 'cool-off',
    })
    expect(await queue.claim(1)).toEqual([])
    expect(await findJob(queue.db, WS, id)).toMatchObject({ attempt: 1, status: 'queued' })
    expect(await countQueued(queue.db, WS)).toBe(0)
    expect(await countOpenJobs(queue.db, WS)).toEqual([])
    expect(await countSuspended(queue.db, WS)).toBe(1)
    await passTime(queue, id)
    expect(await run()).toMatchObject({ id, ended: 'success', log: 'second runs\n' })
    expect(await resultOf(queue, id)).toMatchObject({
      first: { at: '1970-01-01T00:00:00.000Z', n: 1 },
      second: 2,
      attempt: 1,
    })
    expect(await findJob(queue.db, WS, id)).toMatchObject({ attempt: 1, status: 'success' })
    expect(await stepsOf(queue, id, 'name, kind, status, attempts')).toEqual([
      { name: 'first', kind: 'step', status: 'success', attempts: 1 },
      { name: 'cool-off', kind: 'sleep', status: 'success', attempts: 1 },
      { name: 'second', kind: 'step', status: 'success', attempts: 1 },
    ])
    expect(JSON.stringify(await stepsOf(queue, id, 'result'))).not.toContain('1970-01-01')
  })

  it('sleeps no longer once its job is ready, and another sleep goes on', async () => {
    const id = await start('parallel')
    expect(await run()).toMatchObject({ ended: 'suspended' })
    await queue.db.write([
      sql`UPDATE job_steps SET due_at = 7 WHERE job_id = ${id} AND name = 'a'`,
      sql`UPDATE jobs SET run_at = 7 WHERE ws = ${WS} AND id = ${id}`,
    ])
    expect(await queue.claim(1)).toMatchObject([{ id }])
    expect(await stepsOf(queue, id, 'name, status, completed_at')).toMatchObject([
      { name: 'a', status: 'success', completed_at: 7 },
      { name: 'b', status: 'running', completed_at: null },
      { name: 'c', status: 'success' },
    ])
  })

  it('goes on sleeping in a workspace that moves, until it has moved', async () => {
    const id = await start('charge')
    await run()
    await passTime(queue, id)
    const hold = { ws: WS, fileId: 'a move' }
    await queue.db.write([holdForMove(hold)])
    expect(await queue.claim(1)).toEqual([])
    expect(await queue.row(id)).toMatchObject({ ready: 1 })
    expect(await stepsOf(queue, id, 'status')).toEqual([
      { status: 'success' },
      { status: 'running' },
    ])
    await queue.db.write([releaseWorkspace(hold)])
    expect(await run()).toMatchObject({ id, ended: 'success' })
  })

  it('that the script caught before a suspension is thrown again and not run', async () => {
    const id = await start('caught')
    expect(await run()).toMatchObject({ ended: 'suspended', log: 'bad runs\n' })
    await passTime(queue, id)
    expect(await run()).toMatchObject({ ended: 'success', log: '' })
    expect(await resultOf(queue, id)).toBe('RangeError no DECLINED')
  })

  /** Runs the first attempt until its second step is recorded. Then its worker is lost. */
  const loseWorker = async (id: string): Promise<void> => {
    const [job] = await queue.claim(1)
    if (job === undefined) throw new Error('There was nothing to claim.')
    const lost = new AbortController()
    const running = runner.run({
      job,
      action: await runner.findAction(job),
      onLog: () => undefined,
      signal: lost.signal,
    })
    await expect
      .poll(() => stepsOf(queue, id, 'name, status'))
      .toContainEqual({ name: 'undo', status: 'success' })
    lost.abort()
    expect(await running).toEqual({ kind: 'aborted' })
    await queue.expire(id)
    await rescueJobs(queue.deps)
  }

  it('that failed is not run again because the worker was lost after it', async () => {
    const id = await start('undone')
    await loseWorker(id)
    expect(await run()).toMatchObject({ id, ended: 'success', log: '' })
    expect(await resultOf(queue, id)).toBe('sold out')
  })

  it('that failed runs again once an attempt has failed', async () => {
    const id = await start('undone', { fails: true })
    await loseWorker(id)
    expect(await run()).toMatchObject({
      ended: 'retrying',
      log: expect.not.stringContaining('runs'),
    })
    expect(await run()).toMatchObject({ log: expect.stringMatching(/^book runs/) })
  })

  it('is found again by a name that ends in half of an emoji; a name with NUL is refused', async () => {
    const id = await start('cut')
    expect(await run()).toMatchObject({ ended: 'suspended', log: 'cut runs\n' })
    await passTime(queue, id)
    expect(await run()).toMatchObject({ ended: 'success', log: '' })
    expect(await resultOf(queue, id)).toContain('without NUL')
  })

  it('is tried again by its retry', async () => {
    const id = await start('retried')
    expect(await run()).toMatchObject({ ended: 'success' })
    expect(await resultOf(queue, id)).toBe(3)
    expect(await stepsOf(queue, id, 'attempts')).toEqual([{ attempts: 3 }])
  })

  it('waits for a long delay of its retry without a worker', async () => {
    const id = await start('later')
    expect(await run()).toMatchObject({ ended: 'suspended' })
    expect(await stepsOf(queue, id, 'status, attempts')).toEqual([
      { status: 'running', attempts: 1 },
    ])
    await passTime(queue, id)
    expect(await run()).toMatchObject({ ended: 'success' })
    expect(await resultOf(queue, id)).toBe(2)
  })

  it('refuses names, results and durations that it cannot take', async () => {
    const id = await start('names')
    await run()
    expect(await resultOf(queue, id)).toEqual([
      'DuplicateStep',
      'TypeError',
      'StepResultTooLarge',
      'InvalidResult',
      'NestedStep',
      'TypeError',
      'TypeError',
    ])
  })
})

describe('several at once', () => {
  it('go on while one of them can, and are suspended together', async () => {
    const id = await start('parallel')
    expect(await run()).toMatchObject({ ended: 'suspended' })
    expect(await stepsOf(queue, id, 'name, status')).toEqual([
      { name: 'a', status: 'running' },
      { name: 'b', status: 'running' },
      { name: 'c', status: 'success' },
    ])
    await passTime(queue, id)
    expect(await run()).toMatchObject({ ended: 'success' })
    expect(await resultOf(queue, id)).toBe('c')
  })
})

describe('a called job', () => {
  it('wakes its caller by its end, with its result', async () => {
    const id = await start('parent', { a: 5 })
    expect(await run()).toMatchObject({ id, ended: 'suspended' })
    const [child] = await queue.db.all(
      sql`SELECT id, created_by, trigger_kind, chain_depth FROM jobs WHERE called_by = ${id}`,
    )
    expect(child).toMatchObject({ created_by: `job:${id}`, trigger_kind: 'job', chain_depth: 1 })
    expect(await run()).toMatchObject({ id: child?.id, ended: 'success' })
    expect(await run()).toMatchObject({ id, ended: 'success' })
    expect(await resultOf(queue, id)).toEqual({ got: 5 })
    expect(await stepsOf(queue, id, 'name, kind, status')).toEqual([
      { name: 'child', kind: 'job', status: 'success' },
    ])
    const [stored] = await stepsOf(queue, id, 'result')
    expect(String(stored?.result)).not.toContain('"got"')
  })

  it('throws its failure in its caller, with its action and id', async () => {
    const id = await start('parent', { a: 'fail' })
    await run()
    await run()
    await run()
    const child = await queue.db.one(sql`SELECT id FROM jobs WHERE called_by = ${id}`)
    const [name, message, action] = ['TypeError', 'child failed', 'child']
    expect(await resultOf(queue, id)).toEqual({ name, message, action, jobId: child?.id })
  })

  it('is not called again because the worker of its caller was lost', async () => {
    const id = await start('parent', { a: 'fail' })
    await run()
    await run()
    const [job] = await queue.claim(1)
    if (job === undefined) throw new Error('The caller was not ready.')
    const lost = { job, action: await runner.findAction(job), onLog: () => undefined }
    expect(await runner.run({ ...lost, signal: AbortSignal.abort() })).toEqual({ kind: 'aborted' })
    await queue.expire(id)
    await rescueJobs(queue.deps)
    expect(await run()).toMatchObject({ id, ended: 'success' })
    expect(await resultOf(queue, id)).toMatchObject({ name: 'TypeError', message: 'child failed' })
    expect(await queue.db.all(sql`SELECT 1 AS one FROM jobs WHERE called_by = ${id}`)).toHaveLength(
      1,
    )
  })

  it('throws the refusal of its start', async () => {
    const id = await start('unknown')
    await run()
    expect(await resultOf(queue, id)).toEqual({ name: 'Error', code: 'action_not_found' })
  })

  it('throws the faults of an input that it refuses', async () => {
    const id = await start('refused')
    await run()
    const details = [{ path: expect.stringContaining('a'), message: expect.any(String) }]
    expect(await resultOf(queue, id)).toEqual({ code: 'input_schema', details })
  })

  it('throws Canceled when it was canceled', async () => {
    const id = await start('parent', { a: 1 })
    await run()
    const [child] = await queue.db.all(sql`SELECT id FROM jobs WHERE called_by = ${id}`)
    await cancelJob(queue.deps, {
      ws: WS,
      id: String(child?.id),
      caller: adminSession(BY),
      reason: 'enough',
    })
    expect(await run()).toMatchObject({ id, ended: 'success' })
    expect(await resultOf(queue, id)).toMatchObject({ name: 'Canceled', message: 'enough' })
  })

  it('is canceled with its caller, which ends at once', async () => {
    const id = await start('parent', { a: 'sleep' })
    await run()
    await run()
    await cancelJob(queue.deps, { ws: WS, id, caller: adminSession(BY), reason: 'enough' })
    const rows =
      await queue.db.all(sql`SELECT j.status, l.outcome FROM jobs j JOIN ledger l ON l.job_id = j.id
      WHERE j.id = ${id} OR j.called_by = ${id}`)
    expect(rows).toEqual([
      { status: 'canceled', outcome: 'canceled' },
      { status: 'canceled', outcome: 'canceled' },
    ])
    expect(await queue.claim(2)).toEqual([])
  })
})

describe('a wait for an event', () => {
  it('gives null at its time', async () => {
    const id = await start('waits')
    expect(await run()).toMatchObject({ ended: 'suspended' })
    expect(
      await queue.db.all(
        sql`SELECT name, key, step, status FROM event_waits WHERE owner_id = ${id}`,
      ),
    ).toEqual([{ name: 'order.paid', key: 'o1', step: 'paid', status: 'open' }])
    await passTime(queue, id)
    expect(await run()).toMatchObject({ ended: 'success' })
    expect(await resultOf(queue, id)).toBe(null)
    expect(await queue.db.all(sql`SELECT status FROM event_waits WHERE owner_id = ${id}`)).toEqual([
      { status: 'timed_out' },
    ])
  })

  const sendPaid = (data: JsonValue, id: string | null = null) =>
    sendEvent(
      { ...queue.deps, ...enqueueDepsOf(queue.deps) },
      { ws: WS, name: 'order.paid', key: 'o1', data, id, sentBy: BY },
    )

  it('is woken by an event, and gives it', async () => {
    const id = await start('waits')
    expect(await run()).toMatchObject({ ended: 'suspended' })
    expect(await sendPaid({ won: 5 })).toMatchObject({ delivered: 1 })
    expect(await run()).toMatchObject({ id, ended: 'success' })
    expect(await resultOf(queue, id)).toMatchObject({
      name: 'order.paid',
      key: 'o1',
      data: { won: 5 },
    })
  })

  it('takes events that came since the job began, oldest first and each once, not those of before', async () => {
    await sendPaid('before')
    const id = await start('waitsTwice')
    expect(await run()).toMatchObject({ ended: 'suspended' })
    await sendPaid('one')
    await sendPaid('two')
    await passTime(queue, id)
    expect(await run()).toMatchObject({ ended: 'success' })
    expect(await resultOf(queue, id)).toEqual(['one', 'two'])
  })

  it('keeps an event that it took when the process died before the step had it', async () => {
    const id = await start('waitsTwice')
    await run()
    await sendPaid('one')
    await sendPaid('two')
    await passTime(queue, id)
    const [job] = await queue.claim(1)
    if (job === undefined) throw new Error('There was nothing to claim.')
    // the batch that opens the wait is committed, but nothing after it
    const passFault = (point: string): void => {
      if (point === 'step_committed') throw new Error('The process died.')
    }
    const dying = createJobRunner({
      ...queue.deps,
      passFault,
      sandbox,
      baseUrl: 'http://svc.test',
    })
    const { signal } = new AbortController()
    const action = await runner.findAction(job)
    await dying.run({ job, action, onLog: () => undefined, signal })
    expect(
      await queue.db.all(sql`SELECT status FROM job_steps WHERE job_id = ${id} AND kind = 'event'`),
    ).toEqual([{ status: 'running' }])
    await queue.expire(id)
    await rescueJobs(queue.deps)
    expect(await run()).toMatchObject({ ended: 'success' })
    expect(await resultOf(queue, id)).toEqual(['one', 'two'])
  })

  it('is closed with its job', async () => {
    const id = await start('waits')
    await run()
    await cancelJob(queue.deps, { ws: WS, id, caller: adminSession(BY), reason: null })
    expect(await queue.db.all(sql`SELECT status FROM event_waits WHERE owner_id = ${id}`)).toEqual([
      { status: 'canceled' },
    ])
  })
})

describe('code that takes another way', () => {
  it('is warned of in the log, with the line', async () => {
    const id = await start('changing')
    await run()
    await passTime(queue, id)
    const { log, ended } = await run()
    expect(ended).toBe('success')
    expect(log).toMatch(
      /Warning: durable step 1 was "way-1" in an earlier run of this job and is "way-2" now/,
    )
    expect(log).toMatch(/changing\.js:2/)
  })
})
