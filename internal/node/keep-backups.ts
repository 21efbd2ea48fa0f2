/** Makes a backup of a file database at each interval, for as long as it runs. */
import { setTimeout } from 'node:timers/promises'
import { restOf } from '#core/backup/backup-name.ts'
import { createLogger } from '#log/logtape.ts'
import { addBackup, openBackupFolder } from '#store/backup-folder.ts'

export type BackupPlan = Readonly<{
  /** The database file. */
  path: string
  folder: string
  everyMs: number
  /** How many backups stay. */
  keep: number
}>

/** After a failure, where the interval is longer. */
const RETRY_MS = 60_000
/** The clock is read again at least so often: timers rest while a machine sleeps. */
const LONGEST_WAIT_MS = 60_000

/**
 * Keeps backups in the folder until the signal aborts. A restart goes on where the last process was, by the times in the
 * names. A backup that fails is in the log, and is tried again.
 * @throws the folder cannot be made
 */
export const keepBackups = async (plan: BackupPlan, signal: AbortSignal): Promise<void> => {
  const [newest] = openBackupFolder(plan.folder)
  createLogger('backup').info('Keeping backups.', { ...plan, newest: newest?.name ?? null })
  let wait = newest === undefined ? { since: 0, ms: 0 } : { since: newest.at, ms: plan.everyMs }
  while (await untilPassed(wait, signal)) {
    const since = Date.now()
    wait = { since, ms: tryBackup(plan, since) ? plan.everyMs : Math.min(RETRY_MS, plan.everyMs) }
  }
}

/** Returns whether a backup was made. */
const tryBackup = ({ path, folder, keep, everyMs }: BackupPlan, now: number): boolean => {
  const log = createLogger('backup')
  try {
    const { file, bytes, removed } = addBackup(path, folder, { keep, now })
    log.info('Made a backup.', { file, bytes, duration_ms: Date.now() - now, removed })
    return true
  } catch (error) {
    const seconds = Math.min(RETRY_MS, everyMs) / 1_000
    log.error(`No backup was made. Trying again in ${seconds} s.`, { error })
    return false
  }
}

type Wait = Readonly<{ since: number; ms: number }>

/** Resolves when the time has passed, and with false when the signal aborted first. */
const untilPassed = async ({ since, ms }: Wait, signal: AbortSignal): Promise<boolean> => {
  for (let from = since; !signal.aborted; ) {
    const now = Date.now()
    // a clock that is set back starts the interval again, once
    from = Math.min(from, now)
    const restMs = restOf(from, ms, now)
    if (restMs === 0) return true
    // an abort ends the wait, and then the loop
    await setTimeout(Math.min(restMs, LONGEST_WAIT_MS), null, { signal }).catch(() => null)
  }
  return false
}
