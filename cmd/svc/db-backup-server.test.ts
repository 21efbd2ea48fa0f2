/** Tests `svc db backup` of a database server to a folder, and the restore into an empty server. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { type CommandServer, openCommandServer } from '../../test/support/command-server.ts'
import { makeMemoryFolder } from '../../test/support/memory-folder.ts'
import { type Sqld, startSqld } from '../../test/support/sqld.ts'
import { startSvc } from '../../test/support/svc-process.ts'

let folder = ''
let sqld: Sqld
let commands: CommandServer
beforeAll(() => {
  commands = openCommandServer()
})
afterAll(() => commands.close())
beforeEach(async () => {
  folder = makeMemoryFolder('svc-backups-')
  sqld = await startSqld()
})
afterEach(async () => {
  await sqld.close()
  rmSync(folder, { recursive: true, force: true })
})

const svc = (...args: readonly string[]) => commands.run({ args, cwd: folder, env: {} })
const copiesIn = (place: string): readonly string[] =>
  readdirSync(place).filter((name) => name.startsWith('.svc-copy'))
const onServer = (...args: readonly string[]) =>
  svc(...args, '--database-url', sqld.httpUrl, '--data-dir', join(folder, 'key'))

test('a copy of a server is whole, for its owner alone, and moves to another server', async () => {
  onServer('workspace', 'create', 'sales')
  const copy = join(folder, 'copy.db')
  const url = `${sqld.httpUrl.replace('http', 'libsql')}?tls=0`
  const made = svc('db', 'backup', copy, '--database-url', url, '--data-dir', join(folder, 'key'))
  expect(made).toMatchObject({ status: 0 })
  expect(made.stdout).toMatch(/Wrote .*copy\.db: \d+ bytes, schema \d+\./)
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  expect(copiesIn(folder)).toEqual([])
  const restored = join(folder, 'restored')
  expect(svc('db', 'restore', copy, '--data-dir', restored).status).toBe(0)
  expect(svc('db', 'check', '--data-dir', restored).status).toBe(0)

  const other = await startSqld()
  try {
    const moved = svc('db', 'move', other.httpUrl, '--data-dir', restored)
    expect(moved.stdout).toMatch(/Moved \d+ rows/)
    const db = await openDatabase({ url: other.httpUrl })
    expect(await db.all(sql`SELECT id FROM workspaces WHERE id = 'sales'`)).toHaveLength(1)
    await db.close()
  } finally {
    await other.close()
  }
})

test('backups at an interval bring what was written since, while the server is used', async () => {
  onServer('workspace', 'create', 'sales')
  const backups = join(folder, 'backups')
  const process = startSvc(
    ['db', 'backup', '--every', '1s', '--keep', '2', backups, '--database-url', sqld.httpUrl],
    { cwd: folder },
  )
  await process.untilSaid(/"Made a backup\."/)
  onServer('workspace', 'create', 'later')
  const names = () => readdirSync(backups).filter((name) => name.endsWith('.db'))
  const before = new Set(names())
  await expect.poll(() => names().filter((name) => !before.has(name)).length).toBeGreaterThan(1)
  expect(await process.stop()).toBe(0)
  expect(names().length).toBeLessThanOrEqual(3)
  expect(copiesIn(backups)).toEqual([])
  const restored = join(folder, 'restored')
  svc('db', 'restore', backups, '--data-dir', restored)
  const db = await openDatabase({ url: `file:${join(restored, 'svc.db')}` })
  expect(await db.all(sql`SELECT id FROM workspaces WHERE id = 'later'`)).toHaveLength(1)
  await db.close()
})

test('the next backup deletes the copy of a killed one, and never that of a running one', async () => {
  onServer('workspace', 'create', 'sales')
  const backups = join(folder, 'backups')
  const args = ['db', 'backup', '--every', '1h', backups, '--database-url', sqld.httpUrl]
  const killed = startSvc(args, { cwd: folder })
  await killed.untilSaid(/"Made a backup\."/)
  killed.child.kill('SIGKILL')
  await killed.ended
  const [left] = copiesIn(backups)
  expect(left).toBeDefined()

  const running = startSvc(args, { cwd: folder })
  await running.untilSaid(/"Keeping backups\."/)
  const [used, ...others] = copiesIn(backups)
  expect([used === left, others]).toEqual([false, []])
  expect(onServer('db', 'backup', join(backups, 'once.db'))).toMatchObject({ status: 0 })
  expect(copiesIn(backups)).toEqual([used])
  expect(await running.stop()).toBe(0)
  expect(copiesIn(backups)).toEqual([])
})

test('a server that does not answer, or wants a token, is named, and nothing is left behind', async () => {
  const copy = join(folder, 'copy.db')
  await sqld.kill()
  const failed = onServer('db', 'backup', copy)
  expect(failed.status).not.toBe(0)
  expect(failed.stderr).toContain('The database could not be copied')
  expect(existsSync(copy)).toBe(false)
  expect(copiesIn(folder)).toEqual([])
})
