/** What an app starts by events, in its manifest [events 3]. */
import type { z } from 'zod'
import type { Fault, Row } from '../manifest/fault.ts'
import { key, mapping } from '../manifest/fields.ts'
import { checkOneTarget } from '../manifest/one-target.ts'
import { eventName } from './event.ts'

/** Only its fields, for manifests that were checked when they were deployed. */
export const eventTargetFields = mapping(
  {
    name: eventName,
    action: key.optional(),
    flow: key.optional(),
  },
  '{ name: order.paid, action: ship }',
)

export const eventTargetSchema = eventTargetFields.superRefine(checkOneTarget)

export type EventTarget = Readonly<z.output<typeof eventTargetFields>>

const textOf = ({ name, action, flow }: EventTarget): string => `${name} ${action} ${flow}`

/** Finds duplicate rows. */
export const findDoubleEvents = (rows: readonly Row<EventTarget>[]): readonly Fault[] => {
  const seen = new Set<string>()
  return rows.flatMap(({ index, value }) => {
    const isDouble = seen.has(textOf(value))
    seen.add(textOf(value))
    return isDouble ? [{ path: ['events', index], message: 'occurs twice: remove one' }] : []
  })
}
