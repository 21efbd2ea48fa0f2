/** What rows of a manifest start (`action: …` or `flow: …`), read also from rows that have other faults. */
import { z } from 'zod'
import { nearestTo } from '../edit-distance.ts'
import type { Fault, Row } from './fault.ts'

export type KnownKeys = Readonly<{ actions: ReadonlySet<string>; flows: ReadonlySet<string> }>

const targeted = z.object({
  action: z.string().optional().catch(undefined),
  flow: z.string().optional().catch(undefined),
})

/** Finds targets that the app does not have, so that one deploy lists them with all other faults. */
export const findMissingTargets = (
  list: string,
  rows: readonly Row<unknown>[],
  { actions, flows }: KnownKeys,
): readonly Fault[] =>
  rows.flatMap(({ index, value }) => {
    const { action, flow } = targeted.safeParse(value).data ?? {}
    const missing = (kind: 'action' | 'flow', key: string): Fault => ({
      path: [list, index, kind],
      message: `there is no ${kind} "${key}" in this app`,
    })
    return [
      ...(action === undefined || actions.has(action) ? [] : [missing('action', action)]),
      ...(flow === undefined || flows.has(flow) ? [] : [missing('flow', flow)]),
    ]
  })

const MISSING = /^there is no (action|flow) "(.+)" in this app$/s
/** Faults that name the key that was meant. A hostile text has thousands. */
const MAX_MEANT = 10
/** Keys among which it is looked for. */
const MAX_KEYS = 100

/** Adds the key that was probably meant to faults about targets that the app does not have. */
export const withMeantTargets = (
  faults: readonly Fault[],
  { actions, flows }: KnownKeys,
): readonly Fault[] => {
  const actionKeys = [...actions].slice(0, MAX_KEYS)
  const flowKeys = [...flows].slice(0, MAX_KEYS)
  const messageOf = (kind: string | undefined, key: string): string | undefined => {
    const meant = nearestTo(key, kind === 'flow' ? flowKeys : actionKeys)
    if (meant === undefined) return undefined
    return kind === 'flow'
      ? `there is no flow "${key}" in this app. Did you mean ${meant}?`
      : `there is no action "${key}" in this app. Did you mean ${meant}?`
  }
  let left = MAX_MEANT
  return faults.map((fault) => {
    const [, kind, key] = MISSING.exec(fault.message) ?? []
    if (key === undefined || left === 0) return fault
    left -= 1
    return { ...fault, message: messageOf(kind, key) ?? fault.message }
  })
}
