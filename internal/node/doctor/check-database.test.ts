import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { DatabaseError } from '#store/database.ts'
import { MOVE_MARK } from '#store/meta.ts'
import { sql } from '#store/sql.ts'
import { insertPlace } from '#store/workspaces/cells.ts'
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts'
import { checkDatabase, findUnnamedCells, openExisting } from './check-database.ts'
import { DISK_REMEDY } from './check-disk.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'))
afterAll(() => rmSync(folder, { recursive: true }))
const { config } = loadConfig({ env: { SVC_DATA_DIR: folder }, flags: {} })

test('a missing file is fine unless its log is there, with which svc does not start', async () => {
  const check = () => checkDatabase(config, () => openExisting(config))
  expect(await check()).toMatchObject({ ok: true, found: expect.stringContaining('first start') })
  writeFileSync(join(folder, 'svc.db-wal'), 'changes')
  expect(await check()).toMatchObject({
    ok: false,
    found: expect.stringContaining('svc.db-wal with its last changes is there'),
    remedy: expect.stringContaining('put it back'),
  })
  expect(readdirSync(folder)).toEqual(['svc.db-wal'])
})

test('the remedy for a full disk is room, not another file', async () => {
  const full = new DatabaseError('database or disk is full', { kind: 'full', outcome: 'none' })
  expect(await checkDatabase(config, () => Promise.reject(full))).toMatchObject({
    ok: false,
    remedy: DISK_REMEDY,
  })
})

test.each([
  [
    'a migration differs',
    sql`UPDATE schema_migrations SET checksum = 'x' WHERE version = 2`,
    'restore a backup',
  ],
  [
    'a move has not ended',
    sql`INSERT INTO meta (key, value) VALUES (${MOVE_MARK}, 'x')`,
    'Run the move again',
  ],
])('a database on which no node starts is broken: %s', async (_, change, remedy) => {
  const { db, close } = await openTemporaryDatabase()
  await db.write([change])
  expect(await checkDatabase(config, async () => db)).toMatchObject({
    ok: false,
    remedy: expect.stringContaining(remedy),
  })
  await close()
})

test('a cell with workspaces that SVC_CELLS does not name is a fault', async () => {
  const { db, close } = await openTemporaryDatabase()
  expect(await findUnnamedCells(config, db)).toBeNull()
  await db.write([insertPlace('acme', 'eu')])
  expect(await findUnnamedCells(config, db)).toMatchObject({
    ok: false,
    found: 'SVC_CELLS does not name eu, which has workspaces; they cannot be reached',
  })
  const named = loadConfig({
    env: { SVC_DATA_DIR: folder, SVC_CELLS: 'eu=file:/eu.db' },
    flags: {},
  })
  expect(await findUnnamedCells(named.config, db)).toBeNull()
  await close()
})
