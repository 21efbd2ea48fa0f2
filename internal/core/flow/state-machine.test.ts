/** Compares docs/state-machines.md with what the machine does, over random flows with every kind of event. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { definitions, flow, inputs, worldOf } from '../../../test/support/flow-arbitraries.ts'
import { simulate } from '../../../test/support/simulate-flow.ts'
import type { FlowEvent } from './run.ts'
import { RUN_TRANSITIONS } from './transitions.ts'

const drawn = (): readonly string[] => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/state-machines.md'), 'utf8')
  const [, section = ''] = /\n## Flow run\n([\s\S]*?)(?=\n## |$)/.exec(text) ?? []
  return [...section.matchAll(/^ {2}(\S+) --> (\w+): (.+)$/gm)].flatMap(
    ([, from, to, events = '']) =>
      events.split(', ').map((event) => `${from === '[*]' ? 'none' : from} ${event} ${to}`),
  )
}

const allowed = (): readonly string[] =>
  Object.entries(RUN_TRANSITIONS).flatMap(([event, byStatus]) =>
    Object.entries(byStatus).flatMap(([from, next]) => next.map((to) => `${from} ${event} ${to}`)),
  )

const ANSWERS: readonly FlowEvent[] = [
  { kind: 'approved', values: { field: 1 }, by: ['ada'] },
  { kind: 'approved', values: {}, by: ['ada'] },
  { kind: 'rejected', by: 'ada', reason: null },
  { kind: 'wait_timed_out' },
]

/** Flows with cases that random flows of five steps rarely reach. */
const RARE = [
  flow([
    { key: 'a', kind: 'event', name: 'e' },
    { key: 'b', kind: 'approval' },
  ]),
  flow([{ key: 'a', kind: 'event', name: 'e', stopAfterIf: 'results.none == 1' }]),
  flow([
    { key: 'a', kind: 'approval', onTimeout: 'continue', onReject: 'continue' },
    { key: 'b', kind: 'approval' },
  ]),
  flow([
    { key: 'a', kind: 'sleep', forS: 1 },
    { key: 'b', kind: 'approval' },
  ]),
  flow([
    { key: 'a', kind: 'approval' },
    { key: 'b', kind: 'approval' },
    { key: 'c', action: 'a' },
  ]),
  flow([{ key: 'a', kind: 'approval', stopAfterIf: 'results.none == 1' }]),
  flow([{ key: 'a', kind: 'approval', stopAfterIf: 'results.none == 1' }], {
    failureModule: { key: 'o', action: 'a' },
  }),
  flow([
    { key: 'a', action: 'a' },
    { key: 'b', kind: 'approval' },
  ]),
]

it('holds exactly the transitions that runs go through, and so does the drawing', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(
      fc.oneof(definitions, fc.constantFrom(...RARE)),
      inputs,
      fc.nat(),
      fc.infiniteStream(fc.nat(1_000)),
      (definition, input, seed, stream) => {
        const next = (): number => stream.next().value ?? 0
        const answers = (index: number): FlowEvent => {
          const { kind } = definition.steps[index] ?? {}
          if (kind === 'event' && next() % 2 === 0) return { kind: 'event_received', data: 1 }
          const asks = kind === 'approval'
          return (asks ? ANSWERS[next() % ANSWERS.length] : null) ?? { kind: 'wait_timed_out' }
        }
        simulate(definition, input, {
          world: worldOf(seed, 2),
          choose: (count) => next() % Math.max(count, 1),
          answer: answers,
          cancels: () => next() % 8 === 0,
          breaks: () => next() % 16 === 0,
          room: () => next() % 4 !== 0,
          forgets: () => next() % 2 === 0,
          unwinding: new Set(next() % 2 === 0 ? ['g'] : []),
          watch: (event, before, after) => void seen.add(`${before} ${event} ${after}`),
        })
      },
    ),
    { numRuns: 5_000, seed: 3 },
  )
  expect([...seen].toSorted()).toEqual(drawn().toSorted())
  expect([...seen].toSorted()).toEqual(allowed().toSorted())
})
