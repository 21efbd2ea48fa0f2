/** `file:` opens a local file, anything else a server. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from './database.ts'
import { openFileDatabase } from './file-database.ts'
import { openRemoteDatabase, type RemoteOptions } from './remote-database.ts'

const toPath = (url: string): string =>
  url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length)

/** @throws {DatabaseError} the file cannot be opened; a server is first reached by the first statement */
export const openDatabase = async (options: RemoteOptions): Promise<Database> => {
  if (!options.url.startsWith('file:')) return openRemoteDatabase(options)
  const path = toPath(options.url)
  mkdirSync(dirname(path), { recursive: true })
  return openFileDatabase(path)
}
