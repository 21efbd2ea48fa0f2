/** The contents of `ctx` for an action: from deploy and enqueue through the queue into a real sandbox [jobs 4.1]. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { openAppState, requireStateApp } from '#service/apps/app-state.ts'
import { sendEvent } from '#service/events/send-event.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { handBackJobs } from '#service/queue/hand-back-jobs.ts'
import { createQueueGate } from '#service/queue/queue-gate.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { createJobRunner, type JobRunner } from '#service/queue/run-job.ts'
import { fireDueSchedules } from '#service/schedules/fire-schedules.ts'
import { createSchedule } from '#service/schedules/manage-schedule.ts'
import { setResource, setVariable } from '#service/secrets/set-secret.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { denoProvider, openPool } from '../sandbox/job.ts'
import { deployTexts } from '../support/deploy-texts.ts'
import { APP, type JobOptions, openQueue, type Queue, WS } from '../support/open-queue.ts'
import { openTemporaryDatabase } from '../support/temporary-database.ts'

const ACTIONS = {
  echo: `export const main = (ctx) => ({ input: ctx.input, trigger: ctx.trigger })`,
  secrets: `export const main = ({ variables, resources }) => ({ variables, resources })`,
  job: `export const main = ({ job }) => job`,
  count: `export const main = async ({ state }) => {
    const before = await state.get('count')
    await state.set('count', { n: (before?.n ?? 0) + 1 })
    return [before, await state.get('count'), await state.get('never set')]
  }`,
  bump: `export const main = ({ state }) => state.update('bumped', async (n) => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    return (n ?? 0) + 1
  })`,
  bumpTwice: `export const main = ({ state }) => Promise.all([1, 2].map(() => state.update('twice', (n) => (n ?? 0) + 1)))`,
  keys: `export const main = async ({ state }) => {
    const name = async (act) => { try { await act(); return 'kept' } catch ({ name, code }) { return [name, code] } }
    for (let at = 0; at < 1_100; at++) void state.set('page/' + at, at)
    await state.set('other', { a: 1 })
    await state.delete('page/7')
    const seen = []
    const made = await state.update('new', (old) => { seen.push(old); return [1] })
    return {
      pages: (await state.list('page/')).length,
      all: (await state.list()).filter((key) => !key.startsWith('page/') && !/^(?:bump|count|twice)/.test(key)),
      gone: await state.get('page/7'),
      made, seen,
      large: await name(() => state.set('large', 'x'.repeat(262_143))),
      updated: await name(() => state.update('large', () => 'x'.repeat(262_143))),
      undefined: await name(() => state.update('large', () => undefined)),
      noFunction: await name(() => state.update('large', 5)),
      throwing: await name(() => state.update('large', () => { throw new RangeError('no') })),
      kept: await name(() => state.set('large', 'x'.repeat(262_142))),
    }
  }`,
  log: `export const main = (ctx) => {
    console.log('one', { a: 1 })
    ctx.log('two', [2])
    console.error('three')
  }`,
  layered: `import { createApp } from '@svc/sdk'
    const app = createApp()
    app.use(async (ctx, next) => {
      ctx.input = { ...ctx.input, trail: [...(ctx.input.trail ?? []), 'outer'] }
      return { wrapped: await next() }
    })
    app.use(async (ctx, next) => {
      if (ctx.input.stop) return 'stopped'
      ctx.input.trail.push('inner')
      return next()
    })
    export const main = app.main(async (ctx) => ctx.input.trail)`,
}
type Action = keyof typeof ACTIONS

const STARTS = `flows:
  - { key: echoing, steps: [{ key: echo, action: echo }] }
events:
  - { name: order.paid, action: echo }
  - { name: order.lost, flow: echoing }
`

let queue: Queue
let sandbox: Sandbox
let runner: JobRunner
const cleanups: (() => Promise<void>)[] = []
const commits = new Map<string, string>()

const deployContextApp = async (key: string): Promise<void> => {
  const texts = Object.entries(ACTIONS).map(([name, code]) => [`${name}.js`, code])
  const actions = Object.keys(ACTIONS).map((name) => `  - { key: ${name}, entrypoint: ${name}.js }`)
  const { commit } = await deployTexts(queue.deps, {
    'app.yaml': `key: ${key}\nname: Context\nactions:\n${actions.join('\n')}\n${STARTS}`,
    ...Object.fromEntries(texts),
  })
  commits.set(key, commit)
}

beforeAll(async () => {
  const { db, close } = await openTemporaryDatabase()
  cleanups.push(close)
  queue = await openQueue(db)
  sandbox = openPool(denoProvider())
  cleanups.push(() => sandbox.close())
  runner = createJobRunner({ ...queue.deps, sandbox, baseUrl: 'http://svc.test' })
  await deployContextApp(APP)
})
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
})

afterEach(() => queue.db.write([sql`DELETE FROM jobs WHERE status IN ('queued', 'running')`]))

const claimOne = async (): Promise<ClaimedJob> => {
  const [job] = await queue.claim(1)
  if (job === undefined) throw new Error('There was nothing to claim.')
  return job
}

const state = async () => openAppState(queue.deps, await requireStateApp(queue.deps, WS, APP))

/** Runs a claimed job to its end. In the database, it stays running. */
const run = async (job: ClaimedJob): Promise<Readonly<{ result: JsonValue; log: string }>> => {
  let log = ''
  const outcome = await runner.run({
    job,
    action: await runner.findAction(job),
    onLog: (text) => {
      log += text
    },
    signal: new AbortController().signal,
  })
  if (outcome.kind !== 'success') throw new Error(`${JSON.stringify(outcome)} ${log}`)
  const result: JsonValue = JSON.parse(outcome.resultJson)
  return { result, log }
}

const runAction = async (action: Action, options: JobOptions = {}) => {
  await queue.enqueue({ ...options, action })
  return run(await claimOne())
}

describe('ctx.input and ctx.trigger', () => {
  it.each([
    ['nested', { a: [1, { b: null }], text: '서울 \u0000 "\\ \u2028' }],
    ['a name with a meaning', JSON.parse('{"__proto__":{"x":1},"constructor":2}')],
    ['numbers', { tiny: 5e-324, negative: -0.5, large: 9007199254740991 }],
  ])('are what the caller sent: %s', async (_, input) => {
    expect((await runAction('echo', { input })).result).toEqual({ input, trigger: { kind: 'api' } })
  })

  it.each(['action', 'flow'] as const)(
    'of a schedule of an %s have its fire time',
    async (kind) => {
      const fireTime = '2026-01-31T09:00:00.000Z'
      const target =
        kind === 'flow' ? { action: null, flow: 'echoing' } : { action: 'echo', flow: null }
      const request = {
        ...{ app: APP, cron: '@daily', timezone: 'UTC', input: { a: 1 }, enabled: true },
        ...{ overlap: 'allow' as const, ...target },
      }
      const { id } = await createSchedule(queue.deps, { ws: WS, actor: CLI_ACTOR, request })
      const due = sql`UPDATE schedules SET next_fire_at = ${Date.parse(fireTime)} WHERE id = ${id}`
      await queue.db.write([due])
      await fireDueSchedules({ ...queue.deps, gate: createQueueGate(queue.deps) }, { graceMs: 0 })
      const { result } = await run(await claimOne())
      expect(result).toEqual({ input: { a: 1 }, trigger: { kind: 'schedule', fireTime } })
    },
  )

  it.each([
    ['action', 'order.paid', 'o-7'],
    ['flow', 'order.lost', 'o-7'],
    ['action', 'order.paid', null],
  ])('of an event that starts an %s have the event', async (_, name, key) => {
    const event = { id: `psp-${name}-${key}`, name, key }
    const deps = enqueueDepsOf(queue.deps)
    await sendEvent({ ...queue.deps, ...deps }, { ws: WS, ...event, data: [1], sentBy: 'ada' })
    const { result } = await run(await claimOne())
    expect(result).toEqual({ input: [1], trigger: { kind: 'event', event } })
  })

  it('of a schedule that an older svc fired are its kind', async () => {
    const { result } = await runAction('echo', { triggerKind: 'schedule', input: { a: 1 } })
    expect(result).toEqual({ input: { a: 1 }, trigger: { kind: 'schedule' } })
  })

  it('of a webhook are the raw text, with the headers', async () => {
    const raw = '{"not": "parsed"}'
    const headers = { 'X-Signature': 'abc' }
    const { result } = await runAction('echo', {
      triggerKind: 'webhook',
      input: raw,
      triggerJson: JSON.stringify({ raw, headers, encoding: 'utf8' }),
    })
    expect(result).toMatchObject({ input: raw, trigger: { kind: 'webhook', raw, headers } })
  })

  it('of a webhook with `input: json` are its value, and the raw text', async () => {
    const raw = '{"n":1.5}'
    const { result } = await runAction('echo', {
      triggerKind: 'webhook',
      input: { n: 1.5 },
      triggerJson: JSON.stringify({ headers: {}, encoding: 'utf8', isJson: true }),
    })
    expect(result).toMatchObject({ input: { n: 1.5 }, trigger: { kind: 'webhook', raw } })
  })
})

describe('ctx.variables and ctx.resources', () => {
  it('are those of the workspace at the claim, secret ones too', async () => {
    const variable = { ws: WS, isSecret: false, actor: CLI_ACTOR }
    await setVariable(queue.deps, { ...variable, key: 'PLAIN', value: 'a' })
    await setVariable(queue.deps, { ...variable, key: 'SECRET', value: 'b', isSecret: true })
    const value = { host: 'db.example.com', ports: [1, 2] }
    await setResource(queue.deps, { ws: WS, key: 'db', type: 'database', value, actor: CLI_ACTOR })
    const resources = { db: value }
    expect((await runAction('secrets')).result).toEqual({
      variables: { PLAIN: 'a', SECRET: 'b' },
      resources,
    })
    await setVariable(queue.deps, { ...variable, key: 'PLAIN', value: 'changed' })
    expect((await runAction('secrets')).result).toEqual({
      variables: { PLAIN: 'changed', SECRET: 'b' },
      resources,
    })
  })
})

describe('ctx.job', () => {
  it('names the job, its code and its attempt', async () => {
    const id = await queue.enqueue({ action: 'job' })
    const named = { id, app: APP, action: 'job', commit: commits.get(APP) }
    const first = await claimOne()
    expect((await run(first)).result).toEqual({ ...named, attempt: 1 })
    await queue.expire(id)
    await rescueJobs(queue.deps)
    expect((await run(await claimOne())).result).toEqual({ ...named, attempt: 2 })
  })
})

describe('ctx.state', () => {
  it('is kept from job to job, each app its own', async () => {
    expect((await runAction('count')).result).toEqual([null, { n: 1 }, null])
    expect((await runAction('count')).result).toEqual([{ n: 1 }, { n: 2 }, null])
    await deployContextApp('neighbour')
    expect((await runAction('count', { app: 'neighbour' })).result).toEqual([null, { n: 1 }, null])
  })

  it('is updated by as many jobs at once as there are, and no update is lost', async () => {
    const jobs = 20
    for (let job = 0; job < jobs; job += 1) await queue.enqueue({ action: 'bump' })
    const claimed = await queue.claim(jobs)
    expect(claimed).toHaveLength(jobs)
    const results = await Promise.all(claimed.map(async (job) => (await run(job)).result))
    expect(results.map(Number).sort((one, two) => one - two)).toEqual(
      Array.from({ length: jobs }, (_, at) => at + 1),
    )
    const kept = await (await state()).get('bumped')
    expect(kept?.json).toBe(String(jobs))
  })

  it('is updated by one job twice at once', async () => {
    const { result } = await runAction('bumpTwice')
    expect(result).toEqual(expect.arrayContaining([1, 2]))
  })

  it('is deleted, listed and bounded', async () => {
    expect((await runAction('keys')).result).toEqual({
      pages: 1_099,
      all: ['new', 'other'],
      gone: null,
      made: [1],
      seen: [null],
      large: ['StateTooLarge', 'state_too_large'],
      updated: ['StateTooLarge', 'state_too_large'],
      undefined: ['TypeError', null],
      noFunction: ['TypeError', null],
      throwing: ['RangeError', null],
      kept: 'kept',
    })
  })

  it('is not written by a run that no longer holds its job', async () => {
    const count = async () => (await state()).get('count')
    const before = await count()
    await queue.enqueue({ action: 'count' })
    const late = await claimOne()
    await handBackJobs(queue.deps, { jobs: [{ claim: late, started: true }] })
    await expect(run(late)).rejects.toThrow('no longer holds')
    const current = await claimOne()
    await expect(run(late)).rejects.toThrow('no longer holds')
    expect(await count()).toEqual(before)
    await run(current)
    expect(await count()).not.toEqual(before)
  })
})

describe('ctx.log', () => {
  it('is in the log with the console, in order', async () => {
    const { log, result } = await runAction('log')
    expect(log).toBe('one { a: 1 }\ntwo [ 2 ]\nthree\n')
    expect(result).toBeNull()
  })
})

describe('createApp', () => {
  it('runs middleware around main, which may replace the input and the result', async () => {
    expect((await runAction('layered', { input: { trail: ['caller'] } })).result).toEqual({
      wrapped: ['caller', 'outer', 'inner'],
    })
  })

  it('lets middleware answer in place of main', async () => {
    expect((await runAction('layered', { input: { stop: true } })).result).toEqual({
      wrapped: 'stopped',
    })
  })
})
