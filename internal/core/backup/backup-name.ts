/** Names of backups. Each has the time at which it was made, by which the oldest are found and removed. */

/** What comes before and after the time in a name. */
export type BackupName = Readonly<{ prefix: string; suffix: string }>

/** Replaces colons and dots, which some file systems do not allow in names. */
const stampOf = (at: number): string => new Date(at).toISOString().replaceAll(/[:.]/g, '-')

const STAMP = /^(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2})-(\d{3}Z)$/

/** Names the backup that is made at a time. @param at milliseconds since 1970 */
export const backupName = ({ prefix, suffix }: BackupName, at: number): string =>
  `${prefix}${stampOf(at)}${suffix}`

/** Returns the time in the name of a backup, milliseconds since 1970; null for any other file. */
const timeOfBackup = ({ prefix, suffix }: BackupName, name: string): number | null => {
  if (!name.startsWith(prefix) || !name.endsWith(suffix)) return null
  const stamp = STAMP.exec(name.slice(prefix.length, name.length - suffix.length))
  if (stamp === null) return null
  const [, hour, minute, second, rest] = stamp
  const at = Date.parse(`${hour}:${minute}:${second}.${rest}`)
  return Number.isNaN(at) ? null : at
}

export type NamedBackup = Readonly<{ name: string; at: number }>

/** Returns the backups among the names of a folder, the newest first. */
export const listBackups = (form: BackupName, names: readonly string[]): readonly NamedBackup[] =>
  names
    .flatMap((name) => {
      const at = timeOfBackup(form, name)
      return at === null ? [] : [{ name, at }]
    })
    .sort((one, other) => other.at - one.at)

export type Keeping = Readonly<{
  /** How many backups to keep. */
  keep: number
  /** The name of the backup that was just made. */
  made: string
}>

/**
 * Returns the names of the oldest backups, those beyond `keep`. It never returns the name of another file, nor `made`: after
 * the clock was set back, older backups have later times in their names.
 */
export const expiredBackups = (
  form: BackupName,
  names: readonly string[],
  { keep, made }: Keeping,
): readonly string[] => {
  const others = listBackups(form, names).map(({ name }) => name)
  return [made, ...others.filter((name) => name !== made)].slice(keep)
}

/**
 * Returns the milliseconds until an interval has passed since a time; 0 if it has passed.
 * @param since a time in the future comes from a clock that was set back, and counts as now
 */
export const restOf = (since: number, everyMs: number, now: number): number =>
  Math.max(0, Math.min(since, now) + everyMs - now)
