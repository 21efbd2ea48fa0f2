/** Copies a database file before its migration, on a separate thread, and logs the progress. */
import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { unavailable } from '#core/error.ts'
import type { Logger } from '#log/logger.ts'
import { quietLibsql } from '#platform/quiet-libsql.ts'
import { startThread } from '#platform/thread.ts'
import { sizeOfCopies } from '#store/backends/copy-folder.ts'
import type { Backup } from '#store/maintenance/backup.ts'
import { migrationBackupName } from '#store/maintenance/migration-backup.ts'
import { readMigrationBackupAnswer } from '#store/maintenance/migration-backup-answer.ts'

/** Milliseconds between two lines of the log. */
const REPORT_EVERY_MS = 5_000

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Logs how much of the copy is written. @returns a function that stops the log */
const reportProgress = (
  log: Logger,
  path: string,
  { at, everyMs }: Readonly<{ at: number; everyMs: number }>,
): (() => void) => {
  const startedAt = performance.now()
  const name = basename(migrationBackupName(path, at))
  const timer = setInterval(() => {
    log.info('Copying the database before its migration.', {
      copied: sizeOfCopies(dirname(path), name),
      // the database's own log is not counted, so the copy may grow beyond this
      bytes: sizeOf(path),
      elapsed_ms: Math.round(performance.now() - startedAt),
    })
  }, everyMs)
  return () => clearInterval(timer)
}

/** @returns the message of the thread @throws {Error} it ended without a message */
const runThread = (data: Readonly<{ path: string; at: number }>): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const thread = startThread('migrationBackup', data)
    thread.once('message', resolve)
    thread.once('error', reject)
    // after the message this has no effect: the promise is settled
    thread.once('exit', (code) => reject(new Error(`The copying thread ended with ${code}.`)))
  })

/**
 * Copies the database at `path`, and removes the oldest of such copies. This process stays responsive meanwhile.
 * @param at milliseconds since 1970
 * @param everyMs milliseconds between two lines of the log
 * @throws {AppError} unavailable: no copy could be made, for example because the disk is full
 */
export const copyBeforeMigration = async (
  log: Logger,
  path: string,
  at: number,
  everyMs = REPORT_EVERY_MS,
): Promise<Backup> => {
  quietLibsql()
  const endReport = reportProgress(log, path, { at, everyMs })
  try {
    const answer = readMigrationBackupAnswer(await runThread({ path, at }))
    if (answer.kind === 'done') return answer.backup
    throw unavailable(answer.message, { code: answer.code })
  } finally {
    endReport()
  }
}
