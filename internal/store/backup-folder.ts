/** A folder of backups of one database: each is a whole copy, named by its time. */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BackupName,
  backupName,
  expiredBackups,
  listBackups,
  type NamedBackup,
} from '#core/backup/backup-name.ts'
import { makeFolder } from '#disk/make-folder.ts'
import { type Backup, backupDatabase, PARTIAL } from './backup.ts'

/** The names of backups that `svc db backup` makes with their times. */
export const BACKUP_FORM = { prefix: 'svc-', suffix: '.db' }

/** No copy rests for so long while it is written and checked. */
const STALE_MS = 600_000

/** Makes the folder, for its owner alone, if it is missing, and returns its backups, the newest first. */
export const openBackupFolder = (folder: string): readonly NamedBackup[] => {
  makeFolder(folder, 0o700)
  return listBackups(BACKUP_FORM, readdirSync(folder))
}

/** Removes unfinished copies that processes have left when they died. @param now milliseconds since 1970 */
export const removeStalePartials = (folder: string, form: BackupName, now: number): void => {
  const partials = { ...form, suffix: `${form.suffix}${PARTIAL}` }
  for (const { name } of listBackups(partials, readdirSync(folder))) {
    const path = join(folder, name)
    // another process may have finished it meanwhile
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now
    if (now - writtenAt > STALE_MS) rmSync(path, { force: true })
  }
}

/**
 * Adds a backup to the folder, and then removes the oldest beyond `keep`.
 * @param now milliseconds since 1970
 * @returns also the names of what was removed
 * @throws as `backupDatabase` does; then no older backup is removed
 */
export const addBackup = (
  path: string,
  folder: string,
  { keep, now }: Readonly<{ keep: number; now: number }>,
): Backup & Readonly<{ removed: readonly string[] }> => {
  openBackupFolder(folder)
  removeStalePartials(folder, BACKUP_FORM, now)
  const backup = backupDatabase(path, join(folder, backupName(BACKUP_FORM, now)))
  const removed = expiredBackups(BACKUP_FORM, readdirSync(folder), keep)
  for (const name of removed) rmSync(join(folder, name), { force: true })
  return { ...backup, removed }
}

/** Returns the file of the newest backup that is not younger than `at`, or null. @param at the newest of all if null */
export const findBackup = (folder: string, at: number | null): string | null => {
  const found = listBackups(BACKUP_FORM, readdirSync(folder)).find(
    (one) => at === null || one.at <= at,
  )
  return found === undefined ? null : join(folder, found.name)
}
