/** Flags by which sleeps and waits for events end in a local run. */
import type { LocalEvent } from '#project/local-waits.ts'
import { readJson } from './input.ts'

export const eventOption = {
  type: 'string',
  requiresArg: true,
  describe: 'name=JSON: what the next step receives that waits for this event',
} as const

export const skipTimeOption = {
  type: 'boolean',
  describe: 'Do not wait: sleeps and time limits are over at once',
} as const

/** A flag that was given several times is a list. */
export const readEvents = async (given: unknown): Promise<readonly LocalEvent[]> => {
  if (given === undefined) return []
  const all = Array.isArray(given) ? given : [given]
  return Promise.all(
    all.map(async (each: unknown) => {
      const [name = '', ...data] = String(each).split('=')
      return { name, data: data.length === 0 ? null : await readJson(data.join('='), 'event') }
    }),
  )
}
