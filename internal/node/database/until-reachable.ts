/** Waits for the database at the start of a node. */
import { setTimeout } from 'node:timers/promises'
import { type Config, databaseUrlOf } from '#config/config.ts'
import { shownAddress } from '#config/shown-address.ts'
import { lacksRoom } from '#disk/room.ts'
import { createLogger } from '#log/logtape.ts'
import { databaseSentence } from '#service/database-refusal.ts'
import { DatabaseError, type DatabaseErrorKind } from '#store/database.ts'
import { SchemaTooOldError } from '#store/migrate.ts'

const RETRY_MS = 1_000
const WARN_EVERY = 30
/** Kinds of database errors that may be temporary. */
const TEMPORARY: readonly DatabaseErrorKind[] = ['unavailable', 'io', 'busy', 'full']
/** The same for opening a file, whose wrong path or owner a person has to correct. */
export const TEMPORARY_AT_OPENING: readonly DatabaseErrorKind[] = ['io', 'busy', 'full']
const OF_DISK: readonly DatabaseErrorKind[] = ['io', 'full']

/** For another file than the database, for example the instance key at the first start. */
const NO_ROOM = 'The disk of the data directory is full. Free some space.'

/** A message for an error that may be temporary, else null. */
const temporaryError = (error: unknown, kinds: readonly DatabaseErrorKind[]): string | null => {
  if (error instanceof SchemaTooOldError) return error.message
  if (lacksRoom(error)) return NO_ROOM
  if (!(error instanceof DatabaseError && kinds.includes(error.kind))) return null
  return OF_DISK.includes(error.kind)
    ? databaseSentence(error.kind)
    : 'The database does not answer.'
}

export type WaitOptions = Readonly<{
  /** Called with the reason before each wait. */
  onWait?: (reason: string) => void
  /** The kinds that may be temporary. @default all that may be while a node prepares its database */
  kinds?: readonly DatabaseErrorKind[]
}>

/** Retries while the database is unreachable or its disk is full; any other error is final. */
export const untilReachable = async <T>(
  config: Config,
  signal: AbortSignal,
  act: () => Promise<T>,
  { onWait = () => undefined, kinds = TEMPORARY }: WaitOptions = {},
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
      const sentence = temporaryError(error, kinds)
      if (sentence === null) throw error
      onWait(sentence)
      if (failures % WARN_EVERY === 0) {
        const database = shownAddress(databaseUrlOf(config))
        log.warn(`${sentence} Trying again every second.`, { database, error })
      }
      await Promise.race([setTimeout(RETRY_MS), aborted])
    }
  }
}
