/** Where backups are kept: a folder, or a bucket of S3. */
import { addBackup, openBackupFolder } from '#store/backup-folder.ts'

export type AddedBackup = Readonly<{
  /** Its path or address. */
  file: string
  bytes: number
  schemaVersion: number
  /** Names of older backups that were removed. */
  removed: readonly string[]
  /** Why older ones could not be removed; null if they were. The backup is good nevertheless. */
  removalFault: unknown
}>

export type AddOptions = Readonly<{
  /** How many backups stay; null: all. */
  keep: number | null
  /** Milliseconds since 1970. */
  now: number
}>

export type BackupPlace = Readonly<{
  /** Its path or address. */
  shown: string
  /** Returns the newest backup; null if there is none. @throws the place cannot be used */
  newest: () => Promise<Readonly<{ name: string; at: number }> | null>
  /** Adds a backup of the database at `path`, and then removes the oldest. @throws no backup was made, none removed */
  add: (path: string, options: AddOptions) => Promise<AddedBackup>
}>

/** The place in a folder, which is made if it is missing. */
export const folderPlace = (folder: string): BackupPlace => ({
  shown: folder,
  newest: async () => openBackupFolder(folder)[0] ?? null,
  add: async (path, { keep, now }) => ({
    ...addBackup(path, folder, { keep: keep ?? Number.POSITIVE_INFINITY, now }),
    removalFault: null,
  }),
})
