/**
 * What backups are made of: the file of a local database, or a copy of a server's database that is brought up to date before each
 * backup. The copy is an embedded replica: the first is whole, later ones bring what has changed since.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, databaseUrlOf } from '#config/config.ts'
import { shownAddress } from '#config/describe-config.ts'
import { makeFolder } from '#disk/make-folder.ts'
import { quietLibsql } from '#platform/quiet-libsql.ts'
import { openServerCopy } from '#store/server-copy.ts'
import { existingDatabasePath } from './with-deps.ts'

export type BackupSource = Readonly<{
  /** The address of the database, for people. */
  shown: string
  /** The file to copy. It may lie behind by what was written since the last call. */
  path: () => string
  /** Deletes what it has made. */
  close: () => void
}>

/**
 * Opens the source of backups. This blocks, as `path` does.
 * @param folder where a copy of a server's database lies meanwhile; it is made if it is missing
 * @throws {AppError} not_found: there is no such file; unavailable: the server does not answer
 */
export const openBackupSource = (config: Config, folder: string): BackupSource => {
  const url = databaseUrlOf(config)
  if (url.startsWith('file:')) {
    const path = existingDatabasePath(config)
    return { shown: path, path: () => path, close: () => undefined }
  }
  quietLibsql()
  makeFolder(folder, 0o700)
  const own = mkdtempSync(join(folder, '.svc-copy-'))
  const { databaseAuthToken: authToken } = config
  const copy = openServerCopy({
    path: join(own, 'copy.db'),
    url,
    ...(authToken === undefined ? {} : { authToken }),
  })
  return {
    shown: shownAddress(url),
    path: copy.update,
    close: () => {
      copy.close()
      rmSync(own, { recursive: true, force: true })
    },
  }
}
