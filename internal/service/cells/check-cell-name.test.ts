import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { writeMigrated } from '../../../test/support/database-template.ts'
import { makeMemoryFolder } from '../../../test/support/memory-folder.ts'
import { checkCellName, checkHomeName, WrongCellError } from './check-cell-name.ts'

let folder = ''
let db: Database
beforeEach(async () => {
  folder = makeMemoryFolder('svc-cell-name-')
  await writeMigrated(join(folder, 'svc.db'))
  db = await openDatabase({ url: `file:${join(folder, 'svc.db')}` })
})
afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the first of several nodes names a cell', async () => {
  const names = ['eu', 'us']
  const ends = await Promise.allSettled(names.map((name) => checkCellName(db, name)))
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const [refused] = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  expect(refused).toBeInstanceOf(WrongCellError)
})

test('a cell is not accepted as first database, with or without further cells', async () => {
  await checkCellName(db, 'eu')
  await checkCellName(db, 'eu')
  await expect(checkHomeName(db, true)).rejects.toThrow('Correct SVC_DATABASE_URL')
  await expect(checkHomeName(db, false)).rejects.toThrow('Correct SVC_DATABASE_URL')
})

test('a first database is not accepted as further cell', async () => {
  await checkHomeName(db, true)
  await checkHomeName(db, false)
  await expect(checkCellName(db, 'eu')).rejects.toThrow('Correct SVC_CELLS')
})

test('a first database without cells stores no name', async () => {
  await checkHomeName(db, false)
  expect(await db.all(sql`SELECT * FROM meta`)).toEqual([])
})
