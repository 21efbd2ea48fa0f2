/** Flags by which sleeps and waits for events end in a local run. */
import { eventName } from '#core/event.ts'
import type { LocalEvent } from '#project/local-waits.ts'
import { UsageError } from './exit.ts'
import { readJson } from './input.ts'

export const eventOption = {
  type: 'string',
  requiresArg: true,
  describe: 'name=JSON or name:key=JSON: what the next step gets that waits for this event',
} as const

export const skipTimeOption = {
  type: 'boolean',
  describe: 'Do not wait: sleeps and time limits are over at once',
} as const

/** @throws {UsageError} */
const readEvent = async (given: string): Promise<LocalEvent> => {
  const [address = '', ...text] = given.split('=')
  const [name = '', ...rest] = address.split(':')
  const key = rest.length === 0 ? undefined : rest.join(':')
  if (!eventName.safeParse(name).success || key === '') {
    throw new UsageError(
      `--event ${given} names no event. Write name=JSON or name:key=JSON, for example order.paid:o1='{"amount":20}'.`,
    )
  }
  return { name, key, data: text.length === 0 ? null : await readJson(text.join('='), 'event') }
}

/**
 * A flag that was given several times is a list.
 * @throws {UsageError}
 */
export const readEvents = async (given: unknown): Promise<readonly LocalEvent[]> => {
  if (given === undefined) return []
  const all = Array.isArray(given) ? given : [given]
  return Promise.all(all.map((each: unknown) => readEvent(String(each))))
}
