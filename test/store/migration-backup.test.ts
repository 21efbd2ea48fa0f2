/** What remains of a database file when its schema changes, and when it could not be copied before. */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { copyBeforeMigration } from '#node/backups/copy-before-migration.ts'
import { bringToSchema } from '#node/database/bring-to-schema.ts'
import { prepareDatabase } from '#node/database/prepare-database.ts'
import { notReady } from '#node/listener/not-ready.ts'
import { type Database, DatabaseError } from '#store/database.ts'
import { watchDatabase } from '#store/database-condition.ts'
import { backupBeforeMigration } from '#store/maintenance/migration-backup.ts'
import { findSchemaVersion, migrate, SCHEMA_VERSION } from '#store/migrate.ts'
import { MIGRATIONS } from '#store/migrations.gen.ts'
import { openDatabase } from '#store/open-database.ts'
import { raw, sql } from '#store/sql.ts'
import { openFaultyDisk } from '../support/faulty-disk.ts'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { CHILD_ENV, PROGRAM } from '../support/svc-process.ts'

const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}
const BEFORE = SCHEMA_VERSION - 1

let folder = ''
let dataDir = ''

beforeEach(() => {
  folder = makeMemoryFolder('svc-schema-')
  dataDir = join(folder, 'data')
  mkdirSync(dataDir)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (name = 'svc.db') => openDatabase({ url: `file:${join(dataDir, name)}` })

/** The bytes of databases of earlier versions of svc, by the number of their migrations, which take half a second. */
const earlier = new Map<number, Uint8Array>()

/** Makes a database of an earlier version of svc. @param newer how many versions came after it */
const makeOld = async (newer = 1): Promise<Database> => {
  const path = join(dataDir, 'svc.db')
  const known = earlier.get(newer)
  if (known === undefined) {
    const db = await open()
    await migrate(db, MIGRATIONS.slice(0, -newer))
    // the last connection moves the log into the file
    await db.close()
    earlier.set(newer, readFileSync(path))
  } else writeFileSync(path, known, { mode: 0o600 })
  return open()
}

const copies = (): readonly string[] =>
  readdirSync(dataDir).filter((name) => name.includes('before-migration'))

const svc = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const [command = '', ...program] = PROGRAM
  const given = [...program, ...args, '--data-dir', dataDir]
  return spawnSync(command, given, { encoding: 'utf8', env: { ...CHILD_ENV, ...env } })
}

test('a command leaves no copy of the schema between two migrations of a node', async () => {
  const node = await makeOld()
  const ofCommand = await open()
  const { config } = loadConfig({ env: { SVC_DATA_DIR: dataDir }, flags: {} })
  const brought = bringToSchema(config, ofCommand)
  await migrate(node)
  expect(await brought).toMatchObject({ from: SCHEMA_VERSION, ran: 0, backup: null })
  expect(copies()).toEqual([])
  await ofCommand.close()
  await node.close()
})

test('a copy that began before the migration of another process and holds its schema is removed', async () => {
  const old = await makeOld()
  const { config } = loadConfig({ env: { SVC_DATA_DIR: dataDir }, flags: {} })
  const onBegin = () => {
    expect(svc(['db', 'migrate', '--no-backup']).status).toBe(0)
  }
  expect(await bringToSchema(config, old, { onBegin })).toMatchObject({ backup: null })
  expect(copies()).toEqual([])
  await old.close()
})

test('a migration leaves a copy of the schema before it, which the log names', async () => {
  const old = await makeOld()
  await old.close()
  const { stdout, stderr, status } = svc(['db', 'migrate'])
  expect([stdout, status]).toEqual([
    expect.stringContaining(`Brought from schema ${BEFORE} to ${SCHEMA_VERSION}.`),
    0,
  ])
  const [name = ''] = copies()
  // on a busy machine, lines of progress come before
  expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
    message: 'Copied the database before its migration.',
    properties: { backup: join(dataDir, name), from: BEFORE, to: SCHEMA_VERSION },
  })
  const copy = await open(name)
  expect(await findSchemaVersion(copy)).toBe(BEFORE)
  await copy.close()
  expect(svc(['db', 'migrate']).stdout).toBe(`Schema ${SCHEMA_VERSION} already.\n`)
  expect(copies()).toHaveLength(1)
})

test('a node answers while it copies, and logs how far it is', async () => {
  const old = await makeOld()
  await old.write([raw('CREATE TABLE ballast (bytes BLOB)')])
  // in one commit, and without random bytes, because only the number of pages matters
  await old.write([
    raw(`WITH RECURSIVE rows (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows WHERE n < 100)
      INSERT INTO ballast (bytes) SELECT zeroblob(2000000) FROM rows`),
  ])
  await old.close()
  const log = { ...SILENT, info: (_: string, facts: unknown) => void reports.push(facts) }
  const reports: unknown[] = []
  let longestMs = 0
  let last = performance.now()
  const pulse = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - last)
    last = performance.now()
  }, 10)
  const at = Date.now()
  const { file, schemaVersion } = await copyBeforeMigration(log, join(dataDir, 'svc.db'), at, 20)
  clearInterval(pulse)
  expect(schemaVersion).toBe(BEFORE)
  expect(copies()).toEqual([basename(file)])
  const took = Date.now() - at
  // a copy on the thread of the node would be one pause of that length
  expect(longestMs).toBeLessThan(took / 2)
  expect(reports).toContainEqual(
    expect.objectContaining({ bytes: expect.any(Number), copied: expect.any(Number) }),
  )
})

test('a node that goes on with a migration after a fault keeps the copy of the schema before it', async () => {
  const old = await makeOld(2)
  await old.write([sql`UPDATE schema_migrations SET applied_at = 1`])
  let writes = 0
  const db: Database = {
    ...old,
    write: (batch, options) => {
      writes += 1
      if (writes !== 2) return old.write(batch, options)
      throw new DatabaseError('database or disk is full', { kind: 'full', outcome: 'none' })
    },
  }
  const { config } = loadConfig({ env: { SVC_DATA_DIR: dataDir }, flags: {} })
  await expect(bringToSchema(config, db)).rejects.toMatchObject({ kind: 'full' })
  expect(await findSchemaVersion(db)).toBe(BEFORE)
  expect(await bringToSchema(config, db)).toMatchObject({ from: BEFORE, to: SCHEMA_VERSION })
  await old.close()
  expect(copies()).toHaveLength(1)
  const copy = await open(copies()[0])
  expect(await findSchemaVersion(copy)).toBe(BEFORE - 1)
  await copy.close()
})

test('a node that migrates answers its callers with that reason', async () => {
  const { db, condition } = watchDatabase(await makeOld())
  await db.write([sql`UPDATE schema_migrations SET applied_at = 1`])
  const { config } = loadConfig({ env: { SVC_DATA_DIR: dataDir }, flags: {} })
  const said: string[] = []
  const answer = notReady('server', () => said.at(-1))
  const onWait = (reason: string): void => void said.push(reason)
  await prepareDatabase(config, db, { role: 'server', condition, onWait })
  await db.close()
  const body = await (await answer(new Request('http://svc/api/config'), {})).json()
  expect(body).toMatchObject({
    error: `The node is starting. It brings its database from schema ${BEFORE} to ${SCHEMA_VERSION}. Try again shortly.`,
  })
})

test('the newest three copies stay, and a new database has none', async () => {
  expect(svc(['db', 'migrate']).status).toBe(0)
  expect(copies()).toEqual([])
  const days = ['01', '02', '03', '04'].map((day) => Date.parse(`2026-01-${day}T00:00:00Z`))
  const made = days.map((at) => basename(backupBeforeMigration(join(dataDir, 'svc.db'), at).file))
  expect(copies()).toEqual(made.slice(1))

  // the leftover of a node that was killed while it copied
  const partial = join(dataDir, `${made[0]}.partial`)
  writeFileSync(partial, '')
  utimesSync(partial, 1, 1)
  backupBeforeMigration(join(dataDir, 'svc.db'), Date.now())
  expect(existsSync(partial)).toBe(false)
})

test('starts that never finish an upgrade keep the copy from before it', async () => {
  const db = await makeOld(3)
  const versions: number[] = []
  for (const day of ['01', '02', '03', '04', '05', '06']) {
    const at = Date.parse(`2026-01-${day}T00:00:00Z`)
    versions.push(backupBeforeMigration(join(dataDir, 'svc.db'), at).schemaVersion)
    // the first start runs one migration, and the next one fails at every start
    if (day === '01') await migrate(db, MIGRATIONS.slice(0, -2))
  }
  await db.close()
  expect(new Set(versions)).toEqual(new Set([BEFORE - 2, BEFORE - 1]))
  const kept = copies().toSorted()
  expect(kept.map((name) => name.slice(-24, -14))).toEqual([
    '2026-01-01',
    '2026-01-05',
    '2026-01-06',
  ])
})

// in the second case not even the lock of the copy's folder has room
test.each(['before-migration', '.svc-copy-'])(
  'without a copy, because the disk is full, nothing is migrated: %s',
  async (part) => {
    const disk = openFaultyDisk(dataDir)
    const db = await makeOld()
    try {
      disk.fail('full')
      // there is room for the migration: only the missing copy makes svc refuse it
      const env = { ...disk.env, DISK_ONLY: part }
      const { stderr, stdout, status } = svc(['db', 'migrate'], env)
      expect(stderr).toMatch(/The disk of \S+svc\.db is full\..*svc db migrate --no-backup\n$/)
      expect([stdout, status]).toEqual(['', 1])
      expect(readdirSync(dataDir).sort()).toEqual(['svc.db', 'svc.db-shm', 'svc.db-wal'])
      expect(await findSchemaVersion(db)).toBe(BEFORE)
      expect(svc(['db', 'migrate', '--no-backup'], env).status).toBe(0)
      expect(copies()).toEqual([])
      expect(await findSchemaVersion(db)).toBe(SCHEMA_VERSION)
    } finally {
      await db.close()
      disk.remove()
    }
  },
)

test('the first start goes on after a full disk, without a copy of what it had made so far', async () => {
  const db = await open()
  const { config } = loadConfig({ env: { SVC_DATA_DIR: dataDir }, flags: {} })
  let room = 5
  const write: Database['write'] = (batch, options) => {
    room -= 1
    if (room === 0)
      return Promise.reject(new DatabaseError('disk is full', { kind: 'full', outcome: 'none' }))
    return db.write(batch, options)
  }
  const full: Database = { ...db, write }
  await expect(bringToSchema(config, full)).rejects.toThrow('disk is full')
  expect(await findSchemaVersion(db)).toBe(4)
  expect(await bringToSchema(config, full)).toEqual({
    ...{ from: 4, to: SCHEMA_VERSION, ran: SCHEMA_VERSION - 4, backup: null },
  })
  expect(copies()).toEqual([])
  await db.close()
})

test('a check of a database with another schema names the command that helps', async () => {
  const old = await makeOld()
  expect(svc(['db', 'check']).stdout).toContain('run `svc db migrate` first')
  await migrate(old)
  await old.write([
    sql`INSERT INTO schema_migrations (version, name, checksum, applied_at)
      VALUES (${SCHEMA_VERSION + 1}, 'newer', 'x', 0)`,
  ])
  expect(svc(['db', 'check']).stdout).toContain('use the newer svc that migrated it')
  await old.close()
})
