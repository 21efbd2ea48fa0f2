/** Waits for the database at the start of a node. */
import { setTimeout } from 'node:timers/promises'
import { type Config, databaseUrlOf } from '#config/config.ts'
import { shownAddress } from '#config/shown-address.ts'
import { createLogger } from '#log/logtape.ts'
import { DatabaseError, type DatabaseErrorKind } from '#store/database.ts'
import { SchemaTooOldError } from '#store/migrate.ts'

const RETRY_MS = 1_000
const WARN_EVERY = 30
/** Kinds of database errors that may be temporary. */
const TEMPORARY: readonly DatabaseErrorKind[] = ['unavailable', 'io', 'busy']

/** A message for an error that may be temporary, else null. */
const temporaryError = (error: unknown): string | null => {
  if (error instanceof SchemaTooOldError) return error.message
  const isTemporary = error instanceof DatabaseError && TEMPORARY.includes(error.kind)
  return isTemporary ? 'The database does not answer.' : null
}

/** Retries while the database is unreachable; any other error is final. */
export const untilReachable = async <T>(
  config: Config,
  signal: AbortSignal,
  act: () => Promise<T>,
): Promise<T> => {
  const log = createLogger('store')
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  // it may reject after the last wait for it
  aborted.catch(() => undefined)
  for (let failures = 0; ; failures += 1) {
    try {
      return await Promise.race([act(), aborted])
    } catch (error) {
      const sentence = temporaryError(error)
      if (sentence === null) throw error
      if (failures % WARN_EVERY === 0) {
        const database = shownAddress(databaseUrlOf(config))
        log.warn(`${sentence} Trying again every second.`, { database, error })
      }
      await Promise.race([setTimeout(RETRY_MS), aborted])
    }
  }
}
