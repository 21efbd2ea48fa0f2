/** Compares flow runs in memory, as in `svc dev flow`, with the plain interpreter of the rules, and tests single cases. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actionSchema } from '#core/action/definition.ts'
import type { FlowDefinition } from '#core/flow/definition.ts'
import type { ChildOutcome, FlowEvent } from '#core/flow/run.ts'
import type { JsonObject, JsonValue } from '#core/json/value.ts'
import {
  answersOf,
  definitions,
  flow,
  inputs,
  worldOf,
} from '../../test/support/flow-arbitraries.ts'
import { interpret } from '../../test/support/plain-flow.ts'
import type { LocalAction } from './app-folder.ts'
import { type LocalRunEnd, type LocalStep, runInMemory } from './effects-in-memory.ts'
import type { LocalJob } from './local-actions.ts'
import { createLocalApprovals } from './local-approvals.ts'
import { createLocalWaits } from './local-waits.ts'

const actionOf = (key: string, more: object = {}): readonly [string, LocalAction] => [
  key,
  {
    definition: actionSchema.parse({ key, entrypoint: `${key}.ts`, ...more }),
    entry: {
      entrypoint: `${key}.ts`,
      hash: key,
      loadCode: async () => ({ code: '', sourceMap: '' }),
      codeLength: 0,
      packedBytes: 0,
      sources: [],
      warnings: [],
      missingExports: [],
    },
  },
]
const ACTIONS = new Map(['a', 'b', 'c'].map((key) => actionOf(key)))
/** Its result is an empty list. */
const BELOW = flow([{ key: 'g', kind: 'forloop', action: 'a', items: [] }])

type Options = Readonly<{
  act: (job: LocalJob) => ChildOutcome | Promise<ChildOutcome>
  answer?: (key: string) => FlowEvent
  answers?: readonly JsonObject[]
  rejection?: string
  actions?: ReadonlyMap<string, LocalAction>
  flows?: ReadonlyMap<string, FlowDefinition>
  signal?: AbortSignal
}>

type Ended = LocalRunEnd & Readonly<{ steps: readonly LocalStep[] }>

const run = async (
  definition: FlowDefinition,
  input: JsonValue,
  options: Options,
): Promise<Ended> => {
  const steps: LocalStep[] = []
  const { answers = [], rejection = null, answer } = options
  const end = await runInMemory(
    {
      flows: options.flows ?? new Map([['g', BELOW]]),
      actions: options.actions ?? ACTIONS,
      runner: {
        run: async (job) => ({
          outcome: await options.act(job),
          log: `${job.action.definition.key}\n`,
          ms: 1,
        }),
      },
      approvals:
        answer === undefined
          ? createLocalApprovals(answers, rejection)
          : { answer: ({ key }) => answer(key) },
      waits:
        answer === undefined
          ? createLocalWaits({ skipsTime: true })
          : { wait: async ({ step }) => answer(step) },
      onStep: (step) => void steps.push(step),
      signal: options.signal ?? new AbortController().signal,
    },
    { definition, input },
  )
  return { ...end, steps }
}

const success = (value: JsonValue): ChildOutcome => ({ kind: 'success', value })
const failure = (name: string): ChildOutcome => ({
  kind: 'failure',
  error: { name, message: 'no' },
})

it('does what a plain interpreter does, whichever child ends first', async () => {
  await fc.assert(
    fc.asyncProperty(
      definitions,
      inputs,
      fc.nat(),
      fc.nat(3),
      async (definition, input, seed, failing) => {
        const world = worldOf(seed, failing)
        const answerAt = answersOf(definition, seed, { by: 'you', timesOut: false })
        let turns = seed
        const ended = await run(definition, input, {
          act: async ({ action, input: given, attempt = 1 }) => {
            turns = (turns * 7 + 3) % 5
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
            const target = { kind: 'action', key: action.definition.key } as const
            return world({ target, input: given }, attempt)
          },
          answer: (key) => answerAt(definition.steps.findIndex((step) => step.key === key)),
        })
        const expected = interpret(definition, input, {
          world: (slot, attempt) =>
            slot.target.kind === 'flow' ? success([]) : world(slot, attempt),
          answer: answerAt,
        })
        expect(ended.status).toBe(expected.status)
        if (expected.status === 'completed') expect(ended.result).toEqual(expected.result)
        else expect(expected.errors).toContain(ended.error?.name)
        const known = definition.steps.flatMap(({ key }) => {
          const step = ended.steps.find(({ path }) => path === key)
          return step === undefined ? [] : [{ status: step.status, result: step.result }]
        })
        expect(known).toEqual([...expected.steps.values()])
      },
    ),
    { numRuns: 300 },
  )
})

describe('a step', () => {
  it('is retried by its policy, without delays when time is skipped, and returns the log of every attempt', async () => {
    const tries: (number | undefined)[] = []
    const journals = new Set<unknown>()
    const retry = { maxAttempts: 3, delayMs: 3_600_000, backoffFactor: 1 }
    const ended = await run(
      flow([{ key: 's', action: 'a', retry }]),
      {},
      {
        act: ({ attempt, journal }) => {
          tries.push(attempt)
          journals.add(journal)
          return attempt === 3 ? success('done') : failure('E')
        },
      },
    )
    expect(tries).toEqual([1, 2, 3])
    // they share what they record [durable 1.8]
    expect([...journals]).toEqual([{ jobId: expect.any(String), steps: new Map(), history: [] }])
    expect(ended).toMatchObject({ status: 'completed', result: 'done' })
    expect(ended.steps[0]?.log).toBe('a\na\na\n')
  })

  it('whose input fits no schema fails before any of it is run', async () => {
    const inputSchema = { type: 'object', required: ['n'] }
    const loop = { key: 's', kind: 'forloop_parallel', action: 'strict', items: [{ n: 1 }, {}] }
    const ended = await run(
      flow([loop]),
      {},
      {
        actions: new Map([actionOf('strict', { inputSchema })]),
        act: () => success('ran'),
      },
    )
    expect(ended.error).toMatchObject({ name: 'InvalidInput' })
    expect(ended.steps).toMatchObject([{ status: 'failure', log: '' }])
  })

  it('that fails cancels the parallel ones', async () => {
    const aborted: boolean[] = []
    const branches = ['a', 'b'].map((key) => ({ key, action: key }))
    const ended = await run(
      flow([{ key: 's', kind: 'branchall', branches }]),
      {},
      {
        act: ({ action, signal }) =>
          action.definition.key === 'a'
            ? failure('E')
            : new Promise((resolve) => {
                signal.addEventListener('abort', () => {
                  aborted.push(true)
                  resolve(failure('Canceled'))
                })
              }),
      },
    )
    expect(ended).toMatchObject({ status: 'failed', error: { name: 'E' } })
    expect(aborted).toEqual([true])
  })

  it('after an approval sees what was filled in; the one before it may ask for links', async () => {
    const seen: unknown[] = []
    const steps = [
      { key: 'a', action: 'a' },
      {
        key: 'ok',
        kind: 'approval',
        approval: { resumeForm: [{ key: 'amount', label: 'Amount', type: 'number' }] },
      },
      { key: 'b', action: 'b' },
    ]
    await run(
      flow(steps),
      {},
      {
        answers: [{ amount: 5 }],
        act: ({ flow: context, isBeforeApproval }) => {
          seen.push([context?.step, context?.resumeValue, isBeforeApproval])
          return success(null)
        },
      },
    )
    expect(seen).toEqual([
      ['a', undefined, true],
      ['b', { amount: 5 }, false],
    ])
  })

  it('of another flow names its inner steps by their path', async () => {
    const inner = flow([{ key: 'deep', action: 'a' }])
    const ended = await run(
      flow([{ key: 'top', kind: 'subflow', subflow: 'g' }]),
      {},
      {
        flows: new Map([['g', inner]]),
        act: () => success(1),
      },
    )
    expect(ended.steps.map(({ path }) => path)).toEqual(['top/deep', 'top'])
    expect(ended.result).toBe(1)
  })
})

describe('an approval', () => {
  const resumeForm = [
    { key: 'amount', label: 'Amount', type: 'number', required: true },
    { key: 'why', label: 'Why', type: 'select', options: ['new', 'old'] },
  ]
  const asks = (more: object = {}) =>
    flow([{ key: 'ok', kind: 'approval', approval: { resumeForm, ...more } }])
  const act = () => success(null)

  it('without an answer ends the run with a sentence that shows how to answer', async () => {
    await expect(run(asks(), {}, { act })).rejects.toThrow(
      `The step "ok" waits for an approval. Answer it by --approve '{"amount":1,"why":"new"}' or --reject of svc dev flow, run, fire or send.`,
    )
  })

  it('takes no answer that its form would not take', async () => {
    const wrong = run(asks(), {}, { act, answers: [{ amount: 'five' }] })
    await expect(wrong).rejects.toThrow('values.amount: must be a number')
  })

  it('of several people needs an answer of each, and joins them', async () => {
    const two = asks({ requiredEvents: 2 })
    await expect(run(two, {}, { act, answers: [{ amount: 1 }] })).rejects.toThrow('2 people')
    const ended = await run(two, {}, { act, answers: [{ amount: 1, why: 'new' }, { amount: 2 }] })
    expect(ended.result).toEqual({ amount: 2, why: 'new' })
  })

  it('that is rejected fails the run and runs its failure module', async () => {
    const definition = flow([{ key: 'ok', kind: 'approval' }], {
      failureModule: { key: 'oops', action: 'c' },
    })
    const heard: JsonValue[] = []
    const ended = await run(
      definition,
      {},
      {
        rejection: 'too much',
        act: ({ input }) => {
          heard.push(input)
          return success('told')
        },
      },
    )
    const error = { name: 'ApprovalRejected', message: 'Rejected by you: too much' }
    expect(ended).toMatchObject({ status: 'failed', error })
    expect(heard).toEqual([{ failedStep: 'ok', error }])
    expect(ended.steps.map(({ path, status }) => [path, status])).toEqual([
      ['ok', 'rejected'],
      ['oops', 'success'],
    ])
  })
})

it('ends as canceled when it is stopped', async () => {
  const stop = new AbortController()
  const ended = await run(
    flow([
      { key: 's', action: 'a' },
      { key: 't', action: 'b' },
    ]),
    {},
    {
      signal: stop.signal,
      act: ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(failure('Canceled')))
          stop.abort()
        }),
    },
  )
  expect(ended.status).toBe('canceled')
  expect(ended.steps).toMatchObject([{ path: 's', status: 'canceled' }])
})

it('finishes the undo action that runs when it is stopped', async () => {
  const stop = new AbortController()
  const ended = await run(
    flow([
      { key: 's', action: 'a', undo: { action: 'b' } },
      { key: 't', action: 'c' },
    ]),
    {},
    {
      signal: stop.signal,
      act: async ({ action, signal }) => {
        if (action.definition.key === 'c') return failure('Oops')
        if (action.definition.key === 'b') stop.abort()
        return signal.aborted ? failure('Canceled') : success(1)
      },
    },
  )
  expect(ended).toMatchObject({ status: 'failed', error: { name: 'Oops' } })
  expect(ended.steps.at(-1)).toMatchObject({ path: 's', kind: 'undo', status: 'success' })
})

describe('a subflow that is left', () => {
  it('is undone before the run above, when a sibling fails', async () => {
    const ran: string[] = []
    const undoes = (key: string) => ({
      key,
      action: 'a',
      input: key,
      undo: { action: 'b', input: key },
    })
    const below = flow([undoes('x'), { key: 'w', action: 'c', input: 'w' }])
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<null>()
    const ended = await run(
      flow([
        undoes('top'),
        {
          key: 'all',
          kind: 'branchall',
          branches: [
            { key: 'one', subflow: 'g' },
            { key: 'two', action: 'a', input: 'fails' },
          ],
        },
      ]),
      {},
      {
        flows: new Map([['g', below]]),
        act: async ({ action, input, signal }) => {
          const { key } = action.definition
          if (input === 'fails') return isHeld.then(() => failure('Oops'))
          if (key !== 'c') {
            ran.push(`${key} ${String(input)}`)
            return success(1)
          }
          hold(null)
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          return failure('Aborted')
        },
      },
    )
    expect(ran).toEqual(['a top', 'a x', 'b x', 'b top'])
    expect(ended).toMatchObject({ status: 'failed', error: { name: 'Oops' } })
    expect(ended.steps.map(({ path, kind, status }) => [path, kind, status])).toEqual([
      ['top', 'action', 'success'],
      ['all/x', 'action', 'success'],
      ['all/w', 'action', 'canceled'],
      ['all/x', 'undo', 'success'],
      ['all', 'branchall', 'failure'],
      ['top', 'undo', 'success'],
    ])
  })
})
