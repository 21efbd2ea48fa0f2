/** Every kind of step through the routes, the queue and the database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonValue } from '#core/json/value.ts'
import { FLOW_RUNS, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

const ref = (path: string): string => `\${${path}}`

const numberOf = (input: JsonValue): number => {
  const value = isJsonObject(input) ? input.n : input
  return typeof value === 'number' ? value : 0
}

const tries = new Map<string, number>()

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({
    actions: {
      echo: (input) => input,
      double: (input) => ({ n: numberOf(input) * 2 }),
      fail: () => {
        throw new TypeError('no such thing')
      },
      flaky: (_, { flow }) => {
        const key = flow?.runId ?? ''
        const count = (tries.get(key) ?? 0) + 1
        tries.set(key, count)
        if (count < 3) throw new Error(`try ${count}`)
        return { count }
      },
      failAt: (input) => {
        if (numberOf(input) === 3) throw new Error('three')
        return numberOf(input)
      },
    },
    definitions: { strict: {} },
    flows: [
      {
        key: 'chain',
        steps: [
          { key: 'a', action: 'double' },
          { key: 'b', action: 'double' },
          {
            key: 'c',
            action: 'echo',
            input: { sum: ref('results.b.n'), text: `n=${ref('results.a.n')}` },
          },
        ],
      },
      {
        key: 'branches',
        steps: [
          { key: 'first', action: 'echo' },
          {
            key: 'one',
            kind: 'branchone',
            branches: [
              { key: 'big', condition: 'results.first.n > 10', action: 'double' },
              { key: 'small', action: 'echo', input: { n: -1 } },
            ],
          },
          {
            key: 'all',
            kind: 'branchall',
            branches: [
              { key: 'left', action: 'double' },
              { key: 'right', action: 'echo', input: ref('results.first.n') },
            ],
          },
        ],
      },
      {
        key: 'numbers',
        steps: [
          {
            key: 'all',
            kind: 'branchall',
            branches: ['b', '10', '9', 'a'].map((key) => ({ key, action: 'echo', input: key })),
          },
        ],
      },
      {
        key: 'loops',
        steps: [
          { key: 'each', kind: 'forloop', action: 'double', items: ref('input.items') },
          {
            key: 'many',
            kind: 'forloop_parallel',
            action: 'echo',
            items: ref('results.each'),
            input: { at: ref('index'), n: ref('item.n') },
          },
        ],
      },
      {
        key: 'outer',
        steps: [
          { key: 'in', kind: 'subflow', subflow: 'chain', input: { n: 5 } },
          { key: 'after', action: 'echo' },
        ],
      },
      {
        key: 'retried',
        steps: [
          { key: 'try', action: 'flaky', retry: { maxAttempts: 3, delayMs: 0, backoffFactor: 1 } },
        ],
      },
      {
        key: 'broken',
        steps: [
          { key: 'bad', action: 'fail' },
          { key: 'never', action: 'echo' },
        ],
        failureModule: { key: 'tell', action: 'echo' },
      },
      {
        key: 'fast',
        steps: [{ key: 'many', kind: 'forloop_parallel', action: 'failAt', items: [1, 2, 3, 4] }],
      },
      {
        key: 'skips',
        steps: [
          { key: 'a', action: 'double' },
          { key: 'b', action: 'fail', skipIf: 'results.a.n == 2' },
          { key: 'c', action: 'echo', stopAfterIf: 'results.c.n == 2' },
          { key: 'd', action: 'fail' },
        ],
      },
    ],
  })
})
afterAll(() => caller.app.close())

const finish = async (flow: string, input: unknown) => {
  const id = await caller.start(flow, input)
  await caller.work()
  return caller.run(id)
}

describe('a flow of', () => {
  it('actions in a row', async () => {
    const run = await finish('chain', { n: 3 })
    expect(run).toMatchObject({
      status: 'completed',
      result: { sum: 12, text: 'n=6' },
      error: null,
      current_step: null,
    })
    expect(run.steps.map(({ status, attempt }) => [status, attempt])).toEqual([
      ['success', 1],
      ['success', 1],
      ['success', 1],
    ])
  })

  it('branches', async () => {
    const big = await finish('branches', { n: 11 })
    expect(big).toMatchObject({ status: 'completed', result: { left: { n: 44 }, right: 11 } })
    const small = await finish('branches', { n: 1 })
    expect(small.result).toEqual({ left: { n: -2 }, right: 1 })
    const arms = [big, small].map(({ steps }) =>
      steps.map((step) => step.arms?.map(({ key, status }) => `${key} ${status}`)),
    )
    expect(arms).toEqual([
      [undefined, ['big success', 'small skipped'], ['left success', 'right success']],
      [undefined, ['big skipped', 'small success'], ['left success', 'right success']],
    ])
  })

  it('arms whose keys are numbers gives their results in the order of the manifest', async () => {
    const { id, steps } = await finish('numbers', {})
    expect(steps[0]?.arms?.map(({ key }) => key)).toEqual(['b', '10', '9', 'a'])
    const { text } = await caller.call('GET', `${FLOW_RUNS}/${id}`)
    const result = '"result":{"b":"b","10":"10","9":"9","a":"a"}'
    expect(text.split(result)).toHaveLength(3)
  })

  it('loops', async () => {
    const items = [1, 2, 3].map((n) => ({ n }))
    const run = await finish('loops', { items })
    expect(run.steps[0]?.result).toEqual([{ n: 2 }, { n: 4 }, { n: 6 }])
    expect(run.result).toEqual([
      { at: 0, n: 2 },
      { at: 1, n: 4 },
      { at: 2, n: 6 },
    ])
  })

  it('a loop of more items than run at once', async () => {
    const items = Array.from({ length: 120 }, (_, n) => ({ n }))
    const run = await finish('loops', { items })
    expect(run.status).toBe('completed')
    expect(run.result).toHaveLength(120)
  })

  it('an empty loop', async () => {
    expect(await finish('loops', { items: [] })).toMatchObject({ status: 'completed', result: [] })
  })

  it('a subflow', async () => {
    const run = await finish('outer', {})
    expect(run).toMatchObject({ status: 'completed', result: { sum: 20, text: 'n=10' } })
    expect(run.steps[0]).toMatchObject({ attempt: 1, max_attempts: 1, job_ids: [] })
    const [child] = run.steps[0]?.flow_run_ids ?? []
    const inner = await caller.run(child ?? '')
    expect(inner).toMatchObject({
      status: 'completed',
      trigger_kind: 'subflow',
      parent_run_id: run.id,
    })
  })

  it('steps that try again in the same slot', async () => {
    const run = await finish('retried', {})
    expect(run).toMatchObject({ status: 'completed', result: { count: 3 } })
    expect(run.steps[0]).toMatchObject({ attempt: 3, max_attempts: 3 })
    expect(run.steps[0]?.job_ids).toHaveLength(3)
  })

  it('a step that fails, with a failure module', async () => {
    const run = await finish('broken', {})
    expect(run).toMatchObject({
      status: 'failed',
      error: { name: 'TypeError', message: 'no such thing' },
      result: null,
    })
    expect(run.steps.map(({ key, status }) => [key, status])).toEqual([
      ['bad', 'failure'],
      ['never', 'pending'],
      ['tell', 'success'],
    ])
  })

  it('items of which one fails', async () => {
    const run = await finish('fast', {})
    expect(run).toMatchObject({ status: 'failed', error: { message: 'three' } })
  })

  it('steps that are skipped, and an early end', async () => {
    const run = await finish('skips', { n: 1 })
    expect(run).toMatchObject({ status: 'completed', result: { n: 2 } })
    expect(run.steps.map(({ status }) => status)).toEqual([
      'success',
      'skipped',
      'success',
      'pending',
    ])
  })
})
