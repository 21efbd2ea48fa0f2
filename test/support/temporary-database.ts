/** A migrated database in a file of its own, gone when the test is over. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { writeBootstrapped, writeMigrated } from './database-template.ts'

export type TemporaryDatabase = Readonly<{
  db: Database
  /** `file:` address: a second process or connection may open it too. */
  url: string
  path: string
  directory: string
  /** Closes the database and deletes the directory. */
  close: () => Promise<void>
}>

/** @param admin address of a super admin, who comes with the first workspace; @default neither is there */
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
