/** Warns at deploy of keys, labels and shared limits that do not have the effect that they were meant to have. Pure. */
import { explainMeant, meantReference } from '../flow/meant-reference.ts'
import { type Fault, MAX_FAULTS } from '../manifest/fault.ts'
import type { ConcurrencyPolicy, RatePolicy } from './concurrency-key.ts'
import type { ActionDefinition } from './definition.ts'

type Keyed = Partial<Pick<ActionDefinition, 'rate' | 'debounce' | 'fairKey' | 'labels'>> &
  Readonly<{ concurrency?: Pick<ConcurrencyPolicy, 'key'> | null | undefined }>

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

type Limited = Readonly<{ key: string }> & Pick<ActionDefinition, 'concurrency' | 'rate'>

const numbersOf = (policy: ConcurrencyPolicy | RatePolicy | null): string =>
  JSON.stringify([policy?.limit, policy !== null && 'perS' in policy ? policy.perS : null])

/** Warns of limits that actions share by name and state with other numbers: each job would obey those of its own action. */
export const findUnequalLimits = (actions: readonly Limited[]): readonly Fault[] =>
  (['concurrency', 'rate'] as const)
    .flatMap((limited) => {
      const first = new Map<string, Limited>()
      return actions.flatMap((action, index) => {
        const policy = action[limited]
        if (policy?.name === undefined) return []
        const shared = `${policy.scope} ${policy.name}`
        const other = first.get(shared) ?? action
        first.set(shared, other)
        if (numbersOf(policy) === numbersOf(other[limited])) return []
        const message = `has other numbers than that of action "${other.key}", which shares it`
        return [{ path: ['actions', index, limited], message }]
      })
    })
    .slice(0, MAX_FAULTS)
