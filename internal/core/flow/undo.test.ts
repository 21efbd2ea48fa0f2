/** Tests the undo of steps, over random flows that fail and are canceled at any point, and case by case. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answersOf,
  definitions,
  flow,
  inputs,
  worldOf,
} from '../../../test/support/flow-arbitraries.ts'
import { type End, type Surroundings, simulate } from '../../../test/support/simulate-flow.ts'
import type { JsonValue } from '../json/value.ts'
import type { FlowDefinition } from './definition.ts'
import { failureModuleIndex, undoIndex } from './position.ts'

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation */

/** What has to follow the last step, by the rules alone [flows 11, 15]. */
const endingOf = (definition: FlowDefinition, { status, steps }: End): readonly number[] => {
  if (status === 'completed') return []
  const done = definition.steps.flatMap(({ undo }, index) =>
    undo !== undefined && steps.get(index)?.status === 'success' ? [index] : [],
  )
  const { failureModule } = definition
  const isHandled =
    failureModule !== undefined && (status === 'failed' || failureModule.onCancel === true)
  return [
    ...done.toReversed().map((index) => undoIndex(definition, index)),
    ...(isHandled ? [failureModuleIndex(definition)] : []),
  ]
}

it('comes once for each step that succeeded, in reverse order, then the failure module', () => {
  let undone = 0
  fc.assert(
    fc.property(
      definitions,
      inputs,
      fc.nat(),
      fc.nat(4),
      fc.infiniteStream(fc.nat(1_000)),
      (definition, input, seed, failing, stream) => {
        const next = (): number => stream.next().value ?? 0
        const end = simulate(definition, input, {
          world: worldOf(seed, failing),
          choose: (count) => next() % Math.max(count, 1),
          answer: answersOf(definition, 2),
          cancels: () => next() % 6 === 0,
          unwinding: new Set(seed % 2 === 0 ? ['g'] : []),
        })
        const last = definition.steps.length
        const ending = end.order.filter((index) => index >= last)
        const expected = endingOf(definition, end)
        const undos = (list: readonly number[]) => list.filter((index) => index > last)
        expect(undos(ending)).toEqual(undos(expected))
        // a cancel stops only a failure module of a failing run, and none that is to run on a cancel
        if (end.cut.length > 0) {
          expect(definition.failureModule?.onCancel).not.toBe(true)
          expect(end).toMatchObject({ status: 'canceled', cut: [last] })
        } else expect(ending).toEqual(expected)
        undone += undos(ending).length
      },
    ),
    { numRuns: 2_000, seed: 1 },
  )
  expect(undone).toBeGreaterThan(200)
})

const SAGA = flow(
  [
    {
      key: 'book',
      action: 'book',
      undo: { action: 'unbook', input: { id: '${results.book.id}' } },
    },
    {
      key: 'charge',
      action: 'charge',
      undo: { action: 'refund', input: { why: '${error.name}', at: '${failedStep}' } },
    },
    { key: 'ship', action: 'ship', undo: { action: 'unship' } },
  ],
  {
    failureModule: {
      key: 'tell',
      action: 'tell',
      onCancel: true,
      input: {
        n: '${input.n}',
        booked: '${results.book.id}',
        shipped: '${results.ship.id}',
        step: '${failedStep}',
        message: '${error.message}',
      },
    },
  },
)

type Ran = Readonly<{ action: string; input: JsonValue; attempt: number }>

const run = (
  definition: FlowDefinition,
  fails: (action: string, attempt: number) => boolean,
  more: Partial<Surroundings> = {},
) => {
  const ran: Ran[] = []
  const end = simulate(
    definition,
    { n: 7 },
    {
      world: ({ target, input }, attempt) => {
        ran.push({ action: target.key, input, attempt })
        return fails(target.key, attempt)
          ? { kind: 'failure', error: { name: `${target.key}Failed`, message: 'no' } }
          : { kind: 'success', value: { id: target.key } }
      },
      choose: () => 0,
      answer: () => ({ kind: 'wait_timed_out' }),
      ...more,
    },
  )
  return { end, ran }
}

describe('a run that fails', () => {
  it('gives undo and failure module what they refer to; what is not there is null', () => {
    const { end, ran } = run(SAGA, (action) => action === 'ship')
    expect(ran.slice(3)).toEqual([
      { action: 'refund', input: { why: 'shipFailed', at: 'ship' }, attempt: 1 },
      { action: 'unbook', input: { id: 'book' }, attempt: 1 },
      {
        action: 'tell',
        input: { n: 7, booked: 'book', shipped: null, step: 'ship', message: 'no' },
        attempt: 1,
      },
    ])
    expect(end).toMatchObject({ status: 'failed', error: { name: 'shipFailed' } })
  })

  it('gives an undo without input the result of its step', () => {
    const definition = flow([
      { key: 'book', action: 'book', undo: { action: 'unbook' } },
      { key: 'charge', action: 'charge' },
    ])
    const { ran } = run(definition, (action) => action === 'charge')
    expect(ran.at(-1)).toEqual({ action: 'unbook', input: { id: 'book' }, attempt: 1 })
  })

  it('keeps its own error when an undo fails, and runs the others', () => {
    const { end, ran } = run(SAGA, (action) => action === 'ship' || action === 'refund')
    expect(ran.map(({ action }) => action)).toEqual([
      'book',
      'charge',
      'ship',
      'refund',
      'unbook',
      'tell',
    ])
    expect(end.error?.name).toBe('shipFailed')
  })

  it('retries an undo by the policy of its own', () => {
    const retry = { maxAttempts: 3, delayMs: 0 }
    const definition = flow([
      { key: 'book', action: 'book', undo: { action: 'unbook', retry } },
      { key: 'charge', action: 'charge' },
    ])
    const { end, ran } = run(definition, (action, attempt) =>
      action === 'unbook' ? attempt < 3 : action === 'charge',
    )
    expect(ran.filter(({ action }) => action === 'unbook').map(({ attempt }) => attempt)).toEqual([
      1, 2, 3,
    ])
    expect(end.order).toEqual([0, 1, undoIndex(definition, 0)])
  })
})

describe('a run that is canceled', () => {
  it.each([
    ['stops its failure module', false, 'canceled', ['ship']],
    ['goes on with one that has onCancel', true, 'failed', ['ship', 'tell']],
  ])('%s', (_, onCancel, status, actions) => {
    const definition = flow([{ key: 'ship', action: 'ship' }], {
      failureModule: { key: 'tell', action: 'tell', onCancel },
    })
    let events = 0
    const { end, ran } = run(definition, (action) => action === 'ship', {
      cancels: () => {
        events += 1
        return events === 2
      },
    })
    expect(end.status).toBe(status)
    expect(ran.map(({ action }) => action)).toEqual(actions)
  })

  it('undoes what was done, has no failed step, and a second cancel changes nothing', () => {
    let events = 0
    const { end, ran } = run(SAGA, () => false, {
      cancels: () => {
        events += 1
        return events === 3 || events === 4
      },
    })
    expect(ran.map(({ action }) => action)).toEqual(['book', 'charge', 'refund', 'unbook', 'tell'])
    expect(ran[2]?.input).toEqual({ why: 'Canceled', at: null })
    expect(end).toMatchObject({
      status: 'canceled',
      error: { name: 'Canceled', message: 'enough' },
    })
  })
})
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
