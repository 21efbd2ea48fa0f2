/** Warns at deploy of keys of an action that do not have the effect that they were meant to have. Pure. */
import { explainMeant, meantReference } from '../flow/meant-reference.ts'
import { type Fault, MAX_FAULTS } from '../manifest/fault.ts'
import type { ActionDefinition } from './definition.ts'

type Keyed = Pick<ActionDefinition, 'concurrency' | 'rate' | 'debounce' | 'fairKey'>

export const findKeyWarnings = (actions: readonly Keyed[]): readonly Fault[] =>
  actions
    .flatMap((action, index) =>
      [...withoutBraces(action), ...fairUnderSharedRate(action)].map(({ path, message }) => ({
        path: ['actions', index, ...path],
        message,
      })),
    )
    .slice(0, MAX_FAULTS)

/** Keys that were meant as references: all jobs would share the one text. */
const withoutBraces = ({ concurrency, rate, debounce, fairKey }: Keyed): readonly Fault[] =>
  [
    { path: ['concurrency', 'key'], text: concurrency?.key },
    { path: ['rate', 'key'], text: rate?.key },
    { path: ['debounce', 'key'], text: debounce?.key },
    { path: ['fairKey'], text: fairKey },
  ].flatMap(({ path, text }) => {
    const meant = meantReference(text ?? '', ['input'])
    return meant === null ? [] : [{ path, message: explainMeant(meant) }]
  })

/** A rate gives its places in the order of the queue, so keys that share a rate take no turns there [jobs 18.6]. */
const fairUnderSharedRate = ({ rate, fairKey }: Keyed): readonly Fault[] => {
  const references = fairKey?.match(/\$\{[^}]*\}/g) ?? []
  if (rate === null || references.every((each) => rate.key.includes(each))) return []
  const message =
    'jobs that wait for the `rate` take no turns: they start in the order in which they were queued. Put the reference into `rate.key` too, or limit the action by `concurrency`'
  return [{ path: ['fairKey'], message }]
}
