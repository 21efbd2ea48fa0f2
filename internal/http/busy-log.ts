/**
 * Logs requests that the server refused because it was busy, or because its database failed. Callers can cause any number of
 * them, and the log may be on the disk that is full, so one line stands for all of 10 s.
 */
import { createRepeatCount } from '#core/repeat-count.ts'
import type { Logger } from '#log/logger.ts'

/** The memory of the refusals of one process. @param now milliseconds of a steady clock */
export const createBusyLog = (now: () => number) => {
  const count = createRepeatCount(now)
  return (log: Logger, message: string, path: string): void => {
    const requests = count(message)
    if (requests === null) return
    log.warn('The server was busy and refused requests.', { requests, message, path })
  }
}
