/**
 * Databases that tests start with. Migrations and the hash of a password cost half a second of computing. The first
 * database of each kind in a process is therefore kept as bytes, and the others are copies of it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PASSWORD_COST } from '#crypto/password-cost.ts'
import { bootstrap } from '#service/bootstrap.ts'
import type { Database } from '#store/database.ts'
import { migrate } from '#store/migrate.ts'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { checkBatches } from './check-batches.ts'
import { makeMemoryFolder } from './memory-folder.ts'
import { createTestDeps } from './test-deps.ts'

export const PASSWORD = 'only for tests'

const templates = new Map<string, Promise<Uint8Array>>()

const makeTemplate = async (fill: (db: Database) => Promise<unknown>): Promise<Uint8Array> => {
  const folder = makeMemoryFolder('svc-template-')
  const path = join(folder, 'svc.db')
  try {
    const db = await openDatabase({ url: `file:${path}` })
    await migrate(db)
    const batches = checkBatches(db, path)
    await fill(batches.db)
    // the check also has the file open, so closing the database does not move the log into it
    await db.all(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
    batches.finish()
    await db.close()
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const copyTemplate = async (
  name: string,
  path: string,
  fill: (db: Database) => Promise<unknown>,
): Promise<void> => {
  const template = templates.get(name) ?? makeTemplate(fill)
  templates.set(name, template)
  writeFileSync(path, await template, { mode: 0o600 })
}

/** Writes a migrated database without any rows. */
export const writeMigrated = (path: string): Promise<void> =>
  copyTemplate('', path, async () => undefined)

/** Writes a migrated database into the data directory, where a node expects it. */
export const writeNodeDatabase = async (dataDir: string): Promise<void> => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  await writeMigrated(join(dataDir, 'svc.db'))
}

/** Writes a migrated database with the first workspace and a super admin, whose password is PASSWORD. */
export const writeBootstrapped = (path: string, email: string): Promise<void> =>
  // a hash is read at the cost with which it was made
  copyTemplate(`${email} ${PASSWORD_COST.N}`, path, (db) =>
    bootstrap(createTestDeps(db), { email, password: PASSWORD }),
  )
