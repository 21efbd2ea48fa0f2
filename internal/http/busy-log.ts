/**
 * Logs requests that the server refused because it was busy. Callers without a credential can cause any number of them, so a
 * line without a stack stands for all of 10 s.
 */
import type { Logger } from '#log/logger.ts'

const EVERY_MS = 10_000

/** The memory of the refusals of one process. @param now milliseconds of a steady clock */
export const createBusyLog = (now: () => number) => {
  /** By message, of which there are a few. */
  const logged = new Map<string, { at: number; unlogged: number }>()
  return (log: Logger, message: string, path: string): void => {
    const last = logged.get(message)
    if (last !== undefined && now() - last.at < EVERY_MS) {
      last.unlogged += 1
      return
    }
    logged.set(message, { at: now(), unlogged: 0 })
    log.warn('The server was busy and refused requests.', {
      requests: 1 + (last?.unlogged ?? 0),
      message,
      path,
    })
  }
}
