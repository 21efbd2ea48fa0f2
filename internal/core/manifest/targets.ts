/** What rows of a manifest start (`action: …` or `flow: …`), read also from rows that have other faults. */
import { z } from 'zod'
import { nearestTo } from '../edit-distance.ts'
import type { Fault, Row, Target } from './fault.ts'

export type KnownKeys = Readonly<{ actions: ReadonlySet<string>; flows: ReadonlySet<string> }>

const targeted = z.object({
  action: z.string().optional().catch(undefined),
  flow: z.string().optional().catch(undefined),
})

/** @param path of the field that names the target */
export const checkTarget = (
  missing: Target,
  path: Fault['path'],
  keys: Pick<ReadonlySet<string>, 'has'>,
): readonly Fault[] =>
  keys.has(missing.key)
    ? []
    : [{ path, message: `there is no ${missing.kind} "${missing.key}" in this app`, missing }]

/** Finds targets that the app does not have, so that one deploy lists them with all other faults. */
export const findMissingTargets = (
  list: string,
  rows: readonly Row<unknown>[],
  { actions, flows }: KnownKeys,
): readonly Fault[] =>
  rows.flatMap(({ index, value }) => {
    const { action, flow } = targeted.safeParse(value).data ?? {}
    const check = (kind: Target['kind'], key: string | undefined, keys: ReadonlySet<string>) =>
      key === undefined ? [] : checkTarget({ kind, key }, [list, index, kind], keys)
    return [...check('action', action, actions), ...check('flow', flow, flows)]
  })

/** Faults that name the key that was meant. A hostile text has thousands. */
const MAX_MEANT = 10
/** Keys among which it is looked for. */
const MAX_KEYS = 100

/** Adds the key that was probably meant to faults about targets that the app does not have. */
export const withMeantTargets = (
  faults: readonly Fault[],
  { actions, flows }: KnownKeys,
): readonly Fault[] => {
  const keys = { action: [...actions].slice(0, MAX_KEYS), flow: [...flows].slice(0, MAX_KEYS) }
  let left = MAX_MEANT
  return faults.map((fault) => {
    const { missing, message } = fault
    if (missing === undefined || left === 0) return fault
    left -= 1
    const meant = nearestTo(missing.key, keys[missing.kind])
    return meant === undefined ? fault : { ...fault, message: `${message}. Did you mean ${meant}?` }
  })
}
