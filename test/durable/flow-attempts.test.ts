/** Attempts of a flow step: each is a job, and takes over the durable steps of the one before [durable 1.8]. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { sendEvent } from '#service/events/send-event.ts'
import { startRun } from '#service/flows/start-run.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { createJobRunner, type JobRunner } from '#service/queue/run-job.ts'
import { sql } from '#store/sql.ts'
import { denoProvider, openPool } from '../sandbox/job.ts'
import { APP, BY, openQueue, QUEUE_BACKENDS, type Queue, WS } from '../support/open-queue.ts'
import { deployCode, passTime, runOne, type Stretch, stepsOf } from './run-durable.ts'

/** Fails in its first `fails` executions. */
const FAIL = `const failUntil = async (ctx, last) => {
  const n = await ctx.state.update(ctx.flow.runId, (n) => (n ?? 0) + 1)
  if (n <= last) throw new Error('execution ' + n)
}
`

const callTo = (action: string): string => `${FAIL}export const main = async (ctx) => {
  const [value] = await Promise.all([
    ctx.call('below', '${action}'),
    ctx.step('check', () => failUntil(ctx, 1)),
  ])
  console.log('done', JSON.stringify(value))
}`

const ACTIONS = {
  order: `${FAIL}export const main = async (ctx) => {
    const drawn = ctx.uuid()
    const key = await ctx.step('charge', () => { console.log('charge runs'); return drawn })
    console.log(key === drawn ? 'the same value' : 'another value')
    await failUntil(ctx, 2)
    const mail = await ctx.step('mail', () => { console.log('mail runs'); return ctx.uuid() })
    console.log('done', JSON.stringify(key === drawn && mail !== drawn))
  }`,
  starts: `${FAIL}export const main = async (ctx) => {
    const id = await ctx.run('child')
    await ctx.sendEvent('started', { key: 'k' })
    await failUntil(ctx, 1)
    console.log('done', JSON.stringify(id.jobId))
  }`,
  child: 'export const main = () => 1',
  calls: callTo('child'),
  callsSlow: callTo('slow'),
  slow: `export const main = async (ctx) => { await ctx.sleep('s', { hours: 1 }); return 2 }`,
  callsFlaky: `export const main = async (ctx) => {
    console.log('done', JSON.stringify(await ctx.call('below', 'flaky')))
  }`,
  flaky: `export const main = async (ctx) => {
    const n = await ctx.state.update('flaky', (n) => (n ?? 0) + 1)
    if (n === 1) throw new TypeError('no')
    return n
  }`,
  events: `${FAIL}export const main = async (ctx) => {
    const wait = async (name) => (await ctx.waitForEvent(name, { name: 'paid', match: 'o1', timeoutS: 60 }))?.data
    const first = await wait('first')
    await failUntil(ctx, 1)
    console.log('done', JSON.stringify([first, await wait('second')]))
  }`,
  caught: `${FAIL}export const main = async (ctx) => {
    let caught = null
    try { await ctx.step('bad', () => { console.log('bad runs'); throw new RangeError('no') }) } catch (error) { caught = error.name }
    await ctx.sleep('pause', { seconds: 30 })
    await failUntil(ctx, 1)
    console.log('done', JSON.stringify(caught))
  }`,
}

const RETRY = 'retry: { maxAttempts: 3, delayMs: 0, backoffFactor: 1 }'
const FLOWS = `flows:
${Object.keys(ACTIONS)
  .map((key) => `  - { key: ${key}, steps: [{ key: s, action: ${key}, ${RETRY} }] }`)
  .join('\n')}
`

describe.each(QUEUE_BACKENDS)('an attempt of a flow step, over %s', (_, openDatabase) => {
  let queue: Queue
  let sandbox: Sandbox
  let runner: JobRunner
  const cleanups: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const { db, close } = await openDatabase()
    cleanups.push(close)
    queue = await openQueue(db)
    sandbox = openPool(denoProvider())
    cleanups.push(() => sandbox.close())
    runner = createJobRunner({ ...queue.deps, sandbox, baseUrl: 'http://svc.test' })
    await deployCode(queue, ACTIONS, {}, FLOWS)
  })
  afterAll(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup()
  })
  afterEach(() => queue.db.write([sql`DELETE FROM jobs WHERE status IN ('queued', 'running')`]))

  const start = async (flow: keyof typeof ACTIONS): Promise<void> => {
    const by = { triggerKind: 'api', createdBy: BY, permissionedAs: BY } as const
    await startRun(queue.deps, { ws: WS, app: APP, flow, input: {}, ...by })
  }
  const run = (): Promise<Stretch> => runOne(queue, runner)
  /** Runs jobs until the step has succeeded. @returns what it logged then */
  const runUntilDone = async (): Promise<Stretch & { logged: unknown }> => {
    for (;;) {
      const stretch = await run()
      const [, json] = /^done (.*)$/m.exec(stretch.log) ?? []
      if (json !== undefined) return { ...stretch, logged: JSON.parse(json) }
    }
  }

  it('runs no finished step again, and draws the same values', async () => {
    await start('order')
    const [first, second, third] = [await run(), await run(), await runUntilDone()]
    const linesOf = ({ log }: Stretch) => log.match(/^\w+ runs$/gm)
    expect([first, second, third].map(linesOf)).toEqual([['charge runs'], null, ['mail runs']])
    expect(new Set([first.id, second.id, third.id]).size).toBe(3)
    expect(third.logged).toBe(true)
    expect(await stepsOf(queue, third.id, 'name, position, status, attempts')).toEqual([
      { name: 'charge', position: 1, status: 'success', attempts: 1 },
      { name: 'mail', position: 2, status: 'success', attempts: 1 },
    ])
  })

  it('starts nothing twice', async () => {
    await start('starts')
    const first = await run()
    const { logged } = await runUntilDone()
    const children = await queue.db.all(
      sql`SELECT id FROM jobs WHERE ws = ${WS} AND trigger_kind = 'job' AND action = 'child' AND called_by IS NULL`,
    )
    expect(children).toEqual([{ id: logged }])
    const events = await queue.db.all(sql`SELECT id FROM events WHERE name = 'started'`)
    expect(events).toHaveLength(1)
    expect(first.log).toContain('execution 1')
  })

  const calledAfter = ({ id }: Stretch) =>
    queue.db.all(sql`SELECT id FROM jobs WHERE ws = ${WS} AND called_step = 'below' AND id > ${id}`)
  const callAndFail = async (flow: 'calls' | 'callsSlow') => {
    await start(flow)
    const first = await run()
    expect(first.log).toContain('execution 1')
    const [child] = await calledAfter(first)
    return { first, child: String(child?.id) }
  }

  it('gets the result of a job that the attempt before has called and that ended meanwhile', async () => {
    const { first, child } = await callAndFail('calls')
    expect((await run()).id).toBe(child)
    expect((await runUntilDone()).logged).toBe(1)
    expect(await calledAfter(first)).toEqual([{ id: child }])
  })

  it('waits for the job that the attempt before has called', async () => {
    const { first, child } = await callAndFail('callsSlow')
    const both = [await run(), await run()]
    expect(both.map(({ ended }) => ended)).toEqual(['suspended', 'suspended'])
    await passTime(queue, child)
    expect((await runUntilDone()).logged).toBe(2)
    expect(await calledAfter(first)).toEqual([{ id: child }])
    expect(await stepsOf(queue, first.id, 'name, status')).toContainEqual({
      name: 'below',
      status: 'failure',
    })
  })

  it('calls a job again whose failure failed the attempt before', async () => {
    await start('callsFlaky')
    expect(await runUntilDone()).toMatchObject({ logged: 2 })
  })

  it('takes no event twice, and none that came before the first attempt', async () => {
    const send = (data: number) => {
      const event = { name: 'paid', key: 'o1', data, id: null, sentBy: BY, chainDepth: 0 }
      return sendEvent({ ...enqueueDepsOf(queue.deps), ...queue.deps }, { ws: WS, ...event })
    }
    await send(0)
    await start('events')
    expect((await run()).ended).toBe('suspended')
    await send(1)
    expect((await run()).log).toContain('execution 1')
    await send(2)
    expect((await runUntilDone()).logged).toEqual([1, 2])
  })

  it('completes the journal if its worker was lost while it took it over', async () => {
    await start('order')
    const first = await run()
    let writes = 0
    const db = Object.create(queue.db, {
      write: {
        value: (...given: Parameters<typeof queue.db.write>) => {
          writes += 1
          if (writes === 2) throw new Error('The worker is lost.')
          return queue.db.write(...given)
        },
      },
    })
    const lost = createJobRunner({ ...queue.deps, db, sandbox, baseUrl: 'http://svc.test' })
    await expect(runOne(queue, lost)).rejects.toThrow('The worker is lost.')
    expect(writes).toBe(2)
    const job = await queue.db.one(sql`SELECT id FROM jobs WHERE ws = ${WS} AND status = 'running'`)
    await queue.expire(String(job?.id))
    await rescueJobs(queue.deps)
    const second = await run()
    expect(second.id).toBe(job?.id)
    expect(second.log).not.toContain('charge runs')
    expect(second.log).toContain('the same value')
    expect(await runUntilDone()).toMatchObject({ logged: true })
    expect(first.log).toContain('charge runs')
  })

  it('throws a failure again that the script caught before it was suspended', async () => {
    await start('caught')
    const first = await run()
    expect(first).toMatchObject({ ended: 'suspended', log: 'bad runs\n' })
    await passTime(queue, first.id)
    const second = await run()
    expect(second.id).toBe(first.id)
    expect(second.log).toContain('execution 1')
    const third = await runUntilDone()
    expect(third.logged).toBe('RangeError')
    expect(second.log + third.log).not.toContain('bad runs')
  })
})
