/**
 * The engine's law against a plain interpreter of the same rules, over random definitions and orders of events; then the
 * rules one by one.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { definitions, flow, inputs, worldOf } from '../../../test/support/flow-arbitraries.ts'
import { interpret } from '../../../test/support/plain-flow.ts'
import { simulate } from '../../../test/support/simulate-flow.ts'
import type { JsonValue } from '../json.ts'
import { advance, startFlow } from './advance.ts'
import type { FlowDefinition } from './definition.ts'
import type { FlowDecision, FlowEvent, RunState } from './run.ts'

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
describe('the engine', () => {
  it('does what a plain interpreter does, in whatever order children end and find room', {
    timeout: 120_000,
  }, () => {
    fc.assert(
      fc.property(
        definitions,
        inputs,
        fc.nat(),
        fc.nat(3),
        fc.infiniteStream(fc.nat(1_000)),
        (definition, input, seed, failing, stream) => {
          const world = worldOf(seed, failing)
          const answer = (index: number): FlowEvent => {
            const chance = (seed + index) % 5
            if (chance === 0) return { kind: 'rejected', by: 'ada', reason: null }
            if (chance === 1) return { kind: 'approval_timed_out' }
            return { kind: 'approved', values: { field: index } }
          }
          const choose = (count: number) => (stream.next().value ?? 0) % Math.max(count, 1)
          const isRoomy = seed % 2 === 0
          const room = () => isRoomy || (stream.next().value ?? 0) % 3 > 0
          const end = simulate(definition, input, { world, choose, answer, room })
          const expected = interpret(definition, input, { world, answer })
          expect(end.status).toBe(expected.status)
          expect(end.result).toEqual(expected.result)
          expect([...end.steps]).toEqual([...expected.steps])
          if (end.error === null) expect(expected.errors).toEqual([])
          else expect(expected.errors).toContain(end.error.name)
        },
      ),
      { numRuns: 10_000 },
    )
  })
})

const running = (more: Partial<RunState> = {}): RunState => ({
  status: 'running',
  input: {},
  index: 0,
  results: new Map(),
  bytes: 0,
  step: { status: 'running', open: 1, nextSlot: null, ended: new Map(), bytes: 0 },
  failure: null,
  ...more,
})
const success = (value: JsonValue, slot = 0): FlowEvent => ({
  kind: 'child_ended',
  slot,
  attempt: 1,
  outcome: { kind: 'success', value },
})
const failure = (name: string, attempt = 1): FlowEvent => ({
  kind: 'child_ended',
  slot: 0,
  attempt,
  outcome: { kind: 'failure', error: { name, message: 'no' } },
})
const kinds = (decisions: readonly FlowDecision[]) => decisions.map(({ kind }) => kind)
const APPROVAL = flow([
  { key: 'ok', kind: 'approval' },
  { key: 'go', action: 'a' },
])
const waiting = running({
  status: 'waiting_approval',
  step: { status: 'waiting_approval', open: 0, nextSlot: null, ended: new Map(), bytes: 0 },
})

describe('events that the run does not wait for change nothing', () => {
  it.each<[string, FlowDefinition, RunState, FlowEvent]>([
    ['a child while it waits for people', APPROVAL, waiting, success(1)],
    [
      'an approval while a step runs',
      APPROVAL,
      running({ index: 1 }),
      { kind: 'approved', values: {} },
    ],
    [
      'a rejection while a step runs',
      APPROVAL,
      running({ index: 1 }),
      { kind: 'rejected', by: 'a', reason: null },
    ],
    [
      'a timeout while a step runs',
      APPROVAL,
      running({ index: 1 }),
      { kind: 'approval_timed_out' },
    ],
    [
      'the end of a failure module that does not run',
      APPROVAL,
      waiting,
      { kind: 'failure_handled' },
    ],
    [
      'a child while the failure module runs',
      APPROVAL,
      running({ step: null, failure: { name: 'E', message: '' } }),
      success(1),
    ],
  ])('%s', (_, definition, run, event) => {
    expect(advance(definition, run, event)).toEqual([])
  })
})

describe('a run', () => {
  it('fails fast: siblings are canceled, and the failure module runs once', () => {
    const definition = flow(
      [
        {
          key: 'all',
          kind: 'branchall',
          branches: [
            { key: 'x', action: 'a' },
            { key: 'y', action: 'b' },
          ],
        },
      ],
      { failureModule: { key: 'oops', action: 'c' } },
    )
    const run = running({
      step: { status: 'running', open: 2, nextSlot: null, ended: new Map(), bytes: 0 },
    })
    const decisions = advance(definition, run, failure('E'))
    expect(kinds(decisions)).toEqual(['cancel_children', 'end_step', 'run_failure_module'])
    expect(decisions.at(-1)).toMatchObject({
      slot: {
        target: { kind: 'action', key: 'c' },
        input: { failedStep: 'all', error: { name: 'E', message: 'no' } },
      },
    })
    const failing = running({ step: null, failure: { name: 'E', message: 'no' } })
    expect(advance(definition, failing, { kind: 'failure_handled' })).toEqual([
      { kind: 'end_run', status: 'failed', result: null, error: { name: 'E', message: 'no' } },
    ])
  })

  it('tries a slot again with its backoff, and no more often than it may', () => {
    const definition = flow([
      { key: 'a', action: 'a', retry: { maxAttempts: 3, delayMs: 100, backoffFactor: 2 } },
    ])
    expect(advance(definition, running(), failure('E', 1))).toEqual([
      { kind: 'retry_slot', index: 0, slot: 0, attempt: 2, delayMs: 100 },
    ])
    expect(advance(definition, running(), failure('E', 2))).toMatchObject([{ delayMs: 200 }])
    expect(kinds(advance(definition, running(), failure('E', 3)))).toEqual(['end_step', 'end_run'])
    // somebody canceled the child
    expect(kinds(advance(definition, running(), failure('Canceled', 1)))).toEqual([
      'end_step',
      'end_run',
    ])
  })

  it('runs no failure module when it is canceled, whatever it was doing', () => {
    const definition = flow([{ key: 'a', action: 'a' }], {
      failureModule: { key: 'o', action: 'b' },
    })
    const event: FlowEvent = { kind: 'canceled', reason: 'enough' }
    expect(kinds(advance(definition, running(), event))).toEqual([
      'cancel_children',
      'end_step',
      'end_run',
    ])
    expect(kinds(advance(APPROVAL, waiting, event))).toEqual([
      'cancel_children',
      'end_step',
      'end_run',
    ])
    const handling = running({ step: null, failure: { name: 'E', message: '' } })
    expect(kinds(advance(definition, handling, event))).toEqual(['cancel_children', 'end_run'])
  })

  it('is completed at once when there is nothing to do', () => {
    const definition = flow([
      { key: 'a', action: 'a', skipIf: 'true' },
      { key: 'b', kind: 'forloop', action: 'a', items: [] },
      { key: 'c', kind: 'approval', skipIf: 'results.b.length == 0' },
    ])
    expect(startFlow(definition, { x: 1 })).toMatchObject([
      { kind: 'end_step', index: 0, status: 'skipped' },
      { kind: 'end_step', index: 1, status: 'success', result: [] },
      { kind: 'end_step', index: 2, status: 'skipped' },
      { kind: 'end_run', status: 'completed', result: [] },
    ])
  })

  it('has fifty items of a loop under way at most, and one after the other where that is asked', () => {
    const many = Array.from({ length: 60 }, (_, at) => at)
    const parallel = flow([{ key: 'l', kind: 'forloop_parallel', action: 'a', items: many }])
    expect(startFlow(parallel, {})).toMatchObject([{ kind: 'open_step', start: 50 }])
    const inTurn = flow([{ key: 'l', kind: 'forloop', action: 'a', items: many }])
    expect(startFlow(inTurn, {})).toMatchObject([{ kind: 'open_step', start: 1 }])
    const step = { status: 'running', open: 50, nextSlot: 50, ended: new Map(), bytes: 0 } as const
    expect(advance(parallel, running({ step }), success(1, 3))).toEqual([
      { kind: 'start_slot', index: 0, slot: 50 },
    ])
  })

  it('refuses a thousand and one items', () => {
    const definition = flow([{ key: 'l', kind: 'forloop', action: 'a', items: '${input.list}' }])
    const list = Array.from({ length: 1_001 }, () => 0)
    expect(startFlow(definition, { list }).at(-1)).toMatchObject({
      status: 'failed',
      error: { name: 'BadItems' },
    })
  })

  it('gives a step without input the start input, then the previous result, over skipped steps', () => {
    const definition = flow([
      { key: 'a', action: 'a' },
      { key: 'b', action: 'b', skipIf: 'true' },
      { key: 'c', action: 'c' },
    ])
    expect(startFlow(definition, { x: 1 })).toMatchObject([{ slots: [{ input: { x: 1 } }] }])
    expect(advance(definition, running(), success('out'))).toMatchObject([
      { kind: 'end_step', index: 0 },
      { kind: 'end_step', index: 1, status: 'skipped' },
      { kind: 'open_step', index: 2, slots: [{ input: 'out' }] },
    ])
  })
})
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
