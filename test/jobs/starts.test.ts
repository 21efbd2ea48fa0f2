/** `ctx.run`, `ctx.startFlow` and `ctx.sendEvent`, from the script through the sandbox into the queue [jobs 15]. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import type { JsonValue } from '#core/json/value.ts'
import { createConsumer, replaceGrants } from '#service/customers/manage-consumer.ts'
import { endWaits } from '#service/flows/end-waits.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import type { JobRunner } from '#service/queue/run-job.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { deployTexts } from '../support/deploy-texts.ts'
import { APP, BY, type JobOptions, type Queue, WS } from '../support/open-queue.ts'
import { openRunner } from '../support/open-runner.ts'

/** Makes the calls of its input one after another, and returns each result or refusal. */
const CALLS = `export const main = async (ctx) => {
  const results = []
  for (const [method, ...args] of ctx.input.calls) {
    try { results.push(await ctx[method](...args)) }
    catch ({ name, code, details }) { results.push({ name, code, details }) }
  }
  if (ctx.input.failOn === ctx.job.attempt) throw new Error('later')
  return results
}`
const MANIFEST = `key: ${APP}
name: Starts
actions:
  - { key: calls, entrypoint: calls.js, tag: own, retry: { maxAttempts: 3, delayMs: 0 } }
  - { key: child, entrypoint: calls.js, tag: rest, inputSchema: { type: object, properties: { n: { type: number } } } }
  - { key: other, entrypoint: calls.js, tag: rest }
flows:
  - { key: flow, steps: [{ key: only, action: child }] }
events:
  - { name: order.paid, action: other }
`

let queue: Queue
let runner: JobRunner
let close: () => Promise<void>

beforeAll(async () => {
  ;({ queue, runner, close } = await openRunner())
  await deployTexts(queue.deps, { 'app.yaml': MANIFEST, 'calls.js': CALLS })
})
afterAll(() => close())
afterEach(() =>
  queue.db.write([sql`DELETE FROM jobs`, sql`DELETE FROM flow_runs`, sql`DELETE FROM job_starts`]),
)

const claimOne = async (): Promise<ClaimedJob> => {
  const [job] = await queue.claim(1, ['own'])
  if (job === undefined) throw new Error('There was nothing to claim.')
  return job
}

const results = z.array(z.record(z.string(), z.json()))
type Results = z.infer<typeof results>

/** Runs an attempt. The job stays running in the database. */
const attempt = async (job: ClaimedJob): Promise<Results> => {
  const action = await runner.findAction(job)
  const { signal } = new AbortController()
  const outcome = await runner.run({ job, action, onLog: () => undefined, signal })
  if (outcome.kind !== 'success') throw new Error(JSON.stringify(outcome))
  return results.parse(JSON.parse(outcome.resultJson))
}

type Calls = readonly (readonly JsonValue[])[]

const enqueueCalls = (calls: Calls, fields: JobOptions = {}): Promise<string> =>
  queue.enqueue({ ...fields, action: 'calls', input: { calls } })

const runCalls = async (calls: Calls, fields: JobOptions = {}): Promise<Results> => {
  await enqueueCalls(calls, fields)
  return attempt(await claimOne())
}

/** Returns the jobs that jobs have started. */
const children = () =>
  queue.db.all(sql`SELECT * FROM jobs WHERE created_by GLOB 'job:*' ORDER BY id`)

describe('ctx.run', () => {
  it('queues a job that names who started it and keeps its permissions', async () => {
    const id = await enqueueCalls([
      ['run', 'child', { n: 1 }],
      ['run', `${APP}/other`],
    ])
    const started = await attempt(await claimOne())
    const rows = await children()
    expect(rows).toMatchObject([
      { action: 'child', trigger_kind: 'job', created_by: `job:${id}`, permissioned_as: BY },
      { action: 'other', trigger_kind: 'job', chain_depth: 1, priority: 0, ready: 1 },
    ])
    expect(started).toEqual(rows.map((row) => ({ jobId: row.id })))
    expect(
      await queue.db.all(sql`SELECT input FROM job_inputs WHERE job_id IN
        (SELECT id FROM jobs WHERE created_by GLOB 'job:*') ORDER BY job_id`),
    ).toEqual([{ input: '{"n":1}' }, { input: '{}' }])
  })

  it('takes delay, time and priority', async () => {
    await runCalls([
      ['run', 'other', {}, { delayS: 60, priority: 5 }],
      ['run', 'other', {}, { scheduledFor: '2099-01-01T00:00:00Z' }],
    ])
    const [delayed, timed] = await children()
    expect(delayed).toMatchObject({ ready: 0, priority: 5 })
    expect(Number(delayed?.run_at) - Number(delayed?.created_at)).toBe(60_000)
    expect(timed).toMatchObject({ ready: 0, run_at: Date.parse('2099-01-01T00:00:00Z') })
  })

  it('refuses as the API does, with its code, and starts nothing', async () => {
    const refused = await runCalls([
      ['run', 'child', { n: 'one' }],
      ['run', 'missing'],
      ['run', 'nowhere/child'],
      ['run', 'a/b/c'],
      ['run', 7],
      ['run', 'child', [1]],
      ['run', 'child', { text: 'x'.repeat(1_048_576) }],
      ['run', 'child', {}, { priority: 101 }],
      ['run', 'child', {}, { wait: true }],
      ['run', 'child', {}, { delayS: 1, scheduledFor: '2099-01-01T00:00:00Z' }],
      ['run', 'child', {}, { tag: 'elsewhere' }],
    ])
    expect(refused.map(({ code }) => code)).toEqual([
      'input_schema',
      'action_not_found',
      'app_not_found',
      'bad_key',
      'bad_key',
      'not_an_object',
      'too_large',
      'invalid',
      'invalid',
      'invalid',
      'tag_not_allowed',
    ])
    expect(refused[0]?.details).toMatchObject([{ path: expect.stringContaining('n') }])
    expect(await children()).toEqual([])
    expect(await queue.db.all(sql`SELECT * FROM job_starts`)).toEqual([])
  })

  it('lets a job name any tag whose caller held apps:write', async () => {
    await runCalls([['run', 'child', {}, { tag: 'elsewhere' }]], { holdsAppsWrite: true })
    expect(await children()).toMatchObject([{ tag: 'elsewhere', holds_apps_write: 1 }])
  })

  it('ends a chain behind the twentieth link', async () => {
    const call: Calls = [['run', 'child']]
    expect(await runCalls(call, { chainDepth: 19 })).toMatchObject([{ jobId: expect.any(String) }])
    expect(await children()).toMatchObject([{ chain_depth: 20 }])
    await queue.db.write([sql`DELETE FROM jobs`])
    expect(await runCalls(call, { chainDepth: 20 })).toMatchObject([
      { name: 'ChainTooDeep', code: 'chain_too_deep' },
    ])
    expect(await children()).toEqual([])
  })

  it('starts nothing for an attempt that has lost its job', async () => {
    const id = await enqueueCalls([
      ['run', 'child'],
      ['startFlow', 'flow'],
    ])
    const job = await claimOne()
    await queue.expire(id)
    await rescueJobs(queue.deps)
    expect(await attempt(job)).toMatchObject([{ code: 'conflict' }, { code: 'conflict' }])
    expect(await children()).toEqual([])
    expect(await queue.db.all(sql`SELECT * FROM flow_runs`)).toEqual([])
  })
})

describe('a later attempt', () => {
  const lose = async (id: string): Promise<ClaimedJob> => {
    await queue.expire(id)
    await rescueJobs(queue.deps)
    return claimOne()
  }

  it('gets what the first one has started, and starts nothing twice', async () => {
    const id = await enqueueCalls([
      ['run', 'child', { n: 1 }],
      ['startFlow', 'flow'],
      ['run', 'child', { n: 1 }],
    ])
    const first = await attempt(await claimOne())
    const second = await attempt(await lose(id))
    expect(second).toEqual(first)
    expect(new Set([first[0]?.jobId, first[2]?.jobId]).size).toBe(2)
    expect(await queue.db.all(sql`SELECT id FROM flow_runs`)).toHaveLength(1)
    // two jobs, and the job of the flow's step
    expect(await children()).toHaveLength(3)
  })

  it('gets it also when the queue is full or the action is gone', async () => {
    const id = await enqueueCalls([['run', 'other']])
    const first = await attempt(await claimOne())
    const again = await lose(id)
    await queue.db.write([sql`UPDATE apps SET deployment_id = NULL WHERE key = ${APP}`])
    try {
      expect(await attempt(again)).toEqual(first)
    } finally {
      await queue.db.write([
        sql`UPDATE apps SET deployment_id = (SELECT max(id) FROM deployments WHERE app = ${APP}) WHERE key = ${APP}`,
      ])
    }
  })

  it('is refused another target under the same number', async () => {
    const id = await enqueueCalls([['run', 'child']])
    await attempt(await claimOne())
    const again = await lose(id)
    const changed = { ...again, inputJson: JSON.stringify({ calls: [['run', 'other']] }) }
    expect(await attempt(changed)).toMatchObject([{ code: 'idempotency_mismatch' }])
  })
})

describe('an idempotencyKey', () => {
  const keyed = (target: string, key: string): Calls => [
    ['run', target, {}, { idempotencyKey: key }],
  ]

  it('starts once for all jobs of the app, and stands for one target', async () => {
    const [first] = await runCalls(keyed('child', 'today'))
    expect(await runCalls(keyed('child', 'today'))).toEqual([first])
    expect(await runCalls(keyed('other', 'today'))).toMatchObject([
      { code: 'idempotency_mismatch' },
    ])
    expect(await children()).toHaveLength(1)
  })

  it('is never shared by two customers', async () => {
    const ids = await Promise.all(['one', 'two'].map(makeCustomer))
    const started = []
    for (const customerId of ids) {
      started.push(...(await runCalls(keyed('child', 'mine'), { customerId })))
    }
    expect(new Set(started.map(({ jobId }) => jobId)).size).toBe(2)
    expect(await children()).toMatchObject(ids.map((customer_id) => ({ customer_id })))
  })
})

const makeCustomer = async (name: string): Promise<string> => {
  const act = { ws: WS, actor: CLI_ACTOR }
  const { id } = await createConsumer(queue.deps, { ...act, name, externalRef: null })
  const grants = ['calls', 'child'].map((action) => ({ app: APP, action }))
  await replaceGrants(queue.deps, { ...act, id }, grants)
  return id
}

it('a job of a customer starts granted actions only, and chooses no place', async () => {
  const customerId = await makeCustomer('three')
  const refused = await runCalls(
    [
      ['run', 'other'],
      ['run', 'missing'],
      ['startFlow', 'flow'],
      ['sendEvent', 'order.paid'],
      ['run', 'child', {}, { priority: 1 }],
    ],
    { customerId },
  )
  expect(refused.map(({ code }) => code)).toEqual([
    'not_granted',
    'not_granted',
    'customer_key',
    'customer_key',
    'customer_key',
  ])
})

describe('ctx.startFlow', () => {
  it('starts a run, whose jobs go on with the chain', async () => {
    const id = await enqueueCalls([['startFlow', 'flow', { n: 2 }]], { holdsAppsWrite: true })
    const started = await attempt(await claimOne())
    const runs = await queue.db.all(sql`SELECT * FROM flow_runs`)
    expect(runs).toMatchObject([
      { flow: 'flow', trigger_kind: 'job', created_by: `job:${id}`, chain_depth: 1 },
    ])
    expect(started).toEqual([{ flowRunId: runs[0]?.id }])
    expect(await children()).toMatchObject([
      { flow_step: 'only', trigger_kind: 'job', chain_depth: 1, holds_apps_write: 1 },
    ])
  })

  it('delays a run, and gives its jobs the priority and tag', async () => {
    const options = { delayS: 60, priority: 7, tag: 'big' }
    await enqueueCalls([['startFlow', 'flow', { n: 2 }, options]], { holdsAppsWrite: true })
    await attempt(await claimOne())
    expect(await children()).toEqual([])
    const waiting = sql`SELECT status, step_index, wait_until - created_at AS ms FROM flow_runs`
    expect(await queue.db.all(waiting)).toEqual([{ status: 'running', step_index: -1, ms: 60_000 }])
    await queue.db.write([sql`UPDATE flow_runs SET wait_until = 1`])
    await endWaits(queue.deps)
    expect(await children()).toMatchObject([{ flow_step: 'only', priority: 7, tag: 'big' }])
  })

  it('refuses an unknown flow, unknown options and a tag of other tenants', async () => {
    const refused = await runCalls([
      ['startFlow', 'missing'],
      ['startFlow', 'flow', {}, { delay: 5 }],
      ['startFlow', 'flow', {}, { delayS: 5, scheduledFor: '2030-01-01T00:00:00Z' }],
      ['startFlow', 'flow', {}, { tag: 'rest' }],
    ])
    expect(refused.map(({ code }) => code)).toEqual([
      'flow_not_found',
      'invalid',
      'invalid',
      'tag_not_allowed',
    ])
  })
})

describe('ctx.sendEvent', () => {
  const events = () => queue.db.all(sql`SELECT id, name, key, sent_by, chain_depth FROM events`)
  afterEach(() => queue.db.write([sql`DELETE FROM events`]))

  it('sends to the workspace and starts what an app names for it, with the chain', async () => {
    const id = await enqueueCalls([['sendEvent', 'order.paid', { key: 'o1', data: [1] }]])
    const sent = await attempt(await claimOne())
    const rows = await events()
    expect(rows).toMatchObject([
      { name: 'order.paid', key: 'o1', sent_by: `job:${id}`, chain_depth: 1 },
    ])
    expect(sent).toEqual([{ eventId: rows[0]?.id }])
    const started = await queue.db.all(sql`SELECT * FROM jobs WHERE trigger_kind = 'event'`)
    expect(started).toMatchObject([
      { action: 'other', created_by: `event:${rows[0]?.id}`, chain_depth: 1 },
    ])
  })

  it('sends nothing twice in a later attempt, and shares the count with ctx.run', async () => {
    const id = await enqueueCalls([
      ['run', 'child'],
      ['sendEvent', 'order.sent'],
      ['sendEvent', 'order.sent'],
    ])
    const first = await attempt(await claimOne())
    await queue.expire(id)
    await rescueJobs(queue.deps)
    const again = await claimOne()
    expect(await attempt(again)).toEqual(first)
    expect(await events()).toHaveLength(2)
    expect(
      await queue.db.all(sql`SELECT key, target FROM job_starts WHERE job_id = ${id} ORDER BY key`),
    ).toMatchObject([{ key: '1' }, { key: '2', target: 'event order.sent' }, { key: '3' }])
    const changed = { ...again, inputJson: JSON.stringify({ calls: [['sendEvent', 'other']] }) }
    expect(await attempt(changed)).toMatchObject([{ code: 'idempotency_mismatch' }])
  })

  it('takes an id once, whichever job names it', async () => {
    const [first] = await runCalls([['sendEvent', 'order.sent', { id: 'mine' }]])
    expect(first).toEqual({ eventId: 'mine' })
    expect(await runCalls([['sendEvent', 'order.sent', { id: 'mine' }]])).toEqual([first])
    expect(await events()).toHaveLength(1)
  })

  it('refuses bad events, and those of an attempt that has lost its job', async () => {
    const refused = await runCalls([
      ['sendEvent', 'Order Paid'],
      ['sendEvent', 7],
      ['sendEvent', 'order.sent', { keys: 'a' }],
      ['sendEvent', 'order.sent', { key: '' }],
      ['sendEvent', 'order.sent', { data: 'x'.repeat(1_048_577) }],
    ])
    expect(refused.map(({ code }) => code)).toEqual([
      'invalid',
      'invalid',
      'invalid',
      'invalid',
      'too_large',
    ])
    const id = await enqueueCalls([['sendEvent', 'order.sent']])
    const job = await claimOne()
    await queue.expire(id)
    await rescueJobs(queue.deps)
    expect(await attempt(job)).toMatchObject([{ code: 'conflict' }])
    expect(await events()).toEqual([])
  })
})
