/** What rows of a manifest start (`action: …` or `flow: …`), read also from rows that have other faults. */
import { z } from 'zod'
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
