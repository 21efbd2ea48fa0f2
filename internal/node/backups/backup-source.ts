/**
 * The file that backups copy: the file of a local database, or a copy of a server's database, which is updated before each
 * backup. That copy is an embedded replica: the first update transfers the whole database, later ones only what has changed.
 */
import { join } from 'node:path'
import { type Config, databaseAddressOf, databaseUrlOf } from '#config/config.ts'
import { shownAddress } from '#config/shown-address.ts'
import { makeFolder } from '#disk/make-folder.ts'
import { quietLibsql } from '#platform/quiet-libsql.ts'
import { makeCopyFolder } from '#store/backends/copy-folder.ts'
import { openServerCopy } from '#store/backends/server-copy.ts'
import { existingDatabasePath } from '../with-deps.ts'

export type BackupSource = Readonly<{
  /** The address of the database, for people. */
  shown: string
  /** Returns the file to copy. Writes since the start of this call may be missing from it. */
  path: () => string
  /** Deletes the files that it has created. */
  close: () => void
}>

/**
 * Opens the source of backups. This call blocks, and so does `path`.
 * @param folder holds the copy of a server's database meanwhile; it is created if it is missing
 * @throws {AppError} not_found: the database file does not exist; unavailable: the server does not answer
 */
export const openBackupSource = (config: Config, folder: string): BackupSource => {
  const url = databaseUrlOf(config)
  if (url.startsWith('file:')) {
    const path = existingDatabasePath(config)
    return { shown: path, path: () => path, close: () => undefined }
  }
  quietLibsql()
  makeFolder(folder, 0o700)
  const own = makeCopyFolder(folder)
  const copy = openServerCopy({ path: join(own.path, 'copy.db'), ...databaseAddressOf(config) })
  return {
    shown: shownAddress(url),
    path: copy.update,
    close: () => {
      copy.close()
      own.remove()
    },
  }
}
