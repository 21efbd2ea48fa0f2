/**
 * Logs requests that the server refused because it was busy, or because its database failed. Callers can cause any number of
 * them, and the log may be on the disk that is full, so one line stands for all of 10 s.
 */
import type { Logger } from '#log/logger.ts'

const EVERY_MS = 10_000

/**
 * Counts the refusals of one process. The returned function takes the message of a refusal, of which there are a few, and
 * returns how many refusals its line stands for; null if it has no line.
 * @param now milliseconds of a steady clock
 */
export const createRefusalCount = (now: () => number) => {
  const logged = new Map<string, { at: number; unlogged: number }>()
  return (message: string): number | null => {
    const last = logged.get(message)
    if (last !== undefined && now() - last.at < EVERY_MS) {
      last.unlogged += 1
      return null
    }
    logged.set(message, { at: now(), unlogged: 0 })
    return 1 + (last?.unlogged ?? 0)
  }
}

/** The memory of the refusals of one process. @param now milliseconds of a steady clock */
export const createBusyLog = (now: () => number) => {
  const count = createRefusalCount(now)
  return (log: Logger, message: string, path: string): void => {
    const requests = count(message)
    if (requests === null) return
    log.warn('The server was busy and refused requests.', { requests, message, path })
  }
}
