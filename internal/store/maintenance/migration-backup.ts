/** Copies a file database before its schema changes. The copies are stored next to it, and only the newest are kept. */
import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { backupName, expiredBackups, listBackups } from '#core/backup/backup-name.ts'
import { AppError } from '#core/error.ts'
import { lacksRoom } from '#disk/room.ts'
import { DatabaseError } from '../database.ts'
import { messageOf } from '../database-error.ts'
import { type Backup, backupDatabase, schemaOfCopy } from './backup.ts'
import { removeStalePartials } from './backup-folder.ts'

const KEPT = 3

const formOf = (path: string) => ({ prefix: `${basename(path)}.before-migration-`, suffix: '' })

/**
 * Returns the copies that a later copy of the same schema replaces. A node that cannot finish an upgrade copies the same schema
 * at each start, and must not remove the copy from before that upgrade.
 * @param names the newest first
 */
const replacedIn = (folder: string, names: readonly string[]): readonly string[] => {
  const seen = new Set<number>()
  return names.filter((name) => {
    const version = schemaOfCopy(join(folder, name))
    if (version === null) return false
    const isReplaced = seen.has(version)
    seen.add(version)
    return isReplaced
  })
}

const removeExpired = (path: string, made: string): void => {
  const folder = dirname(path)
  const form = formOf(path)
  const names = readdirSync(folder)
  const expired = expiredBackups(form, names, { keep: KEPT, made })
  if (expired.length === 0) return
  const others = listBackups(form, names).map(({ name }) => name)
  const all = [made, ...others.filter((name) => name !== made)]
  const replaced = replacedIn(folder, all).toReversed()
  const leaving = [...replaced, ...expired.toReversed().filter((name) => !replaced.includes(name))]
  for (const name of leaving.slice(0, expired.length)) {
    rmSync(join(folder, name), { force: true })
  }
}

const isFull = (error: unknown): boolean =>
  (error instanceof DatabaseError && error.kind === 'full') || lacksRoom(error)

const refusal = (path: string, cause: unknown): AppError => {
  const [reason, remedy] = isFull(cause)
    ? [`The disk of ${path} is full`, 'Make room for a copy of the database']
    : [messageOf(cause).replace(/\.$/, ''), 'Repair that']
  return new AppError(
    'unavailable',
    `${reason}. A database is copied before it is migrated, so no migration ran now. ${remedy}, or copy it to another place and run: svc db migrate --no-backup`,
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
