/**
 * Compares the machine with a plain interpreter of the same rules, over random definitions and orders of events; then
 * tests the rules one by one.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answersOf,
  definitions,
  flow,
  inputs,
  worldOf,
} from '../../../test/support/flow-arbitraries.ts'
import { interpret } from '../../../test/support/plain-flow.ts'
import { runs } from '../../../test/support/runs.ts'
import { simulate } from '../../../test/support/simulate-flow.ts'
import type { JsonValue } from '../json/value.ts'
import type { FlowDefinition } from './definition.ts'
import { start, startLater, step } from './machine.ts'
import type { ChildOutcome, FlowEvent } from './run.ts'
import {
  type Admission,
  type FlowEffect,
  newRun,
  type RunState,
  type Transition,
} from './run-state.ts'

/** Admits every child: none is refused, and the queue has room for all. */
const admitAll = ({ start }: Admission): FlowEvent => ({
  kind: 'admitted',
  count: start,
  fault: null,
})

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
describe('the machine', () => {
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
          const answer = answersOf(definition, seed)
          const choose = (count: number) => (stream.next().value ?? 0) % Math.max(count, 1)
          const isRoomy = seed % 2 === 0
          const room = () => isRoomy || (stream.next().value ?? 0) % 3 > 0
          const end = simulate(definition, input, {
            world,
            choose,
            answer,
            room,
            forgets: () => !room(),
            unwinding: new Set(room() ? ['g'] : []),
          })
          const expected = interpret(definition, input, { world, answer })
          expect(end.status).toBe(expected.status)
          expect(end.result).toEqual(expected.result)
          expect([...end.steps]).toEqual([...expected.steps])
          if (end.error === null) expect(expected.errors).toEqual([])
          else expect(expected.errors).toContain(end.error.name)
        },
      ),
      { numRuns: runs({ short: 3_000, long: 10_000 }) },
    )
  })
})

const OPEN = {
  status: 'running',
  open: 1,
  runs: 0,
  waiting: [],
  ended: new Map(),
  bytes: 0,
  isWhole: true,
} as const
const running = (definition: FlowDefinition, more: Partial<RunState> = {}): RunState => ({
  ...newRun(definition, {}),
  step: OPEN,
  ...more,
})
/** The effects of a transition of which nothing is refused. */
const effectsOf = ({ run, effects }: Transition): readonly FlowEffect[] =>
  run.admission === null ? effects : [...effects, ...effectsOf(step(run, admitAll(run.admission)))]
const effectsOfStart = (definition: FlowDefinition, input: JsonValue) =>
  effectsOf(start(newRun(definition, input)))
const success = (value: JsonValue, slot = 0): FlowEvent => ({
  kind: 'child_ended',
  slot,
  attempt: 1,
  outcome: { kind: 'success', value },
})
const failed = (name: string): ChildOutcome => ({ kind: 'failure', error: { name, message: 'no' } })
const failure = (name: string, attempt = 1): FlowEvent => ({
  kind: 'child_ended',
  slot: 0,
  attempt,
  outcome: failed(name),
})
const kinds = (effects: readonly FlowEffect[]) => effects.map(({ kind }) => kind)
const APPROVAL = flow([
  { key: 'ok', kind: 'approval' },
  { key: 'go', action: 'a' },
])
const waiting = running(APPROVAL, {
  status: 'waiting_approval',
  step: { ...OPEN, status: 'waiting_approval', open: 0 },
})

describe('events that the run does not wait for change nothing', () => {
  const after = running(APPROVAL, { index: 1 })
  it.each<[string, RunState, FlowEvent]>([
    ['a child while it waits for people', waiting, success(1)],
    ['an approval while a step runs', after, { kind: 'approved', values: {}, by: ['ada'] }],
    ['a rejection while a step runs', after, { kind: 'rejected', by: 'a', reason: null }],
    ['a timeout while a step runs', after, { kind: 'wait_timed_out' }],
    ['room in the queue while it waits for people', waiting, { kind: 'room_made' }],
    ['an admission that was not requested', after, { kind: 'admitted', count: 1, fault: null }],
  ])('%s', (_, run, event) => {
    expect(step(run, event)).toEqual({ run, effects: [] })
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
    const run = running(definition, { step: { ...OPEN, open: 2 } })
    const failing = step(run, failure('E'))
    const effects = effectsOf(failing)
    expect(kinds(effects)).toEqual(['cancel_children', 'end_step', 'open_step', 'start_slot'])
    expect(effects.at(-1)).toMatchObject({
      index: 1,
      what: {
        target: { kind: 'action', key: 'c' },
        input: { failedStep: 'all', error: { name: 'E', message: 'no' } },
      },
    })
    const handling = step(failing.run, { kind: 'admitted', count: 1, fault: null }).run
    const error = { name: 'E', message: 'no' }
    for (const end of [success(1), failure('Other')]) {
      expect(step(handling, end).effects).toMatchObject([
        { kind: 'end_step', index: 1 },
        { kind: 'end_run', status: 'failed', result: null, error },
      ])
    }
    const refused = step(failing.run, { kind: 'admitted', count: 0, fault: { slot: 0, error } })
    expect(kinds(refused.effects)).toEqual(['end_step', 'end_run'])
  })

  it('fails before anything of a step starts when an input does not fit', () => {
    const definition = flow([{ key: 'a', action: 'a', retry: { maxAttempts: 3 } }])
    const { run } = start(newRun(definition, {}))
    const error = { name: 'InvalidInput', message: 'no' }
    const refused = step(run, { kind: 'admitted', count: 0, fault: { slot: 0, error } })
    expect(kinds(refused.effects)).toEqual(['end_step', 'end_run'])
    expect(refused.run.end).toMatchObject({ status: 'failed', error })
  })

  it('reports to the parent run how it has ended', () => {
    const definition = flow([{ key: 'a', action: 'a' }])
    const eventOf = (event: FlowEvent) =>
      step(running(definition), event).effects.flatMap((effect) =>
        effect.kind === 'end_run' ? [effect.parentEvent] : [],
      )
    expect(eventOf(success(7))).toEqual([success(7)])
    expect(eventOf(failure('E'))).toEqual([failure('E')])
    expect(eventOf({ kind: 'canceled', reason: 'enough' })).toMatchObject([
      { outcome: { error: { name: 'Canceled', message: 'enough' } } },
    ])
  })

  it('tries a slot again with its backoff, and no more often than it may', () => {
    const definition = flow([
      { key: 'a', action: 'a', retry: { maxAttempts: 3, delayMs: 100, backoffFactor: 2 } },
    ])
    const run = running(definition)
    const target = { kind: 'action', key: 'a' }
    expect(step(run, failure('E', 1))).toEqual({
      run,
      effects: [{ kind: 'retry_slot', index: 0, slot: 0, target, attempt: 2, delayMs: 100 }],
    })
    expect(step(run, failure('E', 2)).effects).toMatchObject([{ delayMs: 200 }])
    expect(kinds(step(run, failure('E', 3)).effects)).toEqual(['end_step', 'end_run'])
    expect(kinds(step(run, failure('Canceled', 1)).effects)).toEqual(['end_step', 'end_run'])
  })

  it('runs no failure module when it is canceled, whatever it was doing', () => {
    const definition = flow([{ key: 'a', action: 'a' }], {
      failureModule: { key: 'o', action: 'b' },
    })
    const event: FlowEvent = { kind: 'canceled', reason: 'enough' }
    const handling = running(definition, {
      index: 1,
      ending: { status: 'failed', error: { name: 'E', message: '' }, failedStep: 'a' },
    })
    for (const run of [running(definition), waiting, handling]) {
      const { effects } = step(run, event)
      expect(kinds(effects)).toEqual(['cancel_children', 'end_step', 'end_run'])
    }
  })

  it('starts later when its time has come, and not before', () => {
    const definition = flow([{ key: 'a', action: 'a' }], {
      failureModule: { key: 'o', action: 'a' },
    })
    const later = startLater(newRun(definition, { n: 1 }))
    expect(effectsOf(step(later, success(null)))).toEqual([])
    expect(effectsOf(step(later, { kind: 'wait_timed_out' }))).toEqual(
      effectsOfStart(definition, { n: 1 }),
    )
    const kinds = (event: FlowEvent) => effectsOf(step(later, event)).map(({ kind }) => kind)
    // nothing is under way, and the failure module does not run
    expect(kinds({ kind: 'canceled', reason: 'no' })).toEqual(['end_run'])
    expect(kinds({ kind: 'planning_failed', error: { name: 'E', message: 'e' } })).toEqual([
      'end_run',
    ])
  })

  it('is completed at once when there is nothing to do', () => {
    const definition = flow([
      { key: 'a', action: 'a', skipIf: 'true' },
      { key: 'b', kind: 'forloop', action: 'a', items: [] },
      { key: 'c', kind: 'approval', skipIf: 'results.b.length == 0' },
    ])
    expect(effectsOfStart(definition, { x: 1 })).toMatchObject([
      { kind: 'end_step', index: 0, status: 'skipped' },
      { kind: 'end_step', index: 1, status: 'success', result: [] },
      { kind: 'end_step', index: 2, status: 'skipped' },
      { kind: 'end_run', status: 'completed', result: [] },
    ])
  })

  it('runs at most fifty items of a loop at once, and one at a time where the loop is sequential', () => {
    const many = Array.from({ length: 60 }, (_, at) => at)
    const parallel = flow([{ key: 'l', kind: 'forloop_parallel', action: 'a', items: many }])
    expect(effectsOfStart(parallel, {})).toHaveLength(51)
    const inTurn = flow([{ key: 'l', kind: 'forloop', action: 'a', items: many }])
    expect(effectsOfStart(inTurn, {})).toHaveLength(2)
    const run = running(parallel, { step: { ...OPEN, open: 50, waiting: [50] } })
    expect(effectsOf(step(run, success(1, 3)))).toEqual([
      { kind: 'start_waiting', index: 0, slot: 50, target: { kind: 'action', key: 'a' } },
    ])
  })

  it('refuses ten thousand and one items', () => {
    const definition = flow([{ key: 'l', kind: 'forloop', action: 'a', items: '${input.list}' }])
    const list = Array.from({ length: 10_001 }, () => 0)
    expect(effectsOfStart(definition, { list }).at(-1)).toMatchObject({
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
    expect(effectsOfStart(definition, { x: 1 })).toMatchObject([{}, { what: { input: { x: 1 } } }])
    expect(effectsOf(step(running(definition), success('out')))).toMatchObject([
      { kind: 'end_step', index: 0 },
      { kind: 'end_step', index: 1, status: 'skipped' },
      { kind: 'open_step', index: 2 },
      { kind: 'start_slot', index: 2, what: { input: 'out' } },
    ])
  })
})
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
