/** Chooses the backend by the address: `file:` opens a local file, `http(s):`, `ws(s):` and `libsql:` reach a server. */
import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { invalid } from '#core/error.ts'
import { makeFolder } from '#disk/make-folder.ts'
import { type FileDatabaseOptions, openFileDatabase } from './backends/file-database.ts'
import type { RemoteDatabaseOptions } from './backends/remote-database.ts'
import { reuseRows } from './backends/row-reuse.ts'
import type { Database } from './database.ts'

export type DatabaseOptions = RemoteDatabaseOptions & Omit<FileDatabaseOptions, 'path'>

const REMOTE = /^(https?|wss?|libsql):\/\//

/**
 * Returns the absolute path of a `file:` address, or null for a server.
 * @throws {AppError} invalid: the address has an unknown form
 */
export const toDatabasePath = (url: string): string | null => {
  if (REMOTE.test(url)) return null
  const path = url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length)
  if (!url.startsWith('file:') || path === '' || path.startsWith(':memory:')) {
    throw invalid(
      `"${url}" is not a database address. Use file:<path>, http://, https://, ws://, wss:// or libsql://.`,
      { code: 'database_url' },
    )
  }
  return resolve(path)
}

/** @throws {AppError} invalid: the address of a database names a folder */
export const refuseFolder = (path: string): void => {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return
  throw invalid(`${path} is a folder. Name a file in it: file:${join(path, 'svc.db')}`, {
    code: 'database_url',
  })
}

/**
 * Opens a database.
 * @throws {DatabaseError} the file cannot be opened; a server is first reached by the first statement
 * @throws {AppError} invalid: the address has an unknown form or names a folder
 */
export const openDatabase = async (options: DatabaseOptions): Promise<Database> => {
  const path = toDatabasePath(options.url)
  if (path === null) {
    // a node with a file never loads the client of sqld
    const { openRemoteDatabase } = await import('./backends/remote-database.ts')
    return reuseRows(openRemoteDatabase(options))
  }
  makeFolder(dirname(path), 0o700)
  refuseFolder(path)
  return reuseRows(await openFileDatabase({ ...options, path }))
}
