/** Backs up a database at a fixed interval. */
import { setTimeout } from 'node:timers/promises'
import { restOf } from '#core/backup/backup-name.ts'
import { createLogger } from '#log/logtape.ts'
import type { BackupPlace } from './backup-place.ts'
import type { BackupSource } from './backup-source.ts'

export type BackupPlan = Readonly<{
  source: BackupSource
  place: BackupPlace
  everyMs: number
  /** How many backups to keep. */
  keep: number
}>

/** Milliseconds until a failed backup is tried again, if the interval is longer. */
const RETRY_MS = 60_000
/** Milliseconds. The clock is read at least this often, because timers pause while a machine sleeps. */
const LONGEST_WAIT_MS = 60_000

/**
 * Makes backups until the signal aborts. A restart continues the interval of the last process, by the times in the names of
 * the backups. A failed backup is logged and tried again.
 * @throws if the place cannot be used
 */
export const keepBackups = async (plan: BackupPlan, signal: AbortSignal): Promise<void> => {
  const { source, place, everyMs, keep } = plan
  const newest = await place.newest()
  createLogger('backup').info('Keeping backups.', {
    path: source.shown,
    folder: place.shown,
    everyMs,
    keep,
    newest: newest?.name ?? null,
  })
  let wait = newest === null ? { since: 0, ms: 0 } : { since: newest.at, ms: everyMs }
  while (await untilPassed(wait, signal)) {
    const since = Date.now()
    const isMade = await tryBackup(plan, since, signal)
    wait = { since, ms: isMade ? everyMs : Math.min(RETRY_MS, everyMs) }
  }
}

/** Returns whether a backup was made. */
const tryBackup = async (
  { source, place, keep, everyMs }: BackupPlan,
  now: number,
  signal: AbortSignal,
): Promise<boolean> => {
  const log = createLogger('backup')
  try {
    const { file, bytes, removed, removalFault } = await place.add(source.path(), {
      keep,
      now,
    })
    log.info('Made a backup.', { file, bytes, duration_ms: Date.now() - now, removed })
    if (removalFault !== null) {
      log.warn('Older backups were not removed.', { error: removalFault })
    }
    return true
  } catch (error) {
    if (signal.aborted) {
      log.info('Stopped before the backup was complete.')
      return false
    }
    const seconds = Math.min(RETRY_MS, everyMs) / 1_000
    log.error(`No backup was made. Trying again in ${seconds} s.`, { error })
    return false
  }
}

type Wait = Readonly<{ since: number; ms: number }>

/** Resolves to true when the time has passed, and to false when the signal aborts first. */
const untilPassed = async ({ since, ms }: Wait, signal: AbortSignal): Promise<boolean> => {
  for (let from = since; !signal.aborted; ) {
    const now = Date.now()
    // if the clock is set back, the interval starts again from the new time
    from = Math.min(from, now)
    const restMs = restOf(from, ms, now)
    if (restMs === 0) return true
    // an abort ends the wait and then the loop
    await setTimeout(Math.min(restMs, LONGEST_WAIT_MS), null, { signal }).catch(() => null)
  }
  return false
}
