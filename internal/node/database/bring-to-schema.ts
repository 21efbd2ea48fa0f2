/** Migrates the database. A file is copied first: a schema only moves forward, so the copy is the only way back. */
import { rmSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { type Config, databaseUrlOf } from '#config/config.ts'
import { createLogger } from '#log/logtape.ts'
import type { Database } from '#store/database.ts'
import type { Backup } from '#store/maintenance/backup.ts'
import {
  findSchemaVersion,
  findUnfinishedMs,
  type Migrated,
  migrate,
  type SchemaChange,
} from '#store/migrate.ts'
import { MIGRATIONS } from '#store/migrations.gen.ts'
import { toDatabasePath } from '#store/open-database.ts'
import { copyBeforeMigration } from '../backups/copy-before-migration.ts'

/** Milliseconds. Another process that migrates runs its next migration sooner. */
const PAUSE_MS = 2_000
const POLL_MS = 100

/** Waits while another process migrates the database: a copy would have a schema of no release. */
const untilOthersMigrated = async (db: Database): Promise<void> => {
  for (;;) {
    const age = await findUnfinishedMs(db)
    // a clock that was set back makes it negative
    if (age === null || age < 0 || age >= PAUSE_MS) return
    await setTimeout(POLL_MS)
  }
}

/** A migration that goes on after a fault needs no further copy, which would have a schema of no release. */
const copied = new WeakMap<Database, Backup>()

/** Databases that were empty at first. Where a full disk stopped their first migrations, there is nothing to go back to. */
const begunEmpty = new WeakSet<Database>()

export type Brought = Migrated & Readonly<{ backup: Backup | null }>

export type BringOptions = Readonly<{
  /** False if the caller has made a copy. @default true */
  hasBackup?: boolean
  /** Called before the copy and the first migration of a database with an older schema. */
  onBegin?: (change: SchemaChange) => void
}>

/**
 * Runs the pending migrations. This process stays responsive while the copy is written.
 * @throws {SchemaError} as `migrate` does
 * @throws {AppError} unavailable: the copy could not be written, and no migration ran
 */
export const bringToSchema = async (
  config: Config,
  db: Database,
  { hasBackup = true, onBegin = () => undefined }: BringOptions = {},
): Promise<Brought> => {
  const path = toDatabasePath(databaseUrlOf(config))
  let backup = copied.get(db) ?? null
  if ((await findSchemaVersion(db)) === 0) begunEmpty.add(db)
  const needsCopy = hasBackup && backup === null && !begunEmpty.has(db)
  if (path !== null && needsCopy) await untilOthersMigrated(db)
  const migrated = await migrate(db, MIGRATIONS, async ({ from, to }) => {
    onBegin({ from, to })
    if (path === null || !needsCopy) return
    const log = createLogger('store')
    const made = await copyBeforeMigration(log, path, Date.now())
    const { file, bytes, schemaVersion } = made
    // another process migrated meanwhile, and has its own copy
    if (schemaVersion !== from) return rmSync(file)
    backup = made
    copied.set(db, backup)
    log.info('Copied the database before its migration.', {
      backup: file,
      bytes,
      from,
      to,
    })
  })
  return { ...migrated, backup }
}
