/** Warns at deploy of keys and labels of actions and flows that do not have the effect that they were meant to have. Pure. */
import { explainMeant, meantReference } from '../flow/meant-reference.ts'
import { type Fault, MAX_FAULTS } from '../manifest/fault.ts'
import type { ActionDefinition } from './definition.ts'

type Keyed = Partial<
  Pick<ActionDefinition, 'concurrency' | 'rate' | 'debounce' | 'fairKey' | 'labels'>
>

export const findKeyWarnings = (
  list: 'actions' | 'flows',
  keyed: readonly Keyed[],
): readonly Fault[] =>
  keyed
    .flatMap((each, index) =>
      withoutBraces(each).map((fault) => ({ ...fault, path: [list, index, ...fault.path] })),
    )
    .slice(0, MAX_FAULTS)

/** Keys and labels that were meant as references: all jobs or runs would share the one text. */
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
