/** Steps that wait for a time, and approvals whose settings let the run go on or remind people. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonValue } from '#core/json/value.ts'
import { endWaits } from '#service/flows/end-waits.ts'
import { addMember } from '#service/people/manage-member.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { WS } from '../support/create-test-app.ts'
import {
  APP,
  FLOW_RUNS,
  FLOWS,
  type FlowCaller,
  openFlowCaller,
  pathOf,
} from '../support/flow-caller.ts'

const ref = (path: string): string => `\${${path}}`
const APPROVER = 'bea@example.com'
const FORM = [{ key: 'note', label: 'Note', type: 'text' }]
const CONTINUES = { onTimeout: 'continue', onReject: 'continue' }

let caller: FlowCaller
let token = ''
beforeAll(async () => {
  caller = await openFlowCaller({
    actions: {
      echo: (input) => input,
      seen: (input, { flowContext }) => ({ input, resume: flowContext.resumeValue ?? null }),
      nudge: (input) => input,
      fails: () => {
        throw new Error('no mail')
      },
      strict: (input) => input,
    },
    definitions: {
      strict: { inputSchema: { type: 'object', required: ['mail'] } },
    },
    flows: [
      {
        key: 'rest',
        steps: [
          { key: 'ask', action: 'echo' },
          { key: 'cool-off', kind: 'sleep', forS: 86_400 },
          { key: 'more', kind: 'sleep', until: ref('input.at') },
          { key: 'use', action: 'echo' },
        ],
      },
      { key: 'last', steps: [{ key: 'only', kind: 'sleep', forS: 1 }] },
      {
        key: 'outer',
        steps: [{ key: 'below', kind: 'subflow', subflow: 'last' }],
      },
      {
        key: 'decide',
        steps: [
          {
            key: 'ok',
            kind: 'approval',
            timeoutS: 60,
            approval: { resumeForm: FORM, ...CONTINUES },
          },
          { key: 'use', action: 'seen' },
        ],
      },
      {
        key: 'between',
        steps: [
          { key: 'ok', kind: 'approval', approval: { resumeForm: FORM } },
          { key: 'again', kind: 'approval', skipIf: 'true', approval: { resumeForm: FORM } },
          { key: 'quiet', action: 'echo', skipIf: 'true' },
          {
            key: 'none',
            kind: 'branchone',
            branches: [{ key: 'no', condition: 'false', action: 'echo' }],
          },
          { key: 'pause', kind: 'sleep', forS: 86_400 },
          { key: 'use', action: 'seen' },
          { key: 'later', action: 'seen' },
        ],
      },
      {
        key: 'remind',
        steps: [
          { key: 'ask', action: 'echo' },
          { key: 'ok', kind: 'approval', remind: { everyS: 900, action: 'nudge' } },
          { key: 'use', action: 'echo' },
        ],
      },
      {
        key: 'failing',
        steps: [{ key: 'ok', kind: 'approval', remind: { everyS: 900, action: 'fails' } }],
      },
      {
        key: 'strict',
        steps: [{ key: 'ok', kind: 'approval', remind: { everyS: 900, action: 'strict' } }],
      },
    ],
  })
  await createUser(caller.app.deps, { email: APPROVER, password: null, isSuperAdmin: false })
  await addMember(caller.app.deps, { ws: WS, email: APPROVER, role: 'member' })
  token = await caller.app.token(['flows:resume'], { email: APPROVER })
})
afterAll(() => caller.app.close())

const answer = (id: string, what: 'approve' | 'reject', json: unknown = {}) =>
  caller.call('POST', `${FLOW_RUNS}/${id}/${what}`, json, { token })

/** Moves the time that a run waits for into the past. */
const pass = async (id: string, column: 'wait_until' | 'remind_at'): Promise<void> => {
  const { db } = caller.app.deps
  await db.write([
    column === 'wait_until'
      ? sql`UPDATE flow_runs SET wait_until = 1 WHERE ws = ${WS} AND id = ${id}`
      : sql`UPDATE flow_runs SET remind_at = 1 WHERE ws = ${WS} AND id = ${id}`,
  ])
  await endWaits(caller.app.deps)
}

const started = async (flow: string, input: JsonValue = {}): Promise<string> => {
  const id = await caller.start(flow, input)
  await caller.work()
  return id
}

describe('a sleep', () => {
  it('queues nothing, ends at its time, and passes on the result of the step before', async () => {
    const at = new Date(Date.now() + 60_000).toISOString()
    const id = await started('rest', { at, n: 1 })
    await endWaits(caller.app.deps)
    expect(await caller.work()).toBe(0)
    expect(await caller.run(id)).toMatchObject({
      status: 'running',
      current_step: { key: 'cool-off' },
    })
    await pass(id, 'wait_until')
    expect((await caller.run(id)).steps[1]).toMatchObject({ status: 'success', result: null })
    const row = await caller.app.deps.db.one(
      sql`SELECT wait_until FROM flow_runs WHERE ws = ${WS} AND id = ${id}`,
    )
    expect(row?.wait_until).toBe(Date.parse(at))
    // another process, which has cached nothing, continues the run
    caller.app.deps.flows.runCache.forget({ ws: WS, id })
    await pass(id, 'wait_until')
    await caller.work()
    expect(await caller.run(id)).toMatchObject({ status: 'completed', result: { at, n: 1 } })
  })

  it('fails the step where `until` is not a time', async () => {
    const id = await started('rest', { at: 'tomorrow' })
    await pass(id, 'wait_until')
    expect(await caller.run(id)).toMatchObject({ status: 'failed', error: { name: 'BadTime' } })
  })

  it('ends by a cancel, and a canceled run is not woken', async () => {
    const id = await started('outer', { n: 2 })
    const [below] = (await caller.run(id)).steps[0]?.flow_run_ids ?? []
    await caller.call('POST', `${FLOW_RUNS}/${id}/cancel`, {})
    await endWaits(caller.app.deps)
    expect((await caller.run(id)).status).toBe('canceled')
    expect((await caller.run(below ?? '')).status).toBe('canceled')
  })

  it('is the last step of a subflow, whose result is what it was given', async () => {
    const id = await started('outer', { n: 3 })
    const [below] = (await caller.run(id)).steps[0]?.flow_run_ids ?? []
    await pass(below ?? '', 'wait_until')
    expect(await caller.run(id)).toMatchObject({ status: 'completed', result: { n: 3 } })
  })
})

describe('an approval before skipped steps and a sleep', () => {
  it('gives its values to the next action, after a restart too, and to no later one', async () => {
    const id = await started('between')
    const values = { note: 'fine' }
    await answer(id, 'approve', { values })
    await pass(id, 'wait_until')
    await caller.work()
    const use = { key: 'use', result: { input: values, resume: values } }
    const later = { key: 'later', result: { input: use.result, resume: null } }
    const { status, steps } = await caller.run(id)
    expect(status).toBe('completed')
    expect(steps.slice(-2)).toMatchObject([use, later])
    const again = await caller.call('POST', `${FLOW_RUNS}/${id}/restart`, { from_step: 'use' })
    await caller.work()
    const { flow_run_id: restarted } = z.object({ flow_run_id: z.uuid() }).parse(again.json)
    expect((await caller.run(restarted)).steps.slice(-2)).toMatchObject([use, later])
  })
})

describe('an approval that lets the run go on', () => {
  it.each([
    ['approved', () => ({ note: 'fine' }), [APPROVER]],
    ['rejected', () => ({}), [APPROVER]],
    ['timed_out', () => ({}), []],
  ] as const)('has the decision %s as its result', async (decision, values, by) => {
    const id = await started('decide')
    if (decision === 'approved') await answer(id, 'approve', { values: values() })
    else if (decision === 'rejected') await answer(id, 'reject', { reason: 'no' })
    else await pass(id, 'wait_until')
    await caller.work()
    const result = { decision, values: values(), by }
    expect(await caller.run(id)).toMatchObject({
      status: 'completed',
      steps: [{ status: 'success', result }, {}],
      result: { input: result, resume: values() },
    })
  })
})

describe('a reminder', () => {
  it('is a job of the step with its input, again and again until the answer', async () => {
    const id = await started('remind', { n: 4 })
    await endWaits(caller.app.deps)
    expect(await caller.work()).toBe(0)
    await pass(id, 'remind_at')
    const [job] = await caller.claim()
    if (job === undefined) throw new Error('No reminder was queued.')
    // while it runs, the next one is skipped
    await pass(id, 'remind_at')
    expect(await caller.claim()).toEqual([])
    await caller.perform(job)
    await pass(id, 'remind_at')
    expect(await caller.work()).toBe(1)
    const { steps } = await caller.run(id)
    expect(steps[1]?.job_ids).toHaveLength(2)
    expect(steps[1]).toMatchObject({ attempt: 0, max_attempts: 1 })
    const first = await caller.call('GET', `/api/w/${WS}/jobs/${job.id}`)
    expect(first.json).toMatchObject({ status: 'success', input: { n: 4 }, result: { n: 4 } })
    expect((await answer(id, 'approve')).status).toBe(200)
    await caller.work()
    expect((await caller.run(id)).status).toBe('completed')
    await endWaits(caller.app.deps)
    expect(await caller.work()).toBe(0)
  })

  it('may send a link, which answers the step', async () => {
    const id = await started('remind')
    await pass(id, 'remind_at')
    const [job] = await caller.claim()
    if (job === undefined) throw new Error('No reminder was queued.')
    const { approve } = await caller.links(job)
    expect((await caller.call('POST', pathOf(approve), {})).status).toBe(200)
    // the answer cancels the reminder
    await caller.perform(job)
    await caller.work()
    expect((await caller.run(id)).status).toBe('completed')
  })

  it('changes nothing when it fails', async () => {
    const id = await started('failing')
    await pass(id, 'remind_at')
    await caller.work()
    expect((await caller.run(id)).status).toBe('waiting_approval')
    expect((await answer(id, 'approve')).status).toBe(200)
    expect((await caller.run(id)).status).toBe('completed')
  })

  it('of a run whose data cannot be read fails that run, and others are started', async () => {
    const { db } = caller.app.deps
    const [damaged, other] = [await started('remind'), await started('remind')]
    await db.write([
      sql`UPDATE flow_runs SET input = 'v2.AAAA', remind_at = 1 WHERE id = ${damaged}`,
      sql`UPDATE flow_runs SET remind_at = 2 WHERE id = ${other}`,
    ])
    const { ended } = await endWaits(caller.app.deps)
    expect(ended).toEqual([damaged, other])
    expect(await caller.claim()).toMatchObject([{ action: 'nudge' }])
    const failed = sql`SELECT status FROM flow_runs WHERE id = ${damaged}`
    expect(await db.one(failed)).toEqual({ status: 'failed' })
  })

  it('waits for no other run, also when that run fails to load', async () => {
    const { db } = caller.app.deps
    const [damaged, other] = [await started('rest', { at: 1 }), await started('remind')]
    await db.write([
      sql`UPDATE flow_runs SET flow = 'gone', wait_until = 1 WHERE id = ${damaged}`,
      sql`UPDATE flow_runs SET remind_at = 1 WHERE id = ${other}`,
    ])
    caller.app.deps.flows.runCache.forget({ ws: WS, id: damaged })
    await expect(endWaits(caller.app.deps)).rejects.toThrow('has no flow gone')
    expect(await caller.claim()).toMatchObject([{ action: 'nudge' }])
    await db.write([sql`UPDATE flow_runs SET wait_until = NULL WHERE id = ${damaged}`])
  })

  it('fails the step at once where its input does not fit', async () => {
    const id = await started('strict', { n: 1 })
    expect(await caller.run(id)).toMatchObject({
      status: 'failed',
      error: { name: 'InvalidInput' },
    })
  })
})

describe('a run that starts later', () => {
  const AT = '2090-01-01T00:00:00.000Z'
  const startAt = async (flow: string, at = AT): Promise<string> => {
    const path = `${FLOWS}/run/${APP}/${flow}?scheduled_for=${at}&priority=5`
    const { json } = await caller.call('POST', path, { at: '2090-01-01T00:00:00Z' })
    return z.object({ flow_run_id: z.uuid() }).parse(json).flow_run_id
  }

  it('does nothing before its time, shows when it starts, and then runs', async () => {
    const id = await startAt('decide')
    expect(await caller.run(id)).toMatchObject({
      status: 'running',
      current_step: null,
      scheduled_for: AT,
      steps: [{ status: 'pending' }, { status: 'pending' }],
    })
    await pass(id, 'wait_until')
    expect(await caller.run(id)).toMatchObject({
      status: 'waiting_approval',
      current_step: { index: 0, key: 'ok' },
      scheduled_for: null,
    })
  })

  it('gives its jobs its priority', async () => {
    const id = await startAt('rest')
    await pass(id, 'wait_until')
    const { db } = caller.app.deps
    const jobs = await db.all(sql`SELECT priority FROM jobs WHERE flow_run_id = ${id}`)
    expect(jobs).toEqual([{ priority: 5 }])
  })

  it('is canceled without a trace', async () => {
    const id = await startAt('rest')
    await caller.call('POST', `${FLOW_RUNS}/${id}/cancel`, {})
    const run = await caller.run(id)
    expect(run).toMatchObject({ status: 'canceled', current_step: null, scheduled_for: null })
    await pass(id, 'wait_until').catch(() => undefined)
    expect(await caller.run(id)).toMatchObject({ status: 'canceled' })
  })

  it('starts at once at a time in the past', async () => {
    const id = await startAt('rest', '2020-01-01T00:00:00.000Z')
    await endWaits(caller.app.deps)
    expect(await caller.run(id)).toMatchObject({ current_step: { key: 'ask' } })
  })
})
