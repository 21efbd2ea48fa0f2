/** A folder of backups of one database. Each backup is a complete copy, named by its time. */
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
import { type Backup, backupDatabase, PARTIAL, removeWithLog } from './backup.ts'

/** The form of backup names that `svc db backup` makes, with the time between prefix and suffix. */
export const BACKUP_FORM = { prefix: 'svc-', suffix: '.db' }

/** Milliseconds. A copy that is still being written or checked changes more often than this. */
const STALE_MS = 600_000

/** Creates the folder, readable only by its owner, if it is missing. Returns its backups, newest first. */
export const openBackupFolder = (folder: string): readonly NamedBackup[] => {
  makeFolder(folder, 0o700)
  return listBackups(BACKUP_FORM, readdirSync(folder))
}

/** Removes unfinished copies of processes of a former version that ended. @param now milliseconds since 1970 */
export const removeStalePartials = (folder: string, form: BackupName, now: number): void => {
  const partials = { ...form, suffix: `${form.suffix}${PARTIAL}` }
  for (const { name } of listBackups(partials, readdirSync(folder))) {
    const path = join(folder, name)
    // another process may have finished the copy meanwhile
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now
    if (now - writtenAt > STALE_MS) removeWithLog(path)
  }
}

/**
 * Adds a backup to the folder, and then removes the oldest ones so that `keep` remain.
 * @param now milliseconds since 1970
 * @returns the backup and the names of the removed ones
 * @throws as `backupDatabase` does; then no older backup is removed
 */
export const addBackup = (
  path: string,
  folder: string,
  { keep, now }: Readonly<{ keep: number; now: number }>,
): Backup & Readonly<{ removed: readonly string[] }> => {
  openBackupFolder(folder)
  removeStalePartials(folder, BACKUP_FORM, now)
  const made = backupName(BACKUP_FORM, now)
  const backup = backupDatabase(path, join(folder, made))
  const removed = expiredBackups(BACKUP_FORM, readdirSync(folder), { keep, made })
  for (const name of removed) rmSync(join(folder, name), { force: true })
  return { ...backup, removed }
}

/** Returns the file of the newest backup made at or before `at`, or null. @param at milliseconds since 1970; null for the newest */
export const findBackup = (folder: string, at: number | null): string | null => {
  const found = listBackups(BACKUP_FORM, readdirSync(folder)).find(
    (one) => at === null || one.at <= at,
  )
  return found === undefined ? null : join(folder, found.name)
}
