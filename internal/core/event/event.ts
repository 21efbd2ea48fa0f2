/** Events: callers and jobs send them to everything that waits for them in the workspace [events 1]. */
import * as z from 'zod'
import { EVENT_NAME, MAX_EVENT_KEY } from '../durable/limits.ts'
import { limit } from '../limit.ts'

/** The name of an event, such as order.paid. */
export const eventName = z
  .string('must be a string')
  .regex(
    EVENT_NAME,
    'must have 1 to 100 lower-case letters, digits, ., _ or -, and begin with a letter or digit',
  )

const MAX_EVENT_ID = limit('event.id', 200, 'characters', 'The id of an event.')

// no `regex`: the OpenAPI document would have its flag in the pattern
const printable = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !/\p{Cc}/u.test(text), 'must have no control characters')

/** The fields that a sender sets. */
export const eventFields = z.strictObject({
  name: eventName,
  key: printable(MAX_EVENT_KEY).optional(),
  data: z.json().default(null),
  id: printable(MAX_EVENT_ID).optional(),
})
