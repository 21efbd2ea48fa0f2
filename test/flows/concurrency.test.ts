/** Limits of how many runs of a flow are under way at once [flows 17]. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endWaits } from '#service/flows/end-waits.ts'
import { endWaitsWhenDue } from '#service/flows/end-waits-when-due.ts'
import { addMember } from '#service/people/manage-member.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { number } from '#store/row.ts'
import { sql } from '#store/sql.ts'
import { heldForMove, releaseWorkspace } from '#store/workspaces/held.ts'
import { holdForMove } from '#store/workspaces/moved.ts'
import { WS } from '../support/create-test-app.ts'
import { APP, FLOW_RUNS, FLOWS, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

const APPROVER = 'bea@example.com'

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation
const FLOWS_OF_APP = [
  {
    key: 'ship',
    concurrency: { limit: 1, key: '${input.env}' },
    steps: [
      { key: 'build', action: 'echo', input: { env: '${input.env}' } },
      { key: 'release', action: 'echo' },
    ],
  },
  { key: 'pair', concurrency: { limit: 2 }, steps: [{ key: 'only', action: 'echo' }] },
  {
    key: 'ask',
    concurrency: { limit: 1 },
    steps: [{ key: 'ok', kind: 'approval', approval: {} }],
  },
  {
    key: 'outer',
    steps: [
      {
        key: 'all',
        kind: 'forloop_parallel',
        subflow: 'ship',
        items: '${input.envs}',
        input: { env: '${item}' },
      },
    ],
  },
  {
    key: 'nested',
    steps: [
      { key: 'prepare', action: 'echo' },
      { key: 'ship', kind: 'subflow', subflow: 'ship', input: { env: '${input.env}' } },
    ],
  },
  {
    key: 'frail',
    concurrency: { limit: 1, key: '${input.id}' },
    steps: [
      { key: 'first', action: 'echo' },
      { key: 'second', action: 'fails' },
    ],
  },
]
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation

let caller: FlowCaller
let isBroken = true
beforeAll(async () => {
  caller = await openFlowCaller({
    flows: FLOWS_OF_APP,
    actions: {
      echo: (input) => input,
      fails: (input) => {
        if (isBroken) throw new Error('no network')
        return input
      },
    },
  })
})
afterAll(() => caller.app.close())

const WAITS = {
  status: 'running',
  current_step: null,
  scheduled_for: null,
  waiting_for: {
    reason: 'concurrency',
    detail: expect.stringMatching(/^It waits for .* of which at most 1 may/),
  },
}
const begun = (key: string) => ({
  status: 'running',
  current_step: { index: 0, key },
  waiting_for: null,
})

/** Starts what is due. @returns the number of runs that went on */
const begin = async (): Promise<number> => (await endWaits(caller.app.deps)).ended.length
/** Works until nothing is left to do. */
const settle = async (): Promise<void> => {
  while ((await begin()) + (await caller.work()) > 0);
}
const cancel = (id: string) => caller.call('POST', `${FLOW_RUNS}/${id}/cancel`, {})
const startWith = async (flow: string, query: string, input: unknown): Promise<string> => {
  const answer = await caller.call('POST', `${FLOWS}/run/${APP}/${flow}?${query}`, input)
  return z.object({ flow_run_id: z.string() }).parse(answer.json).flow_run_id
}

describe('concurrency of a flow', () => {
  it('lets runs of a full key wait, in order of priority and start', async () => {
    const first = await caller.start('ship', { env: 'prod' })
    const second = await caller.start('ship', { env: 'prod' })
    const third = await startWith('ship', 'priority=5', { env: 'prod' })
    const other = await caller.start('ship', { env: 'test' })
    await begin()
    expect(await caller.run(first)).toMatchObject(begun('build'))
    expect(await caller.run(other)).toMatchObject(begun('build'))
    expect(await caller.run(second)).toMatchObject(WAITS)
    const listed = await caller.call('GET', `${FLOW_RUNS}?flow=ship&app=${APP}&status=open`)
    expect(listed.json).toMatchObject({
      items: [
        { id: other, waiting_for: null },
        { id: third, ...WAITS },
        { id: second, ...WAITS },
        {},
      ],
    })
    await caller.work()
    expect(await caller.run(first)).toMatchObject({ status: 'completed', waiting_for: null })
    await begin()
    expect(await caller.run(third)).toMatchObject(begun('build'))
    expect(await caller.run(second)).toMatchObject(WAITS)
    await settle()
    expect(await caller.run(second)).toMatchObject({ status: 'completed', result: { env: 'prod' } })
  })

  it('counts runs until they are over, also while they wait for people', async () => {
    const { app } = caller
    await createUser(app.deps, { email: APPROVER, password: null, isSuperAdmin: false })
    await addMember(app.deps, { ws: WS, email: APPROVER, role: 'admin' })
    const first = await caller.start('ask')
    const second = await caller.start('ask')
    await begin()
    expect(await caller.run(first)).toMatchObject({ status: 'waiting_approval' })
    expect(await begin()).toBe(0)
    expect(await caller.run(second)).toMatchObject(WAITS)
    const token = await app.token(['*'], { email: APPROVER })
    await caller.call('POST', `${FLOW_RUNS}/${first}/approve`, {}, { token })
    await begin()
    expect(await caller.run(second)).toMatchObject({ status: 'waiting_approval' })
    expect((await cancel(second)).status).toBe(200)
  })

  it('gives the slot of a canceled run to the next one, and forgets those that are canceled while they wait', async () => {
    const [first = '', second = '', third = ''] = [
      await caller.start('ship', { env: 'a' }),
      await caller.start('ship', { env: 'a' }),
      await caller.start('ship', { env: 'a' }),
    ]
    await cancel(second)
    expect(await caller.run(second)).toMatchObject({ status: 'canceled', waiting_for: null })
    await begin()
    await cancel(first)
    await begin()
    expect(await caller.run(third)).toMatchObject(begun('build'))
    await settle()
  })

  it('lets a delayed run wait only once its time has come', async () => {
    const at = '2099-01-01T00:00:00.000Z'
    const delayed = await startWith('ship', `scheduled_for=${at}`, { env: 'later' })
    const now = await caller.start('ship', { env: 'later' })
    await begin()
    expect(await caller.run(now)).toMatchObject(begun('build'))
    expect(await caller.run(delayed)).toMatchObject({ scheduled_for: at, waiting_for: null })
    await caller.app.deps.db.write([
      sql`UPDATE flow_runs SET wait_until = 1 WHERE ws = ${WS} AND id = ${delayed}`,
    ])
    await begin()
    expect(await caller.run(delayed)).toMatchObject(WAITS)
    await settle()
    expect(await caller.run(delayed)).toMatchObject({ status: 'completed' })
  })

  it('holds for subflows too, and for those that end with their parent', async () => {
    const parent = await caller.start('outer', { envs: ['x', 'x', 'y'] })
    const x = await caller.start('ship', { env: 'x' })
    await begin()
    const [all] = (await caller.run(parent)).steps
    const states = await Promise.all((all?.flow_run_ids ?? []).map(caller.run))
    expect(states).toMatchObject([begun('build'), WAITS, begun('build')])
    await cancel(parent)
    await settle()
    expect(await caller.run(x)).toMatchObject({ status: 'completed' })
    const again = await caller.start('outer', { envs: ['x', 'x', 'y', 'x'] })
    await settle()
    expect(await caller.run(again)).toMatchObject({
      status: 'completed',
      result: [{ env: 'x' }, { env: 'x' }, { env: 'y' }, { env: 'x' }],
    })
  })

  it('holds for a subflow that a job of a workspace starts while it prepares to move', async () => {
    const { db } = caller.app.deps
    const parent = await caller.start('nested', { env: 'moving' })
    const [job] = await caller.claim()
    const held = heldForMove({ ws: WS, id: 'a move' })
    await db.write([holdForMove(held)])
    if (job !== undefined) await caller.perform(job)
    await db.write([releaseWorkspace(held)])
    await settle()
    expect(await caller.run(parent)).toMatchObject({ status: 'completed' })
  })

  it('restarts a run from its step once there is a slot', async () => {
    const failed = await caller.start('frail', { id: 1 })
    await settle()
    expect(await caller.run(failed)).toMatchObject({ status: 'failed' })
    isBroken = false
    const other = await caller.start('frail', { id: 1 })
    await begin()
    const answer = await caller.call('POST', `${FLOW_RUNS}/${failed}/restart`, {
      from_step: 'second',
    })
    const { flow_run_id: id } = z.object({ flow_run_id: z.string() }).parse(answer.json)
    expect(await caller.run(id)).toMatchObject({
      ...WAITS,
      steps: [
        { key: 'first', status: 'success' },
        { key: 'second', status: 'pending' },
      ],
    })
    await settle()
    expect(await caller.run(other)).toMatchObject({ status: 'completed' })
    const run = await caller.run(id)
    expect(run).toMatchObject({ status: 'completed', result: { id: 1 } })
    expect(run.steps.map(({ job_ids }) => job_ids.length)).toEqual([0, 1])
  })

  it('repeats no step of a restarted run whose results are too large together', async () => {
    isBroken = true
    const failed = await caller.start('frail', { id: 2 })
    await settle()
    isBroken = false
    const other = await caller.start('frail', { id: 2 })
    const answer = await caller.call('POST', `${FLOW_RUNS}/${failed}/restart`, {
      from_step: 'second',
    })
    const { flow_run_id: id } = z.object({ flow_run_id: z.string() }).parse(answer.json)
    await caller.app.deps.db.write([
      sql`UPDATE flow_runs SET result_bytes = 1000000000 WHERE ws = ${WS} AND id = ${id}`,
    ])
    await settle()
    expect(await caller.run(other)).toMatchObject({ status: 'completed' })
    const { status, steps } = await caller.run(id)
    expect(status).toBe('failed')
    expect(steps.map(({ job_ids }) => job_ids.length)).toEqual([0, 1])
  })

  it('lets the process that ends a run begin the next one', async () => {
    const failures: unknown[] = []
    const ending = endWaitsWhenDue(caller.app.deps, (error) => failures.push(error))
    const first = await caller.start('ask')
    const second = await caller.start('ask')
    await expect.poll(() => caller.run(first)).toMatchObject({ status: 'waiting_approval' })
    expect(await caller.run(second)).toMatchObject(WAITS)
    await cancel(first)
    await expect.poll(() => caller.run(second)).toMatchObject({ status: 'waiting_approval' })
    await ending.stop()
    await cancel(second)
    expect(failures).toEqual([])
  })

  it('needs the value of its key', async () => {
    const refused = await caller.call('POST', `${FLOWS}/run/${APP}/ship`, {})
    expect(refused.status).toBe(400)
    expect(refused.json).toMatchObject({
      code: 'missing_concurrency_key',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
      error: expect.stringContaining('The flow limits its concurrency by ${input.env}'),
    })
    const parent = await caller.start('outer', { envs: [{ no: 'text' }] })
    expect(await caller.run(parent)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('The flow limits its concurrency by') },
    })
  })
})

const slots = (state: string): Promise<number> =>
  number
    .one(
      caller.app.deps.db,
      sql`SELECT count(*) FROM flow_runs WHERE flow = 'pair' AND completed_at IS NULL AND concurrency_state = ${state}`,
    )
    .then((count) => count ?? 0)

describe('slots', () => {
  it('are never more than the limit, and never free while a run waits', async () => {
    let open: readonly string[] = []
    const start = async (): Promise<void> => {
      open = [...open, await caller.start('pair')]
    }
    const end = async (at: 0 | -1): Promise<void> => {
      const id = open.at(at)
      open = open.filter((each) => each !== id)
      if (id !== undefined) await cancel(id)
    }
    const acts = fc.constantFrom(
      start,
      start,
      () => end(0),
      () => end(-1),
      begin,
      caller.work,
    )
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { minLength: 5, maxLength: 25 }), async (all) => {
        open = []
        for (const act of all) {
          await act()
          const [holding, waiting] = [await slots('holding'), await slots('waiting')]
          expect(holding).toBeLessThanOrEqual(2)
          expect(waiting === 0 || holding === 2).toBe(true)
        }
        await settle()
        expect([await slots('holding'), await slots('waiting')]).toEqual([0, 0])
      }),
      { numRuns: 12 },
    )
  })

  it('survive a deployment with another limit: each run keeps its own', async () => {
    const held = [await caller.start('pair'), await caller.start('pair')]
    const waits = await caller.start('pair')
    await caller.deploy(
      FLOWS_OF_APP.map((flow) =>
        flow.key === 'pair' ? { ...flow, concurrency: { limit: 4 } } : flow,
      ),
    )
    const behind = [
      await caller.start('pair'),
      await caller.start('pair'),
      await caller.start('pair'),
    ]
    expect([await slots('holding'), await slots('waiting')]).toEqual([2, 4])
    await cancel(held[0] ?? '')
    expect([await slots('holding'), await slots('waiting')]).toEqual([2, 3])
    await cancel(waits)
    // the runs behind it may be four at once
    expect([await slots('holding'), await slots('waiting')]).toEqual([4, 0])
    await settle()
    expect(await Promise.all(behind.map(caller.run))).toMatchObject(
      behind.map(() => ({ status: 'completed' })),
    )
  })

  it('are given in small parts, however far the limit rises', async () => {
    const deployWith = (limit: number) =>
      caller.deploy(
        FLOWS_OF_APP.map((flow) =>
          flow.key === 'pair' ? { ...flow, concurrency: { limit } } : flow,
        ),
      )
    await deployWith(1)
    const first = [await caller.start('pair'), await caller.start('pair')]
    await deployWith(40)
    const behind: string[] = []
    for (let n = 0; n < 40; n += 1) behind.push(await caller.start('pair'))
    expect([await slots('holding'), await slots('waiting')]).toEqual([1, 41])
    await cancel(first[1] ?? '')
    expect([await slots('holding'), await slots('waiting')]).toEqual([11, 30])
    // those that begin give the slots that are left
    while ((await begin()) > 0);
    expect([await slots('holding'), await slots('waiting')]).toEqual([40, 1])
    await settle()
    expect([await slots('holding'), await slots('waiting')]).toEqual([0, 0])
    const ends = await Promise.all(behind.map(caller.run))
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['completed']))
  })

  it('are counted without a look at the rows of the runs', async () => {
    const plan = await caller.app.deps.db.all(
      sql`EXPLAIN QUERY PLAN SELECT count(*) FROM flow_runs INDEXED BY flow_runs_concurrent
        WHERE ws = ${WS} AND concurrency_key = 'k' AND concurrency_state = 'holding' AND completed_at IS NULL`,
    )
    expect(JSON.stringify(plan)).toContain('USING COVERING INDEX flow_runs_concurrent')
  })
})
