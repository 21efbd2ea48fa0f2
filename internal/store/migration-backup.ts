/** Copies a file database before its schema changes. The copies are stored next to it, and only the newest are kept. */
import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { backupName, expiredBackups } from '#core/backup/backup-name.ts'
import { AppError } from '#core/error.ts'
import { type Backup, backupDatabase } from './backup.ts'
import { removeStalePartials } from './backup-folder.ts'
import { DatabaseError } from './database.ts'
import { codeOf, messageOf } from './database-error.ts'

const KEPT = 3

const formOf = (path: string) => ({ prefix: `${basename(path)}.before-migration-`, suffix: '' })

const removeExpired = (path: string, made: string): void => {
  const folder = dirname(path)
  for (const name of expiredBackups(formOf(path), readdirSync(folder), { keep: KEPT, made })) {
    rmSync(join(folder, name), { force: true })
  }
}

const isFull = (error: unknown): boolean =>
  (error instanceof DatabaseError && error.kind === 'full') || codeOf(error) === 'ENOSPC'

const refusal = (path: string, cause: unknown): AppError => {
  const [reason, remedy] = isFull(cause)
    ? [`The disk of ${path} is full`, 'Make room for a copy of the database']
    : [messageOf(cause).replace(/\.$/, ''), 'Repair that']
  return new AppError(
    'unavailable',
    `${reason}. A database is copied before it is migrated, so it was left as it was. ${remedy}, or copy it to another place and run: svc db migrate --no-backup`,
    { code: 'backup_failed', cause },
  )
}

/** Returns the file name of the copy made at this time. @param at milliseconds since 1970 */
export const migrationBackupName = (path: string, at: number): string =>
  join(dirname(path), backupName(formOf(path), at))

/**
 * Copies the database at `path`, and removes the oldest such copies. It blocks (migration-backup-thread.ts).
 * @param at milliseconds since 1970
 * @throws {AppError} unavailable: no copy could be made, for example because the disk is full
 */
export const backupBeforeMigration = (path: string, at: number): Backup => {
  try {
    removeStalePartials(dirname(path), formOf(path), at)
    const backup = backupDatabase(path, migrationBackupName(path, at))
    removeExpired(path, basename(backup.file))
    return backup
  } catch (error) {
    throw refusal(path, error)
  }
}
