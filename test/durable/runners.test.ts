/** The same programs on a node, in the runner of `svc dev`, and with `@svc/sdk/testing`. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createLocalWaits } from '#project/local-waits.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import type { JobRunner } from '#service/queue/run-job.ts'
import { sql } from '#store/sql.ts'
import type { Queue } from '../support/open-queue.ts'
import { openRunner } from '../support/open-runner.ts'
import { ATTEMPTS, FAILURES, VALUES, WAITS } from './programs.ts'
import { inDev, inTest, onNode } from './three-runners.ts'

let queue: Queue
let sandbox: Sandbox
let runner: JobRunner
let close: () => Promise<void>

beforeAll(async () => {
  ;({ queue, sandbox, runner, close } = await openRunner())
})
afterAll(() => close())
afterEach(() =>
  queue.db.write([
    sql`DELETE FROM jobs WHERE status IN ('queued', 'running')`,
    sql`DELETE FROM app_state`,
    sql`DELETE FROM events`,
  ]),
)

describe('all runners agree on', () => {
  it.each(Object.entries({ ...VALUES, ...FAILURES, ...WAITS }))('%s', async (_name, program) => {
    const expected = await onNode(queue, runner, program)
    const { outcome, started } = expected
    expect(await inDev(sandbox, program)).toEqual({ outcome, started })
    expect(await inTest(program)).toEqual(expected)
  })
})

describe('a node and a test agree on', () => {
  it.each(Object.entries(ATTEMPTS))('%s', async (_name, program) => {
    const expected = await onNode(queue, runner, program)
    expect(expected.outcome).toHaveProperty('value')
    expect(await inTest(program)).toEqual(expected)
  })
})

describe('svc dev', () => {
  it('retries what an action calls and starts by the retry of its action, as a node does', async () => {
    const fails = `const n = await ctx.state.update(ctx.job.action, (n) => (n ?? 0) + 1)
      await ctx.step('once', () => ctx.state.update(ctx.job.action + ' once', (n) => (n ?? 0) + 1))
      if (n < 3) throw new Error('busy ' + n)
      return [n, ctx.job.attempt, await ctx.state.get(ctx.job.action + ' once')]`
    const final = `throw Object.assign(new Error('declined'), { name: 'Declined' })`
    const retry = ', retry: { maxAttempts: 3, delayMs: 1, notOn: [Declined] }'
    const program = {
      main: `await ctx.run('started')
        return [await ctx.call('a', 'called'), await kept(() => ctx.call('b', 'once')), await kept(() => ctx.call('c', 'final'))]`,
      others: { called: fails, started: fails, once: fails, final },
      settings: { called: retry, started: retry, final: retry },
    }
    const expected = await onNode(queue, runner, program)
    expect(expected.outcome).toMatchObject({
      value: [[3, 3, 1], { message: 'busy 1' }, { name: 'Declined' }],
    })
    const { outcome, started } = expected
    expect(await inDev(sandbox, program)).toEqual({ outcome, started })
  })

  it('records no step of a canceled job, as a node does', async () => {
    const program = {
      main: `const read = async (key) => {
          for (;;) {
            const value = await ctx.state.get(key)
            if (value !== null) return value
            await new Promise((go) => setTimeout(go, 20))
          }
        }
        const { jobId } = await ctx.run('cleans')
        await read('ready')
        await ctx.cancel(jobId)
        return await read('ended')`,
      others: {
        cleans: `const aborted = new Promise((go) => ctx.signal.addEventListener('abort', go))
          await ctx.state.set('ready', true)
          await aborted
          const ended = [await kept(() => ctx.step('after', () => 1)), await kept(() => ctx.sleep('nap', { days: 1 }))]
          await ctx.state.set('ended', ended.map(({ name }) => name))`,
      },
    }
    const { outcome } = await inDev(sandbox, program)
    expect(outcome).toEqual({ value: ['Canceled', 'Canceled'] })
  })

  it.each([
    ['job', `ctx.call('a', 'rests')`],
    ['flow run', `ctx.callFlow('a', 'month')`],
  ])('cancels the %s that a canceled job has called, as a node does', async (_what, call) => {
    const program = {
      main: `const { jobId } = await ctx.run('calls')
        while ((await ctx.state.get('begun')) === null) await new Promise((go) => setTimeout(go, 20))
        return await ctx.cancel(jobId)`,
      others: {
        calls: `await ${call}`,
        rests: `await ctx.state.set('begun', true); await new Promise(() => setInterval(() => 0, 100))`,
      },
      settings: { rests: ', cancelGraceS: 0' },
      flows: { month: 'rests' },
    }
    // the runner resolves only when everything that was started has ended
    const { outcome, started } = await inDev(sandbox, program)
    expect(outcome).toEqual({ value: { canceled: true } })
    expect(started).toBe(2)
  })

  it('throws the details of a refused input, as a node does', async () => {
    const program = {
      main: `const detailsOf = (start) => start.then(() => null, ({ details }) => details)
        return [await detailsOf(ctx.run('strict', { a: 'x' })), await detailsOf(ctx.call('c', 'strict', { a: 'x' }))]`,
      others: { strict: 'return 1' },
      settings: { strict: ', inputSchema: { properties: { a: { type: integer } } }' },
    }
    const expected = await onNode(queue, runner, program)
    const faults = [{ path: expect.stringContaining('a') }]
    expect(expected.outcome).toMatchObject({ value: [faults, faults] })
    const { outcome, started } = expected
    expect(await inDev(sandbox, program)).toEqual({ outcome, started })
  })

  it('refuses an input that lacks a key of the action, as a node does', async () => {
    const program = {
      main: `return [await kept(() => ctx.run('keyed')), await kept(() => ctx.call('c', 'keyed'))]`,
      others: { keyed: 'return 1' },
      settings: { keyed: `, concurrency: { limit: 1, key: '\${input.n}' }` },
    }
    const { outcome, started } = await onNode(queue, runner, program)
    const refusal = { code: 'missing_concurrency_key' }
    expect(outcome).toMatchObject({ value: [refusal, refusal] })
    expect(await inDev(sandbox, program)).toEqual({ outcome, started })
  })

  it('waits for an event as long as a job is left that may send it', async () => {
    const program = {
      main: `await ctx.run('sender'); return (await ctx.waitForEvent('w', { name: 'go' })).data`,
      others: {
        sender: `await ctx.sleep('s', { seconds: 1 }); await ctx.sendEvent('go', { data: 3 })`,
      },
    }
    const silent = { ...program, others: { sender: `return 1` } }
    expect(await inDev(sandbox, program, createLocalWaits({}))).toEqual({
      outcome: { value: 3 },
      started: 1,
    })
    expect(await inDev(sandbox, silent, createLocalWaits({}))).toMatchObject({
      outcome: { error: { message: expect.stringContaining('Give it with --event') } },
    })
  })

  it('ends a sleep of the caller while a called action waits', async () => {
    const program = {
      main: `const [got] = await Promise.all([ctx.call('child', 'child'),
        ctx.sleep('s', { seconds: 1 }).then(() => ctx.sendEvent('go', { data: 3 }))]); return got`,
      others: {
        child: `return (await ctx.waitForEvent('w', { name: 'go', timeoutS: 30 }))?.data ?? null`,
      },
    }
    expect(await inDev(sandbox, program, createLocalWaits({}))).toEqual({
      outcome: { value: 3 },
      started: 1,
    })
  })
})
