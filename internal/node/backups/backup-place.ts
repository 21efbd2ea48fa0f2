/** Where backups are kept: a folder or an S3 bucket. */
import { addBackup, openBackupFolder } from '#store/maintenance/backup-folder.ts'

export type AddedBackup = Readonly<{
  /** Its path or address. */
  file: string
  bytes: number
  schemaVersion: number
  /** Names of older backups that were removed. */
  removed: readonly string[]
  /** Why older backups could not be removed, or null. The new backup is good in either case. */
  removalFault: unknown
}>

export type AddOptions = Readonly<{
  /** How many backups to keep; null keeps all. */
  keep: number | null
  /** Milliseconds since 1970. */
  now: number
}>

export type BackupPlace = Readonly<{
  /** Its path or address. */
  shown: string
  /** Returns the newest backup; null if there is none. @throws if the place cannot be used */
  newest: () => Promise<Readonly<{ name: string; at: number }> | null>
  /** Adds a backup of the database at `path`, then removes the oldest. @throws if no backup was made; then none was removed */
  add: (path: string, options: AddOptions) => Promise<AddedBackup>
}>

/** Keeps backups in a folder, which is created if it is missing. */
export const folderPlace = (folder: string): BackupPlace => ({
  shown: folder,
  newest: async () => openBackupFolder(folder)[0] ?? null,
  add: async (path, { keep, now }) => ({
    ...addBackup(path, folder, { keep: keep ?? Number.POSITIVE_INFINITY, now }),
    removalFault: null,
  }),
})
