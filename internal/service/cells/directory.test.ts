import { afterEach, beforeEach, expect, test } from 'vitest'
import { PLACE_FRESH_MS } from '#core/cells.ts'
import { sql } from '#store/sql.ts'
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts'
import { createCellDirectory } from './directory.ts'

let opened: Awaited<ReturnType<typeof openTemporaryDatabase>>
let now = 0
beforeEach(async () => {
  opened = await openTemporaryDatabase('admin@localhost')
  now = 10_000
})
afterEach(() => opened.close())

const place = (ws: string, cell: string, movingTo: string | null = null) =>
  opened.db.write([
    sql`INSERT INTO workspace_cells (ws, cell, moving_to, changed_at) VALUES (${ws}, ${cell}, ${movingTo}, 0)
      ON CONFLICT DO UPDATE SET cell = excluded.cell, moving_to = excluded.moving_to`,
  ])
const open = () => createCellDirectory(opened.db, () => now)

test('a workspace without a row is at home', async () => {
  expect(await open().cellOf('any')).toBe('home')
})

test('a text that is not the id of a workspace is at home, without a look-up', async () => {
  const refuse = () => Promise.reject(new Error('The directory was read.'))
  const directory = createCellDirectory({ ...opened.db, one: refuse, all: refuse }, () => now)
  for (const text of ['', 'Acme', `a${'x'.repeat(63)}`]) {
    expect(await directory.cellOf(text)).toBe('home')
  }
})

test('a place is known for two seconds, and is not used longer', async () => {
  const directory = open()
  await place('acme', 'eu')
  expect(await directory.cellOf('acme')).toBe('eu')
  await place('acme', 'us')
  now += PLACE_FRESH_MS - 1
  expect(await directory.cellOf('acme')).toBe('eu')
  now += 1
  expect(await directory.cellOf('acme')).toBe('us')
})

test('a hint makes it forget', async () => {
  const directory = open()
  expect(await directory.cellOf('acme')).toBe('home')
  await place('acme', 'eu')
  directory.forget('acme')
  expect(await directory.cellOf('acme')).toBe('eu')
})

test('a workspace that moves is refused, and served soon after it has arrived', async () => {
  const directory = open()
  await place('acme', 'eu', 'us')
  await expect(directory.cellOf('acme')).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'workspace_moving',
    retryAfterS: 2,
  })
  await place('acme', 'us')
  now += 250
  expect(await directory.cellOf('acme')).toBe('us')
})

test('a place that is too old is not used while the home does not answer', async () => {
  const directory = open()
  await directory.cellOf('acme')
  await opened.db.close()
  expect(await directory.cellOf('acme')).toBe('home')
  now += PLACE_FRESH_MS
  await expect(directory.cellOf('acme')).rejects.toThrow()
})

test('requests that come together share one read', async () => {
  let reads = 0
  const { db } = opened
  const counting = {
    ...db,
    one: (...given: Parameters<typeof db.one>) => {
      reads += 1
      return db.one(...given)
    },
  }
  const directory = createCellDirectory(counting, () => now)
  await Promise.all(Array.from({ length: 20 }, () => directory.cellOf('acme')))
  expect(reads).toBe(1)
})
