/** Tests `svc db backup --every` next to a live database, and the restore of one of its backups. */
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { backupName } from '#core/backup/backup-name.ts'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { raw, sql } from '#store/sql.ts'
import { type CommandServer, openCommandServer } from '../../test/support/command-server.ts'
import { openFaultyDisk } from '../../test/support/faulty-disk.ts'
import { makeMemoryFolder } from '../../test/support/memory-folder.ts'
import { startSvc } from '../../test/support/svc-process.ts'

let folder = ''
let dataDir = ''
let backups = ''
let commands: CommandServer

beforeAll(() => {
  commands = openCommandServer()
})
afterAll(() => commands.close())
beforeEach(() => {
  folder = makeMemoryFolder('svc-backups-')
  dataDir = join(folder, 'data')
  backups = join(folder, 'backups')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const svc = (...args: readonly string[]) =>
  commands.run({ args: [...args, '--data-dir', dataDir], cwd: folder, env: {} })
const open = () => openDatabase({ url: `file:${join(dataDir, 'svc.db')}` })
const start = () =>
  startSvc(['db', 'backup', '--every', '1s', '--keep', '3', backups, '--data-dir', dataDir], {
    cwd: folder,
  })
/** The names of the backups, oldest first, because they sort by time. */
const names = (): readonly string[] => readdirSync(backups).sort()
const timeOf = (name: string): string =>
  name.replace(/^svc-(.{13})-(\d\d)-(\d\d)-(\d{3}Z)\.db$/, '$1:$2:$3.$4')
const mark = (db: Database, value: string) =>
  db.write([sql`INSERT INTO meta (key, value) VALUES (${`mark-${value}`}, ${value})`])
const marksOf = async (): Promise<readonly unknown[]> => {
  const db = await open()
  const rows = await db.all(sql`SELECT value FROM meta WHERE key LIKE 'mark-%' ORDER BY value`)
  await db.close()
  return rows.map((row) => row.value)
}

test('backups of a live database are made at each interval, over a kill, and restored to a time', async () => {
  svc('workspace', 'create', 'sales')
  const live = await open()
  await mark(live, 'one')
  const first = start()
  await first.untilSaid(/"Made a backup\."/)
  const [oldest = ''] = names()
  await mark(live, 'two')
  await first.untilSaid(/"Made a backup\.".*\n.*"Made a backup\."/)
  first.child.kill('SIGKILL')
  await first.ended
  await mark(live, 'three')

  const [, second = ''] = names()
  const again = start()
  await again.untilSaid(/"Made a backup\.".*\n.*"Made a backup\.".*"removed":\["/)
  // the first backup of the new process comes one interval after the last one of the old process
  const third = names().at(-2) ?? ''
  expect(Date.parse(timeOf(third)) - Date.parse(timeOf(second))).toBeGreaterThanOrEqual(1_000)
  expect(await again.stop()).toBe(0)
  expect(names()).toHaveLength(3)
  expect(names()).not.toContain(oldest)
  await live.close()

  const { stdout, stderr } = svc(
    'db',
    'restore',
    backups,
    '--at',
    timeOf(third).replace('Z', '+00:00'),
  )
  expect(stderr).toBe('')
  expect(stdout).toContain(`from ${join(backups, third)}`)
  expect(await marksOf()).toEqual(['one', 'three', 'two'])
  expect(svc('db', 'restore', backups, '--at', timeOf(second)).status).toBe(0)
  expect(await marksOf()).toEqual(['one', 'two'])
  const before = svc('db', 'restore', backups, '--at', timeOf(oldest))
  expect([before.stderr, before.status]).toEqual([
    expect.stringMatching(/has no backup of .* or before\. The newest there is svc-.*\.db\./),
    1,
  ])
})

test('a failed backup is logged and removes none, and what a dead process left goes after a while', async () => {
  svc('workspace', 'create', 'sales')
  const file = join(dataDir, 'svc.db')
  const partials = [1, 2].map(
    (hour) => `${backupName({ prefix: 'svc-', suffix: '.db' }, hour)}.partial`,
  )
  const running = start()
  await running.untilSaid(/"Made a backup\."/)
  for (const name of partials) writeFileSync(join(backups, name), '')
  utimesSync(join(backups, partials[0] ?? ''), 1, 1)
  rmSync(file)
  await running.untilSaid(/"No backup was made\. Trying again in 1 s\.".*svc\.db.*not found/)
  expect(await running.stop()).toBe(0)
  expect(names().filter((name) => name.endsWith('.db'))).not.toEqual([])
  expect(names().filter((name) => name.endsWith('.partial'))).toEqual([partials[1]])
})

/** Kills a backup of one file while it copies. */
const killBackup = async (): Promise<void> => {
  svc('workspace', 'create', 'sales')
  const live = await open()
  await live.write([raw('CREATE TABLE ballast (bytes BLOB)')])
  for (let at = 0; at < 50; at += 1) {
    await live.write([raw('INSERT INTO ballast (bytes) VALUES (randomblob(2000000))')])
  }
  await live.close()
  mkdirSync(backups)
  const killed = startSvc(['db', 'backup', join(backups, 'monday.db'), '--data-dir', dataDir], {
    cwd: folder,
  })
  const isCopying = () =>
    readdirSync(backups, { recursive: true }).some((name) => String(name).endsWith('/monday.db'))
  await expect.poll(isCopying, { interval: 1, timeout: 60_000 }).toBe(true)
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(names()).toHaveLength(1)
  expect(names()).not.toEqual(['monday.db'])
}
const tuesday = () => join(backups, 'tuesday.db')

test('what a killed backup of one file left goes with the next backup there, at once', async () => {
  await killBackup()
  expect(svc('db', 'backup', tuesday())).toMatchObject({ stderr: '', status: 0 })
  expect(names()).toEqual(['tuesday.db'])
})

test('it goes too if it is what fills the disk, and a backup without room leaves nothing', async () => {
  await killBackup()
  const disk = openFaultyDisk(backups)
  try {
    disk.fail('full')
    const refused = startSvc(['db', 'backup', tuesday(), '--data-dir', dataDir], {
      cwd: folder,
      env: disk.env,
    })
    expect(await refused.ended).toBe(1)
    expect(refused.said()).toMatch(/could not be written to \S+: its disk is full; make room/)
    expect(names()).toEqual([])
  } finally {
    disk.remove()
  }
})

test.each([
  { args: ['--every', 'hourly', 'x'], sentence: '--every must be a time from 1s to 744h' },
  { args: ['--every', '10ms', 'x'], sentence: '--every must be a time from 1s to 744h' },
  { args: ['--every', '1h', '--keep', '0', 'x'], sentence: '--keep must be a whole number' },
  { args: ['--keep', '3', 'x'], sentence: '--keep needs --every' },
])('db backup $args answers: $sentence', ({ args, sentence }) => {
  const { stdout, stderr, status } = svc('db', 'backup', ...args)
  expect(stderr).toContain(sentence)
  expect([stdout, status]).toEqual(['', 2])
  expect(existsSync(join(folder, 'x'))).toBe(false)
})

test.each([
  { args: ['--at', 'yesterday', '.'], sentence: '--at must be a time such as', status: 2 },
  { args: ['--at', '2026-01-31T15:00:00Z', 'svc.db'], sentence: '--at needs a folder', status: 2 },
  {
    args: ['.'],
    sentence: 'has no backup. Those of `svc db backup --every` are named svc-<time>.db',
    status: 1,
  },
  {
    args: ['/etc/passwd'],
    sentence: '/etc/passwd cannot be used: it is not a database',
    status: 1,
  },
])('db restore $args answers: $sentence', ({ args, sentence, status }) => {
  const answer = svc('db', 'restore', ...args)
  expect(answer.stderr).toContain(sentence)
  expect([answer.stdout, answer.status]).toEqual(['', status])
})
