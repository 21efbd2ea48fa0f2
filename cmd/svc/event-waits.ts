/** The events that a job or flow run waits for, as `show` prints them. */
import { z } from 'zod'
import { printLine } from './print.ts'

/** `event_waits` of an answer; absent while nothing waits. */
export const eventWaits = z
  .array(
    z.looseObject({
      name: z.string(),
      /** Null for a wait that takes only events without a key. */
      key: z.string().nullable(),
      until: z.string().nullable(),
    }),
  )
  .optional()

/** Prints one line for each event. */
export const printEventWaits = (waits: z.infer<typeof eventWaits> = []): void => {
  for (const { name, key, until } of waits) {
    const ofKey = key === null ? 'without a key' : `key "${key}"`
    printLine(`event ${name}, ${ofKey}, until ${until ?? 'it comes'}`)
  }
}
