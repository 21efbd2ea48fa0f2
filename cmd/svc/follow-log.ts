/** Follows the log of a job until the job ends. A stream that breaks off is opened again and continues where it was [functions 15.12]. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#cli-client/client.ts'
import { OUTAGE_PAUSE_MS, outlast, type Pause } from '#cli-client/outlast.ts'
import { readEvents } from '#sdk/event-stream.ts'

/** Node's fetch throws a TypeError when a connection breaks off. */
const isBroken = (error: unknown): boolean => error instanceof TypeError

/**
 * @param path of the log, which each stream sends from its beginning
 * @param printed characters of the log that are left out
 * @throws {AppError} the server refused, or was not reached for a minute
 */
export const followLog = async (
  client: Pick<Client, 'fetch'>,
  path: string,
  print: (text: string) => void,
  { wait = pause, printed = 0 }: Readonly<{ wait?: Pause; printed?: number }> = {},
): Promise<void> => {
  let done = printed

  /** @returns whether the job has ended */
  const readStream = async (body: ReadableStream<Uint8Array>): Promise<boolean> => {
    let read = 0
    for await (const { event, data } of readEvents(body)) {
      if (event === 'end') return true
      if (event !== 'log') continue
      const text = String(data)
      const added = text.slice(Math.max(0, done - read))
      read += text.length
      if (added === '') continue
      done = read
      print(added)
    }
    return false
  }

  for (;;) {
    const { body } = await outlast(
      () => client.fetch(path, { headers: { accept: 'text/event-stream' } }),
      wait,
    )
    if (body === null) return
    try {
      if (await readStream(body)) return
    } catch (error) {
      if (!isBroken(error)) throw error
    }
    await wait(OUTAGE_PAUSE_MS)
  }
}
