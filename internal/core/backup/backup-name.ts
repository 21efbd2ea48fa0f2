/** Names of backups. Each has the time at which it was made, by which the oldest are found and removed. */

/** What stands before and behind the time in a name. */
export type BackupName = Readonly<{ prefix: string; suffix: string }>

/** Colons and dots of a time are not allowed in file names everywhere. */
const stampOf = (at: number): string => new Date(at).toISOString().replaceAll(/[:.]/g, '-')

const STAMP = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/

/** Names the backup that is made at a time. @param at milliseconds since 1970 */
export const backupName = ({ prefix, suffix }: BackupName, at: number): string =>
  `${prefix}${stampOf(at)}${suffix}`

const isBackup = ({ prefix, suffix }: BackupName, name: string): boolean =>
  name.startsWith(prefix) &&
  name.endsWith(suffix) &&
  STAMP.test(name.slice(prefix.length, name.length - suffix.length))

/** Returns the names of backups among those of a folder, the newest first. Stamps sort as their times do. */
export const listBackups = (form: BackupName, names: readonly string[]): readonly string[] =>
  names
    .filter((name) => isBackup(form, name))
    .sort()
    .reverse()

/** Returns the backups that are more than `keep`, which are the oldest. Other files are never among them. */
export const expiredBackups = (
  form: BackupName,
  names: readonly string[],
  keep: number,
): readonly string[] => listBackups(form, names).slice(keep)
