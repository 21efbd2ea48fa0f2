/** Flow runs from their start to their end: triggers, lists, cancel, restart, events, the error handler, encryption. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readProgress } from '#service/flows/read-progress.ts'
import { cancelAs, cancelJob } from '#service/queue/cancel-job.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { sweepFlowRuns } from '#service/sweep.ts'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, WS } from '../support/create-test-app.ts'
import { APP, FLOW_RUNS, FLOWS, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'
import { adminSession } from '../support/principals.ts'

const ref = (path: string): string => `\${${path}}`
const MARKER = 'MARKER-7f3a9c'

let caller: FlowCaller
let isBroken = false
const triggers: unknown[] = []
const handled: unknown[] = []
beforeAll(async () => {
  caller = await openFlowCaller({
    actions: {
      echo: (input) => input,
      mark: () => ({ found: `${MARKER}-result` }),
      trigger: (_, job) => {
        triggers.push({ kind: job.triggerKind, raw: job.rawJson, trigger: job.triggerJson })
        return 1
      },
      maybe: (input) => {
        if (isBroken) throw new Error('broken for now')
        return { fixed: input }
      },
      onError: (input) => void handled.push(input),
    },
    flows: [
      {
        key: 'chain',
        steps: [
          { key: 'a', action: 'echo' },
          { key: 'b', action: 'echo' },
        ],
      },
      {
        key: 'secret',
        steps: [
          { key: 'a', action: 'mark' },
          { key: 'b', action: 'echo', input: { deep: ref('results.a'), of: ref('input') } },
          { key: 'loop', kind: 'forloop', action: 'echo', items: [`${MARKER}-1`, `${MARKER}-2`] },
        ],
      },
      { key: 'traced', steps: [{ key: 'a', action: 'trigger' }] },
      {
        key: 'wide',
        steps: [
          { key: 'many', kind: 'forloop_parallel', action: 'echo', items: ref('input.items') },
        ],
      },
      { key: 'outer', steps: [{ key: 'in', kind: 'subflow', subflow: 'chain' }] },
      { key: 'outest', steps: [{ key: 'in', kind: 'subflow', subflow: 'outer' }] },
      {
        key: 'mends',
        steps: [
          { key: 'first', action: 'mark' },
          { key: 'skip', action: 'echo', skipIf: 'true' },
          { key: 'second', action: 'maybe' },
          {
            key: 'third',
            action: 'echo',
            input: { first: ref('results.first.found'), second: ref('results.second') },
          },
        ],
      },
    ],
  })
})
afterAll(() => caller.app.close())

const jobsOf = async (id: string) =>
  caller.app.deps.db.all(sql`SELECT * FROM jobs WHERE flow_run_id = ${id} ORDER BY id`)

describe('a start', () => {
  it.each([
    ['an unknown app', '/run/none/chain', {}, 404, 'app_not_found'],
    ['an unknown flow', `/run/${APP}/none`, {}, 404, 'flow_not_found'],
    ['a bad key', `/run/${APP}/no%20ne`, {}, 400, 'bad_key'],
    ['no object', `/run/${APP}/chain`, [1], 400, 'not_an_object'],
  ])('of %s is refused', async (_, path, json, status, code) => {
    expect(await caller.call('POST', FLOWS + path, json)).toMatchObject({ status, json: { code } })
  })

  it('with the same Idempotency-Key is one run', async () => {
    const headers = { 'idempotency-key': 'once' }
    const start = (json: unknown = { n: 1 }) =>
      caller.call('POST', `${FLOWS}/run/${APP}/chain`, json, { headers })
    const answers = await Promise.all([start(), start(), start()])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect((await start()).headers.get('idempotency-replayed')).toBe('true')
    expect((await start({ n: 2 })).status).toBe(409)
    expect(await caller.work()).toBe(2)
  })

  it('by a webhook keeps bytes and headers for each job', async () => {
    const token = await caller.app.token(['webhooks:invoke'])
    const answer = await caller.app.call('POST', `${FLOWS}/webhook/${APP}/traced`, {
      token,
      body: 'a=1&b',
      headers: { 'x-signature': 'abc', cookie: 'no=1' },
    })
    expect(answer.status).toBe(201)
    await caller.work()
    expect(triggers.at(-1)).toMatchObject({ kind: 'webhook', raw: '"a=1&b"' })
    expect(JSON.stringify(triggers.at(-1))).toContain('X-Signature')
    expect(JSON.stringify(triggers.at(-1))).not.toContain('no=1')
    const run = await caller.run(
      z.object({ flow_run_id: z.string() }).parse(answer.json).flow_run_id,
    )
    expect(run).toMatchObject({ trigger_kind: 'webhook', input: 'a=1&b' })
    const onlyRun = await caller.app.token(['flows:run'])
    const refused = await caller.app.call('POST', `${FLOWS}/webhook/${APP}/traced`, {
      token: onlyRun,
    })
    expect(refused.status).toBe(403)
  })
})

describe('what is read', () => {
  it('lists flows with their definitions', async () => {
    const keys: string[] = []
    const page = z.object({
      items: z.array(z.looseObject({ app: z.string(), key: z.string() })),
      pagination: z.object({ next_cursor: z.string().nullable() }),
    })
    for (let cursor: string | null = ''; cursor !== null; ) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { json } = await caller.call('GET', `${FLOWS}?limit=2${more}`)
      const { items, pagination } = page.parse(json)
      keys.push(...items.map(({ key }) => key))
      cursor = pagination.next_cursor
    }
    expect(keys).toEqual(['chain', 'mends', 'outer', 'outest', 'secret', 'traced', 'wide'])
    expect((await caller.call('GET', `${FLOWS}/${APP}/chain`)).json).toMatchObject({
      key: 'chain',
      definition: { steps: [{ key: 'a', kind: 'action' }, { key: 'b' }] },
    })
  })

  it('lists runs by status, app and flow, page by page', async () => {
    const ids: string[] = []
    for (let at = 0; at < 5; at += 1) ids.push(await caller.start('wide', { items: [] }))
    const list = async (query: string) => {
      const { json } = await caller.call('GET', `${FLOW_RUNS}?${query}`)
      const shape = z.object({
        items: z.array(z.looseObject({ id: z.string() })),
        pagination: z.object({ next_cursor: z.string().nullable() }),
      })
      const { items, pagination } = shape.parse(json)
      return { ids: items.map(({ id }) => id), cursor: pagination.next_cursor }
    }
    const first = await list(`app=${APP}&flow=wide&status=completed&limit=3`)
    const second = await list(
      `app=${APP}&flow=wide&status=completed&limit=3&cursor=${first.cursor}`,
    )
    expect([...first.ids, ...second.ids]).toEqual(ids.toReversed())
    expect(second.cursor).toBeNull()
    expect((await list('status=running&flow=wide')).ids).toEqual([])
    expect((await list('since=2099-01-01T00:00:00Z')).ids).toEqual([])
    expect((await caller.call('GET', `${FLOW_RUNS}?status=odd`)).status).toBe(400)
  })

  it('sends each status of a run and its steps as it happens', async () => {
    const id = await caller.start('chain', { n: 1 })
    const following = caller.app.request('GET', `${FLOW_RUNS}/${id}/events`, {
      token: caller.token,
    })
    const text = (async () => (await following).text())()
    await caller.work()
    const events = [...(await text).matchAll(/event: (\w+)\ndata: (.*)\n/g)].map(
      ([, event, data]) => `${event} ${data}`,
    )
    expect(events.at(-1)).toContain('"status":"completed"')
    expect(events.join()).toContain('"key":"b","status":"success"')
  })

  it('draws a run', async () => {
    const id = await caller.start('chain')
    await caller.work()
    expect((await caller.call('GET', `${FLOW_RUNS}/${id}/graph`)).json).toMatchObject({
      nodes: [
        { kind: 'start' },
        { label: 'a', status: 'success' },
        { label: 'b' },
        { kind: 'end' },
      ],
      edges: [{ from: 'start' }, {}, { to: 'end', is_failure: false }],
    })
  })

  it('counts the jobs of each step on its own, and those of a step that has ended once', async () => {
    const id = await caller.start('secret')
    await caller.work()
    const { db } = caller.app.deps
    const counts: string[] = []
    const watched: Database = {
      ...db,
      one: (statement, options) => {
        if (statement.sql.includes('count(*)')) counts.push(statement.sql)
        return db.one(statement, options)
      },
    }
    const seen = await readProgress({ db: watched }, { ws: WS, id }, null)
    expect(seen).toMatchObject({ status: 'completed' })
    expect(seen?.steps.map(({ done, total }) => [done, total])).toEqual([
      [1, 1],
      [1, 1],
      [2, 2],
    ])
    expect(counts).toHaveLength(3)
    expect(await readProgress({ db: watched }, { ws: WS, id }, seen)).toEqual(seen)
    expect(counts).toHaveLength(3)
  })

  it('opens the input and result of a child for its job, and shows the input to its creator alone', async () => {
    const id = await caller.start('chain', { n: 7 })
    await caller.work()
    const [job] = await jobsOf(id)
    const path = `/api/w/${WS}/jobs/${job?.id}`
    expect((await caller.call('GET', path)).json).toMatchObject({
      flow_run_id: id,
      flow: 'chain',
      flow_step: 'a',
      input: { n: 7 },
      result: { n: 7 },
    })
    expect((await caller.call('GET', `${path}/result`)).json).toEqual({
      status: 'success',
      result: { n: 7 },
    })
  })
})

describe('a cancel', () => {
  it('ends queued jobs at once, marks running ones, and leaves nothing to run', async () => {
    const id = await caller.start('wide', { items: Array.from({ length: 60 }, (_, n) => n) })
    const running = await caller.claim(10)
    const { json } = await caller.call('POST', `${FLOW_RUNS}/${id}/cancel`, { reason: '' })
    expect(json).toMatchObject({ status: 'canceled', error: { message: `Canceled by ${ADMIN}.` } })
    const rows = await jobsOf(id)
    expect(rows.filter(({ status }) => status === 'canceled')).toHaveLength(40)
    expect(
      rows.filter(({ status, cancel_by }) => status === 'running' && cancel_by !== null),
    ).toHaveLength(10)
    for (const job of running) expect(await caller.perform(job)).toBe('canceled')
    expect(await caller.work()).toBe(0)
    const left = await caller.app.deps.db.all(sql`SELECT * FROM flow_slots WHERE run_id = ${id}`)
    expect(left).toEqual([])
    expect((await caller.call('POST', `${FLOW_RUNS}/${id}/cancel`)).json).toMatchObject({
      status: 'canceled',
    })
  })

  it('comes between transitions of a run that moves on all the time', async () => {
    const id = await caller.start('wide', { items: [1, 2] })
    const { db, flows } = caller.app.deps
    let isOver = false
    const moving = flows.queue.alone({ ws: WS, id }, async () => {
      // as if item after item ended
      for (let n = 0; n < 200; n += 1) {
        await db.write([
          sql`UPDATE flow_runs SET version = version + 1 WHERE id = ${id} AND completed_at IS NULL`,
        ])
      }
      isOver = true
    })
    const { json } = await caller.call('POST', `${FLOW_RUNS}/${id}/cancel`)
    expect(json).toMatchObject({ status: 'canceled' })
    expect(isOver).toBe(true)
    await moving
    expect(await caller.work()).toBe(0)
  })

  it('ends what is below', async () => {
    const id = await caller.start('outest')
    await caller.call('POST', `${FLOW_RUNS}/${id}/cancel`)
    const rows = await caller.app.deps.db.all(
      sql`SELECT status, completed_at FROM flow_runs WHERE flow IN ('chain', 'outer', 'outest')
        ORDER BY id DESC LIMIT 3`,
    )
    expect(rows.map(({ status }) => status)).toEqual(['canceled', 'canceled', 'canceled'])
    expect(await caller.work()).toBe(0)
  })

  it('of a child fails its step; of a subflow that of the run above', async () => {
    const id = await caller.start('outer')
    const run = await caller.run(id)
    const inner = run.steps[0]?.flow_run_ids?.[0] ?? ''
    await caller.call('POST', `${FLOW_RUNS}/${inner}/cancel`, { reason: 'enough' })
    expect(await caller.run(id)).toMatchObject({
      status: 'failed',
      error: { name: 'Canceled', message: 'enough' },
    })
    const other = await caller.start('chain')
    const [job] = await jobsOf(other)
    await cancelJob(caller.app.deps, {
      ws: WS,
      id: String(job?.id),
      caller: adminSession(ADMIN),
      reason: 'no',
    })
    expect(await caller.run(other)).toMatchObject({
      status: 'failed',
      error: { name: 'Canceled', message: 'no' },
    })
    const third = await caller.start('chain')
    const [running] = await caller.claim(1)
    if (running === undefined) throw new Error('No job.')
    await cancelJob(caller.app.deps, {
      ws: WS,
      id: running.id,
      caller: adminSession(ADMIN),
      reason: 'stop',
    })
    expect(await caller.perform(running)).toBe('canceled')
    expect(await caller.run(third)).toMatchObject({
      status: 'failed',
      error: { name: 'Canceled', message: 'stop' },
    })
    expect(await caller.work()).toBe(0)
  })

  it('of a child that is queued again while it is canceled fails the run too', async () => {
    const id = await caller.start('chain')
    const [job] = await jobsOf(id)
    const cancel = { ws: WS, id: String(job?.id), by: ADMIN, reason: 'no' }
    // as it was read before its worker handed it back
    expect(await cancelAs(caller.app.deps, cancel, 'running')).toBe('canceled')
    expect(await caller.run(id)).toMatchObject({
      status: 'failed',
      error: { name: 'Canceled', message: 'no' },
    })
  })

  it('of a child that its run needs no more ends the child', async () => {
    const id = await caller.start('chain')
    const { db } = caller.app.deps
    const end = sql`UPDATE flow_runs SET status = 'failed', completed_at = 1 WHERE id = ${id}`
    await db.write([
      sql`UPDATE flow_steps SET status = 'failure', completed_at = 1 WHERE run_id = ${id}`,
      end,
    ])
    const [job] = await jobsOf(id)
    const cancel = { ws: WS, id: String(job?.id), by: ADMIN, reason: 'no' }
    expect(await cancelAs(caller.app.deps, cancel, 'queued')).toBe('canceled')
    expect(await jobsOf(id)).toMatchObject([{ status: 'canceled' }])
  })

  it('is for its creator and admins', async () => {
    const id = await caller.start('chain')
    const other = await caller.app.token(['flows:run'], { email: ADMIN })
    expect(
      (await caller.app.call('POST', `${FLOW_RUNS}/${id}/cancel`, { token: other })).status,
    ).toBe(200)
    expect(await caller.work()).toBe(0)
  })
})

describe('a lost worker', () => {
  it('is replaced, and its late word changes nothing', async () => {
    const id = await caller.start('chain', { n: 1 })
    const [lost] = await caller.claim(1)
    if (lost === undefined) throw new Error('No job.')
    await caller.app.deps.db.write([sql`UPDATE jobs SET lease_until = 1 WHERE id = ${lost.id}`])
    await rescueJobs(caller.app.deps)
    const [second] = await caller.claim(1)
    expect(second?.attempt).toBe(2)
    expect(await caller.perform(lost)).toBe('fenced')
    expect((await caller.run(id)).current_step).toEqual({ index: 0, key: 'a' })
    if (second !== undefined) await caller.perform(second)
    await caller.work()
    expect(await caller.run(id)).toMatchObject({ status: 'completed', result: { n: 1 } })
  })

  it('too often fails the step in the same write', async () => {
    const id = await caller.start('chain')
    for (let crash = 0; crash < 3; crash += 1) {
      const [lost] = await caller.claim(1)
      await caller.app.deps.db.write([
        sql`UPDATE jobs SET lease_until = 1 WHERE id = ${lost?.id ?? ''}`,
      ])
      await Promise.all([rescueJobs(caller.app.deps), rescueJobs(caller.app.deps)])
    }
    expect(await caller.run(id)).toMatchObject({ status: 'failed', error: { name: 'WorkerLost' } })
  })
})

describe('a restart', () => {
  it('takes over what was found, and runs from the step on', async () => {
    isBroken = true
    const id = await caller.start('mends', { n: 1 })
    const early = await caller.call('POST', `${FLOW_RUNS}/${id}/restart`, { from_step: 'second' })
    expect(early.status).toBe(409)
    await caller.work()
    expect((await caller.run(id)).status).toBe('failed')
    isBroken = false
    const answer = await caller.call('POST', `${FLOW_RUNS}/${id}/restart`, { from_step: 'second' })
    expect(answer.status).toBe(201)
    expect(await caller.work()).toBe(2)
    const { flow_run_id } = z.object({ flow_run_id: z.string() }).parse(answer.json)
    const run = await caller.run(flow_run_id)
    expect(run).toMatchObject({ status: 'completed', restarted_from: id, input: { n: 1 } })
    const first = `${MARKER}-result`
    expect(run.result).toEqual({ first, second: { fixed: { found: first } } })
    expect(run.steps.map(({ status }) => status)).toEqual([
      'success',
      'skipped',
      'success',
      'success',
    ])
  })

  it('keeps the commit unless the latest is requested', async () => {
    const id = await caller.start('chain')
    await caller.work()
    const before = await caller.call('GET', `${FLOW_RUNS}/${id}`)
    const { commit } = z.looseObject({ commit: z.string() }).parse(before.json)
    const flows = z.object({ items: z.array(z.object({ definition: z.json() })) })
    const { items } = flows.parse((await caller.call('GET', FLOWS)).json)
    await caller.deploy(items.map(({ definition }) => definition))
    const restart = async (json: object) => {
      const { json: made } = await caller.call('POST', `${FLOW_RUNS}/${id}/restart`, json)
      const { flow_run_id } = z.object({ flow_run_id: z.string() }).parse(made)
      await caller.work()
      const run = await caller.call('GET', `${FLOW_RUNS}/${flow_run_id}`)
      return z.looseObject({ commit: z.string(), status: z.string() }).parse(run.json)
    }
    expect(await restart({ from_step: 'b' })).toMatchObject({ commit, status: 'completed' })
    const latest = await restart({ from_step: 'a', commit: 'latest' })
    expect(latest.status).toBe('completed')
    expect(latest.commit).not.toBe(commit)
  })

  it('names what cannot be', async () => {
    isBroken = true
    const id = await caller.start('mends')
    await caller.work()
    isBroken = false
    const restart = (from_step: string) =>
      caller.call('POST', `${FLOW_RUNS}/${id}/restart`, { from_step })
    expect(await restart('none')).toMatchObject({ status: 400, json: { code: 'unknown_step' } })
    expect(await restart('third')).toMatchObject({ status: 400, json: { code: 'step_not_done' } })
  })

  it('with an Idempotency-Key starts one run, and answers it again', async () => {
    const id = await caller.start('mends')
    await caller.work()
    const restart = (from_step: string) =>
      caller.call(
        'POST',
        `${FLOW_RUNS}/${id}/restart`,
        { from_step },
        { headers: { 'idempotency-key': 'lost' } },
      )
    const [first, second] = await Promise.all([restart('first'), restart('first')])
    expect(first.status).toBe(201)
    expect(second.text).toBe(first.text)
    expect((await restart('first')).headers.get('idempotency-replayed')).toBe('true')
    expect(await restart('second')).toMatchObject({
      status: 409,
      json: { code: 'idempotency_key_reused' },
    })
    await caller.work()
  })
})

it('starts the error handler of a run that fails, once', async () => {
  await caller.call('PATCH', `/api/w/${WS}/workspace`, { error_handler: `${APP}/onError` })
  isBroken = true
  const id = await caller.start('mends')
  await caller.work()
  isBroken = false
  expect(handled).toEqual([
    {
      flow_run_id: id,
      workspace: WS,
      app: APP,
      flow: 'mends',
      error: { name: 'Error', message: 'broken for now' },
    },
  ])
  await caller.call('PATCH', `/api/w/${WS}/workspace`, { error_handler: null })
})

it('keeps no input or result of a flow readable in the database', async () => {
  const id = await caller.start('secret', { mark: `${MARKER}-input` })
  await caller.work()
  const run = await caller.run(id)
  expect(JSON.stringify(run)).toContain(`${MARKER}-input`)
  expect(run.status).toBe('completed')
  for (const file of readdirSync(caller.app.folder)) {
    const bytes = readFileSync(join(caller.app.folder, file)).toString('latin1')
    // only the items of the loop are in the manifest, as its author wrote them
    const found = [...bytes.matchAll(/MARKER-7f3a9c-(input|result)/g)]
    expect([file, found.length]).toEqual([file, 0])
  }
})

it('sweeps ended runs with all that hangs on them', async () => {
  const { db } = caller.app.deps
  await caller.work()
  const open = await caller.start('chain')
  const later = { ...db, now: async () => (await db.now()) + 40 * 86_400_000 }
  const { signal } = new AbortController()
  await sweepFlowRuns({ db: later }, { retentionDays: 30, signal })
  const counts = await db.all(
    sql`SELECT (SELECT count(*) FROM flow_runs) AS runs, (SELECT count(*) FROM flow_steps) AS steps`,
  )
  expect(counts).toEqual([{ runs: 1, steps: 1 }])
  expect((await caller.run(open)).status).toBe('running')
  await caller.work()
})
