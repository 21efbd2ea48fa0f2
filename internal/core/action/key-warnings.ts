/** Warns at deploy of keys of an action that were meant as references: all its jobs would share the one text. Pure. */
import { explainMeant, meantReference } from '../flow/meant-reference.ts'
import { type Fault, MAX_FAULTS } from '../manifest/fault.ts'
import type { ActionDefinition } from './definition.ts'

type Keyed = Pick<ActionDefinition, 'concurrency' | 'rate' | 'debounce' | 'fairKey'>

export const findKeyWarnings = (actions: readonly Keyed[]): readonly Fault[] =>
  actions
    .flatMap(({ concurrency, rate, debounce, fairKey }, index) =>
      [
        { path: ['concurrency', 'key'], text: concurrency?.key },
        { path: ['rate', 'key'], text: rate?.key },
        { path: ['debounce', 'key'], text: debounce?.key },
        { path: ['fairKey'], text: fairKey },
      ].flatMap(({ path, text }) => {
        const meant = meantReference(text ?? '', ['input'])
        return meant === null
          ? []
          : [{ path: ['actions', index, ...path], message: explainMeant(meant) }]
      }),
    )
    .slice(0, MAX_FAULTS)
