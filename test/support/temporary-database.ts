/** A migrated database in a temporary file, which is deleted after the test. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { writeBootstrapped, writeMigrated } from './database-template.ts'

export type TemporaryDatabase = Readonly<{
  db: Database
  /** A `file:` address; other processes or connections may open it too. */
  url: string
  path: string
  directory: string
  /** Closes the database and deletes the directory. */
  close: () => Promise<void>
}>

/** @param admin address of a super admin, created with the first workspace; @default neither exists */
export const openTemporaryDatabase = async (admin?: string): Promise<TemporaryDatabase> => {
  const directory = await mkdtemp(join(tmpdir(), 'svc-db-'))
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
