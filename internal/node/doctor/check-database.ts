/** Checks the database, and what depends on it: its schema, its clock, the key that it was created with. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Config, databaseUrlOf } from '#config/config.ts'
import { createAesKeyring } from '#crypto/aes-keyring.ts'
import { loadInstanceKey } from '#crypto/instance-key.ts'
import { refuseLoneLog } from '#store/backends/file-database.ts'
import { checkpointsInCommits, IN_COMMITS_SENTENCE } from '#store/checkpoints.ts'
import { type Database, DatabaseError } from '#store/database.ts'
import { findDurability, RELAXED_REMEDY, RELAXED_SENTENCE } from '#store/durability.ts'
import { findDamage } from '#store/maintenance/find-damage.ts'
import { findMeta } from '#store/meta.ts'
import {
  findRefusal,
  findSchema,
  findSchemaVersion,
  SCHEMA_VERSION,
  type Schema,
  type SchemaError,
  serves,
} from '#store/migrate.ts'
import { toDatabasePath } from '#store/open-database.ts'
import { openConfigured } from '../compose.ts'
import { listUnnamedCells } from '../warn-of-names.ts'
import { broken, type CheckResult, fine, reasonOf } from './check.ts'
import { DISK_REMEDY } from './check-disk.ts'

const isFile = (config: Config): boolean => databaseUrlOf(config).startsWith('file:')

/**
 * Opens the database without creating a missing file, because a check must change nothing.
 * @throws {DatabaseError} it cannot be opened, or the file is missing but its log is there
 */
export const openExisting = async (config: Config): Promise<Database | null> => {
  const path = toDatabasePath(databaseUrlOf(config))
  if (path === null || existsSync(path)) return await openConfigured(config)
  refuseLoneLog(path)
  return null
}

const FILE_REMEDY = 'Give this user the file, put it back, or restore it from a backup.'
const SERVER_REMEDY = 'Start the database, and check SVC_DATABASE_URL and SVC_DATABASE_AUTH_TOKEN.'

const remedyFor = (config: Config, error: unknown): string => {
  if (!isFile(config)) return SERVER_REMEDY
  return error instanceof DatabaseError && error.kind === 'full' ? DISK_REMEDY : FILE_REMEDY
}

/** Opens the database and checks the version of its schema. A failure becomes a result with its remedy. */
export const checkDatabase = async (
  config: Config,
  open: () => Promise<Database | null>,
): Promise<CheckResult> => {
  const url = databaseUrlOf(config)
  try {
    const db = await open()
    if (db === null) return fine(`${url}, which the first start will make`)
    const schema = await findSchema(db)
    const result = schemaResult(url, schema, await findRefusal(db, schema))
    return (await checkpointsInCommits(db)) ? { ...result, notes: [IN_COMMITS_SENTENCE] } : result
  } catch (error) {
    return broken(`${url} cannot be used: ${reasonOf(error)}`, remedyFor(config, error))
  }
}

const schemaResult = (url: string, schema: Schema, refusal: SchemaError | null): CheckResult => {
  const { version } = schema
  if (version > SCHEMA_VERSION && !serves(schema)) {
    return broken(
      `${url} has schema ${version}, this svc knows ${SCHEMA_VERSION}`,
      'Use the newer svc that made it.',
    )
  }
  if (refusal !== null) {
    return broken(`${url} has schema ${version}, but svc does not start on it`, refusal.message)
  }
  if (version > SCHEMA_VERSION) {
    return fine(
      `${url}, schema ${version} of a newer svc, which this one (${SCHEMA_VERSION}) can work on`,
    )
  }
  if (version === SCHEMA_VERSION) return fine(`${url}, schema ${version}`)
  return fine(`${url}, schema ${version}; the next start brings it to ${SCHEMA_VERSION}`)
}

/** Checks whether commits survive power loss. @param db null if there is no database yet */
export const checkDurability = async (db: Database | null): Promise<CheckResult> => {
  if (db === null) return fine('no database yet; a file flushes each commit')
  const durability = await findDurability(db)
  if (durability === 'durable') return fine('durable: each commit is on the disk before its answer')
  return broken(`relaxed: ${RELAXED_SENTENCE}`, RELAXED_REMEDY)
}

/** Checks the whole database for damage, which takes a while for a large one. */
export const checkDamage = async (config: Config, db: Database | null): Promise<CheckResult> => {
  if (db === null) return fine('no database to look into yet')
  const damage = await findDamage(db).catch((error: unknown) => {
    // the damage can be bad enough to fail the check itself
    if (error instanceof DatabaseError && error.kind === 'corrupt') return [error.message]
    throw error
  })
  if (damage.length === 0) return fine('quick_check found no damage')
  return broken(
    `the database is damaged: ${damage.join('; ')}`,
    isFile(config)
      ? 'Stop svc and restore a backup: svc db restore <file>'
      : 'Stop svc and restore a backup with the tools of the database server.',
  )
}

const MAX_SKEW_MS = 2_000

/** Compares the clocks: leases use the database's clock, and times in logs this machine's. */
export const checkClock = async (db: Database | null): Promise<CheckResult> => {
  if (db === null) return fine('no database to compare with yet')
  const before = Date.now()
  const theirs = await db.now()
  const skewMs = Math.round(theirs - (before + Date.now()) / 2)
  const found = `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'ahead of' : 'behind'} the database's clock`
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return fine(found)
  return broken(found, 'Set both machines by NTP, for example with `timedatectl set-ntp true`.')
}

/**
 * Finds cells that have workspaces but no address here.
 * @returns null if there are none
 */
export const findUnnamedCells = async (
  config: Config,
  db: Database | null,
): Promise<CheckResult | null> => {
  if (db === null || (await findSchemaVersion(db)) < SCHEMA_VERSION) return null
  const unnamed = await listUnnamedCells(config, db)
  if (unnamed.length === 0) return null
  return broken(
    `SVC_CELLS does not name ${unnamed.join(', ')}, which has workspaces; they cannot be reached`,
    'Set SVC_CELLS to the same value on all nodes and for all commands.',
  )
}

const OTHERS_MAY_READ = 0o077

/**
 * Checks that only the owner can read the instance key, and that it opens this database.
 * @param db null if there is none yet
 */
export const checkKey = async (config: Config, db: Database | null): Promise<CheckResult> => {
  const path = join(resolve(config.dataDir), 'secret.key')
  const source = config.secretKey === undefined ? path : 'SVC_SECRET_KEY'
  const known = db === null ? null : await findCheckValue(db)
  if (config.secretKey === undefined) {
    const fault = keyFileFault(path, known !== null)
    if (fault !== null) return fault
    if (!existsSync(path)) return fine(`${path}, which the first start will make`)
  }
  try {
    const keyring = createAesKeyring(loadInstanceKey(config.dataDir, config.secretKey))
    if (known === null || keyring.matches(known)) return fine(source)
  } catch (error) {
    return broken(reasonOf(error), `Put the right key into ${source}.`)
  }
  return broken(
    `${source} is not the key that this database was made with`,
    'Set SVC_SECRET_KEY to the key of the other nodes, or put their secret.key into the data directory.',
  )
}

const findCheckValue = async (db: Database): Promise<string | null> =>
  (await findSchemaVersion(db)) === 0 ? null : await findMeta(db, 'instance_key_check')

const keyFileFault = (path: string, isNeeded: boolean): CheckResult | null => {
  if (!existsSync(path)) {
    if (!isNeeded) return null
    return broken(
      `${path} is missing, and the database was made with a key`,
      'Set SVC_SECRET_KEY to the key of the other nodes, or put their secret.key there.',
    )
  }
  const mode = statSync(path).mode & 0o777
  if ((mode & OTHERS_MAY_READ) !== 0) {
    return broken(`${path} has mode ${mode.toString(8)}: others may read it`, `chmod 600 ${path}`)
  }
  try {
    readFileSync(path)
    return null
  } catch (error) {
    return broken(reasonOf(error), `Give this user the file: chown $(id -u) ${path}`)
  }
}
