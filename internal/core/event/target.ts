/** What an app starts by events, in its manifest [events 3]. */
import type { z } from 'zod'
import type { Fault, Row } from '../manifest/fault.ts'
import { key, mapping } from '../manifest/fields.ts'
import { checkOneTarget } from '../manifest/one-target.ts'
import { eventName } from './event.ts'

/** Only its fields, for manifests that were checked when they were deployed. */
export const eventTargetFields = mapping({
  name: eventName,
  action: key.optional(),
  flow: key.optional(),
})

export const eventTargetSchema = eventTargetFields.superRefine(checkOneTarget)

export type EventTarget = Readonly<z.output<typeof eventTargetFields>>

type App = Readonly<{ actions: ReadonlySet<string>; flows: ReadonlySet<string> }>

const textOf = ({ name, action, flow }: EventTarget): string => `${name} ${action} ${flow}`

/** Finds targets that the app does not have, and duplicate rows. */
export const findEventFaults = (
  rows: readonly Row<EventTarget>[],
  { actions, flows }: App,
): readonly Fault[] => {
  const seen = new Set<string>()
  return rows.flatMap(({ index, value }): readonly Fault[] => {
    const { action, flow } = value
    const path = ['events', index]
    const isDouble = seen.has(textOf(value))
    seen.add(textOf(value))
    if (isDouble) return [{ path, message: 'occurs twice: remove one' }]
    if (action !== undefined && !actions.has(action)) {
      return [{ path: [...path, 'action'], message: `there is no action "${action}" in this app` }]
    }
    if (flow !== undefined && !flows.has(flow)) {
      return [{ path: [...path, 'flow'], message: `there is no flow "${flow}" in this app` }]
    }
    return []
  })
}
