/** Warns at deploy of keys and labels of an action that do not have the effect that they were meant to have. Pure. */
import { explainMeant, meantReference } from '../flow/meant-reference.ts'
import { type Fault, MAX_FAULTS } from '../manifest/fault.ts'
import type { ActionDefinition } from './definition.ts'

type Keyed = Pick<ActionDefinition, 'concurrency' | 'rate' | 'debounce' | 'fairKey' | 'labels'>

export const findKeyWarnings = (actions: readonly Keyed[]): readonly Fault[] =>
  actions
    .flatMap((action, index) =>
      withoutBraces(action).map((fault) => ({ ...fault, path: ['actions', index, ...fault.path] })),
    )
    .slice(0, MAX_FAULTS)

/** Keys and labels that were meant as references: all jobs would share the one text. */
const withoutBraces = ({
  concurrency,
  rate,
  debounce,
  fairKey,
  labels = [],
}: Keyed): readonly Fault[] =>
  [
    { path: ['concurrency', 'key'], text: concurrency?.key },
    { path: ['rate', 'key'], text: rate?.key },
    { path: ['debounce', 'key'], text: debounce?.key },
    { path: ['fairKey'], text: fairKey },
    ...labels.map((text, index) => ({ path: ['labels', index], text })),
  ].flatMap(({ path, text }) => {
    const meant = meantReference(text ?? '', ['input'])
    return meant === null ? [] : [{ path, message: explainMeant(meant) }]
  })
