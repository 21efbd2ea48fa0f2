/** Random flows, and a world that decides whether their actions fail. */
import fc from 'fast-check'
import { type FlowDefinition, flowSchema } from '#core/flow/definition.ts'
import type { FlowEvent } from '#core/flow/run.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { World } from './simulate-flow.ts'

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
export const flow = (steps: readonly object[], more: object = {}): FlowDefinition =>
  flowSchema.parse({ key: 'f', steps, ...more })

const stepKey = fc.constantFrom('s0', 's1', 's2', 's3', 's4')
const condition = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('true', 'false', 'input.n > 2', 'input.list.length == 3'),
  },
  { weight: 1, arbitrary: stepKey.map((key) => `results.${key} == 1`) },
)
const template = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom<JsonValue>('${input.n}', { a: '${input.list}' }, 'n ${input.n}', 7),
  },
  { weight: 1, arbitrary: stepKey.map((key) => `\${results.${key}}`) },
)
const loopTemplate = fc.oneof(
  template,
  fc.constantFrom<JsonValue>('${item}', { i: '${index}', v: '${item}' }),
)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })
const retry = fc.record({
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  delayMs: fc.constant(0),
  backoffFactor: fc.constant(1),
})
const action = fc.constantFrom('a', 'b', 'c')
/** Some loops and arms run the flow `g` instead of their action. */
const target = {
  action,
  subflow: fc.option(fc.constant('g'), { nil: undefined, freq: 1 }),
}
const oneTarget = <T extends Readonly<{ action?: unknown; subflow?: unknown }>>(step: T): T =>
  step.subflow === undefined ? step : { ...step, action: undefined }
const goesOn = maybe(fc.constant(true))
const armsOf = (withCondition: boolean) =>
  fc
    .array(
      fc.record({
        ...target,
        condition: withCondition ? maybe(condition) : fc.constant(undefined),
        input: maybe(template),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((arms) => arms.map((arm, at) => oneTarget({ key: `arm${at}`, ...arm })))
const items = fc.oneof(
  fc.array(fc.oneof(fc.nat(9), fc.constant('${input.n}')), { maxLength: 5 }),
  fc.constantFrom('${input.list}', '${input.n}', '${results.s0}'),
)
const undo = fc.record({ action, input: template, retry }, { requiredKeys: ['action'] })
const policy = fc.constantFrom('fail', 'continue')
const shared = {
  skipIf: maybe(condition),
  stopAfterIf: maybe(condition),
  undo: maybe(undo),
}
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('action'),
      action,
      input: maybe(template),
      retry: maybe(retry),
      ...shared,
    }),
  },
  fc.record({
    kind: fc.constant('approval'),
    approval: fc.constant({ resumeForm: [{ key: 'field', label: 'Field', type: 'number' }] }),
    onTimeout: maybe(policy),
    onReject: maybe(policy),
    remind: maybe(fc.constant({ everyS: 60, action: 'a' })),
    input: maybe(template),
    ...shared,
  }),
  fc.record({ kind: fc.constant('sleep'), forS: fc.constant(60), ...shared }),
  fc.record({
    kind: fc.constant('event'),
    name: fc.constant('order.paid'),
    match: maybe(fc.constantFrom('${input.n}', 'n ${input.n}', '${input.list}')),
    onTimeout: maybe(policy),
    ...shared,
  }),
  fc.record({
    kind: fc.constant('sleep'),
    until: fc.constantFrom('2096-01-31T09:00:00Z', '${input.n}'),
    ...shared,
  }),
  fc.record({ kind: fc.constant('branchone'), branches: armsOf(true), ...shared }),
  fc.record({
    kind: fc.constant('branchall'),
    branches: armsOf(false),
    continueOnError: goesOn,
    retry: maybe(retry),
    ...shared,
  }),
  fc
    .record({
      kind: fc.constantFrom('forloop', 'forloop_parallel'),
      ...target,
      items,
      input: maybe(loopTemplate),
      retry: maybe(retry),
      continueOnError: goesOn,
      ...shared,
    })
    .map(oneTarget),
  fc.record({
    kind: fc.constant('subflow'),
    subflow: fc.constant('g'),
    input: maybe(template),
    ...shared,
  }),
)
export const definitions = fc
  .tuple(fc.array(step, { minLength: 1, maxLength: 5 }), fc.boolean(), fc.boolean())
  .map(([steps, handles, onCancel]) =>
    flow(
      steps.map((each, at) =>
        Object.fromEntries(
          Object.entries({ key: `s${at}`, ...each }).filter(([, value]) => value !== undefined),
        ),
      ),
      handles ? { failureModule: { key: 'oops', action: 'c', onCancel } } : {},
    ),
  )

/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation */

/** The answers to a waiting step, chosen by a seed. */
export const answersOf =
  (
    { steps }: FlowDefinition,
    seed: number,
    { by = 'ada', timesOut = true }: Readonly<{ by?: string; timesOut?: boolean }> = {},
  ) =>
  (index: number): FlowEvent => {
    const chance = (seed + index) % 5
    if (steps[index]?.kind === 'sleep') return { kind: 'wait_timed_out' }
    if (steps[index]?.kind === 'event') {
      return timesOut && chance === 1
        ? { kind: 'wait_timed_out' }
        : { kind: 'event_received', data: { seen: index } }
    }
    if (chance === 0) return { kind: 'rejected', by, reason: null }
    if (chance === 1 && timesOut) return { kind: 'wait_timed_out' }
    return { kind: 'approved', values: { field: index }, by: [by] }
  }

/** Decides by a hash of the request whether an action fails, so that both sides see the same world. */
export const worldOf =
  (seed: number, failing: number): World =>
  (slot, attempt) => {
    const text = JSON.stringify([seed, slot.target, slot.input, attempt])
    let hash = 7
    for (const letter of text) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0
    return hash % 10 < failing
      ? { kind: 'failure', error: { name: `E${hash % 3}`, message: 'no' } }
      : { kind: 'success', value: hash % 4 === 0 ? 1 : { of: slot.input, hash: hash % 100 } }
  }

export const inputs: fc.Arbitrary<JsonValue> = fc.record({
  n: fc.nat(5),
  list: fc.array(fc.nat(9), { maxLength: 4 }),
})
