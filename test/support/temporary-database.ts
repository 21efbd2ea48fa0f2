/** A migrated database in its own file, which is deleted at the end of the test. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { writeBootstrapped, writeMigrated } from './database-template.ts'
import { makeMemoryFolder } from './memory-folder.ts'

export type TemporaryDatabase = Readonly<{
  db: Database
  /** A `file:` address, which other processes and connections may open too. */
  url: string
  path: string
  directory: string
  /** Closes the database and deletes the directory. */
  close: () => Promise<void>
}>

/** @param admin address of a super admin, created together with the first workspace; @default neither exists */
export const openTemporaryDatabase = async (admin?: string): Promise<TemporaryDatabase> => {
  const directory = makeMemoryFolder('svc-db-')
  const path = join(directory, 'svc.db')
  const url = `file:${path}`
  await (admin === undefined ? writeMigrated(path) : writeBootstrapped(path, admin))
  const db = await openDatabase({ url })
  return {
    db,
    url,
    path,
    directory,
    close: async () => {
      await db.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
