/** Tests the commands that open the database themselves. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Database from 'libsql'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseTokenText } from '#core/access/token-text.ts'
import { hashPassword } from '#crypto/password.ts'
import { SCHEMA_VERSION } from '#store/migrate.ts'
import { openDatabase } from '#store/open-database.ts'
import { findRole, findUser, insertUser } from '#store/people/users.ts'
import { sql } from '#store/sql.ts'
import { type CommandServer, openCommandServer } from '../../test/support/command-server.ts'
import { makeMemoryFolder } from '../../test/support/memory-folder.ts'

const main = resolve(import.meta.dirname, 'main.ts')
let folder = ''
let dataDir = ''
/** A data directory with the workspace sales. Most tests begin with a copy, because each first command migrates for half a second. */
let template = ''
let commands: CommandServer

beforeAll(() => {
  commands = openCommandServer('cheap')
  template = makeMemoryFolder('svc-local-template-')
  const args = ['workspace', 'create', 'sales', '--data-dir', template]
  expect(commands.run({ args, cwd: template, env: {} })).toMatchObject({
    stdout: 'Created workspace sales.\n',
    status: 0,
  })
})
afterAll(() => {
  commands.close()
  rmSync(template, { recursive: true, force: true })
})
beforeEach(() => {
  folder = makeMemoryFolder('svc-local-')
  dataDir = join(folder, 'data')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const svcIn = (data: string, ...args: readonly string[]) =>
  commands.run({ args: [...args, '--data-dir', data], cwd: folder, env: {} })
const svc = (...args: readonly string[]) => svcIn(dataDir, ...args)
const startWithSales = (): void => cpSync(template, dataDir, { recursive: true })

const openData = () => openDatabase({ url: `file:${join(dataDir, 'svc.db')}` })

test('workspace move refuses an unknown workspace as such', () => {
  startWithSales()
  expect(svc('workspace', 'move', 'salse', 'home').stderr).toBe(
    'Workspace "salse" not found. `svc workspace list` lists the workspaces.\n',
  )
  expect(svc('workspace', 'move', 'sales', 'home').stderr).toContain('is in home already')
})

test('create-token prints the raw token alone, for an address in any case', () => {
  startWithSales()
  const user = svc('user', 'create', 'Ada@Example.com', '--workspace', 'sales', '--role', 'admin')
  expect(user.stdout).toMatch(/^\S{20}\n$/)
  const scopes = ['--scope', 'jobs:run', '--scope', 'jobs:read']
  const { stdout, stderr, status } = svc('create-token', ...scopes, 'sales', 'ADA@example.com')
  expect(parseTokenText(stdout.trimEnd())?.kind).toBe('api_token')
  expect([stderr, status]).toEqual(['', 0])
})

test.each([
  { args: ['nowhere', 'ada@example.com'], sentence: 'Workspace "nowhere" not found.', status: 1 },
  {
    args: ['sales', 'bob@example.com'],
    sentence: 'create the user: svc user create bob@example.com',
    status: 1,
  },
  {
    args: ['sales', 'ada@example.com'],
    sentence: 'An admin of the workspace invites users, in the console under Members.',
    status: 1,
  },
  { args: ['sales', 'ada@example.com', '--scope', 'x'], sentence: 'Unknown scope: x', status: 2 },
  {
    args: ['sales', 'ada@example.com', '--scope', 'jobs:runn'],
    sentence: 'Did you mean jobs:read or jobs:run?',
    status: 2,
  },
])('create-token for $args answers: $sentence', ({ args, sentence, status }) => {
  startWithSales()
  svc('user', 'create', 'ada@example.com')
  const made = svc('create-token', ...args)
  expect(made.stderr).toContain(sentence)
  expect([made.stdout, made.status]).toEqual(['', status])
})

test('create-token in a folder without a database fails and makes none', () => {
  const { stderr, status } = svc('create-token', 'default', 'ada@example.com')
  expect(stderr).toContain(`There is no database at ${join(dataDir, 'svc.db')}.`)
  expect(status).toBe(1)
  expect(existsSync(dataDir)).toBe(false)
})

test('user create makes one user, once, and none for a workspace that is not there', async () => {
  startWithSales()
  const lost = svc('user', 'create', 'ada@example.com', '--workspace', 'nowhere')
  expect(lost.stderr).toContain('Workspace "nowhere" not found.')
  expect(lost.status).toBe(1)
  expect(svc('user', 'create', 'ada@example.com', '--super-admin').status).toBe(0)
  const twice = svc('user', 'create', 'ADA@example.com')
  expect([twice.stderr, twice.status]).toEqual(['User "ada@example.com" exists already.\n', 1])
  const db = await openData()
  expect((await findUser(db, 'ada@example.com'))?.isSuperAdmin).toBe(true)
  await db.close()
})

test('create-token --admin is refused for a plain member, and made for an admin', () => {
  startWithSales()
  svc('user', 'create', 'ada@example.com', '--workspace', 'sales')
  const refused = svc('create-token', 'sales', 'ada@example.com', '--admin')
  expect(refused.stderr).toContain('ada@example.com is a plain member of "sales"')
  expect([refused.stdout, refused.status]).toEqual(['', 1])
  const stranger = svc('create-token', 'sales', 'bob@example.com', '--admin')
  expect(stranger.stderr).toContain('User "bob@example.com" not found')
  svc('user', 'create', 'root@example.com', '--workspace', 'sales', '--role', 'admin')
  expect(svc('create-token', 'sales', 'root@example.com', '--admin').stdout).toMatch(/^svc_/)
})

test('user remove frees an address, but never that of the last super admin', async () => {
  startWithSales()
  svc('user', 'create', 'root@example.com', '--super-admin')
  svc('user', 'create', 'ada@example.com', '--workspace', 'sales')
  expect(svc('user', 'remove', 'ADA@example.com').status).toBe(0)
  expect(svc('user', 'remove', 'ada@example.com').stderr).toContain('not found')
  expect(svc('user', 'create', 'ada@example.com').status).toBe(0)
  const last = svc('user', 'remove', 'root@example.com')
  expect(last.stderr).toContain('the last super admin')
  expect(last.status).toBe(1)
  const db = await openData()
  expect(await findRole(db, 'sales', 'ada@example.com')).toBeNull()
  await db.close()
})

test('a backup is put back with everything in it, and what was there is kept', async () => {
  startWithSales()
  svc('user', 'create', 'ada@example.com', '--workspace', 'sales')
  const copy = join(folder, 'copy.db')
  expect(svc('db', 'backup', copy).stdout).toContain(`Wrote ${copy}`)
  expect(svc('db', 'backup', copy).stderr).toContain('is there already')
  svc('user', 'create', 'late@example.com')
  const { stdout, stderr, status } = svc('db', 'restore', copy)
  expect(stdout).toContain('The previous database is kept as')
  expect([stderr, status]).toEqual(['', 0])
  const db = await openData()
  expect(await findRole(db, 'sales', 'ada@example.com')).toBe('member')
  expect(await findUser(db, 'late@example.com')).toBeNull()
  await db.close()
})

test('a backup makes the folder that it is to lie in, and names it', () => {
  startWithSales()
  const file = join(folder, 'backups', 'today', 'svc.db')
  const made = svc('db', 'backup', file)
  expect(made).toMatchObject({ stderr: '', status: 0 })
  expect(made.stdout).toContain(`Made the folder ${join(folder, 'backups', 'today')}, which was`)
  expect(existsSync(file)).toBe(true)
})

test('a folder in the place of the database is wrong usage', () => {
  const { stderr, status } = svc('db', 'migrate', '--database-url', `file:${folder}`)
  expect(stderr).toBe(`${folder} is a folder. Name a file in it: file:${join(folder, 'svc.db')}\n`)
  expect(status).toBe(2)
})

test('a move to a cell that is not in the settings names those that are', () => {
  startWithSales()
  const { stderr, status } = svc('workspace', 'move', 'sales', 'mars')
  expect(stderr).toBe(
    'There is no cell "mars". SVC_CELLS names none; home is the first database.\n',
  )
  expect(status).toBe(2)
})

test('a restore into a folder with another key warns that its secrets cannot be read', () => {
  startWithSales()
  const copy = join(folder, 'copy.db')
  svc('db', 'backup', copy)
  const other = svcIn(join(folder, 'other'), 'db', 'restore', copy)
  expect(other.stderr).toContain('put the right secret.key into the data directory')
  expect(other.status).toBe(0)
  expect(existsSync(join(folder, 'other', 'secret.key'))).toBe(false)
  // a new key is never created for a database that already has one
  const { stderr, status } = svcIn(join(folder, 'other'), 'workspace', 'create', 'more')
  expect(stderr).toContain('The instance key is not the one')
  expect(status).toBe(1)
  expect(existsSync(join(folder, 'other', 'secret.key'))).toBe(false)
})

test('a file that is not a copy is refused, and a database in use is left unchanged', async () => {
  startWithSales()
  const copy = join(folder, 'copy.db')
  svc('db', 'backup', copy)
  expect(svc('db', 'restore', main)).toMatchObject({ status: 1 })
  expect(svc('db', 'restore', join(folder, 'none'))).toMatchObject({ status: 1 })
  const db = await openData()
  await db.write([
    insertUser({
      email: 'in-use@example.com',
      passwordHash: await hashPassword('unknown'),
      isSuperAdmin: false,
    }),
  ])
  const { stderr, status } = svc('db', 'restore', copy)
  expect(stderr).toContain('is in use. Stop svc first.')
  expect(status).toBe(1)
  expect(await findUser(db, 'in-use@example.com')).not.toBeNull()
  await db.close()
})

test('db migrate brings an empty folder to the schema of this svc, once', () => {
  mkdirSync(dataDir)
  expect(svc('db', 'migrate').stdout).toBe(`Brought from schema 0 to ${SCHEMA_VERSION}.\n`)
  expect(svc('db', 'migrate').stdout).toBe(`Schema ${SCHEMA_VERSION} already.\n`)
})

test('db check finds a whole database whole, in use or not, and a damaged one damaged', async () => {
  startWithSales()
  const file = join(dataDir, 'svc.db')
  const whole = `${file} is intact: schema ${SCHEMA_VERSION}.\nInvariants I1 to I7, I12 to I14, I17 hold`
  expect(svc('db', 'check')).toMatchObject({ stdout: expect.stringContaining(whole), status: 0 })
  const db = await openData()
  expect(svc('db', 'check')).toMatchObject({ stdout: expect.stringContaining(whole), status: 0 })
  await db.write([sql`INSERT INTO queue_counts VALUES ('sales', 'default', 'shop', 1, 3)`])
  const broken = svc('db', 'check')
  expect(broken.stdout).toContain('✗ I4 the counts of the queue are those of its rows, but:')
  expect(broken.stdout).toContain('workspace sales, tag default, app shop has 0 rows and counts 3')
  expect([broken.stderr, broken.status]).toEqual(['', 1])
  expect(JSON.parse(svc('db', 'check', '--json').stdout)).toMatchObject({ ok: false })
  await db.close()
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0xff, 20_000, 60_000))
  expect(svc('db', 'check')).toMatchObject({ stdout: '', status: 1 })
  expect(readFileSync(file)).toEqual(bytes)
})

test.each([
  ['a reference to a row that is gone', 'PRAGMA foreign_keys = OFF; DELETE FROM users'],
  [
    'an index that lacks rows',
    `PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, '(at)', '(ws)') WHERE name = 'audit_log_by_time'`,
  ],
])('db check finds %s', (_, damage) => {
  startWithSales()
  svc('user', 'create', 'ada@example.com', '--workspace', 'sales')
  svc('create-token', 'sales', 'ada@example.com')
  expect(svc('db', 'check').status).toBe(0)
  const database = new Database(join(dataDir, 'svc.db'))
  database.exec(damage)
  database.close()
  expect(svc('db', 'check')).toMatchObject({ stdout: '', status: 1 })
})

test('commands that need a file name the way to one for a database over the network', () => {
  const server = ['--database-url', 'http://127.0.0.1:1']
  const check = svc('db', 'check', ...server)
  expect(check).toMatchObject({ status: 2, stdout: '' })
  expect(check.stderr).toContain('svc db backup copy.db')
  const restore = svc('db', 'restore', 'x', ...server)
  expect(restore.status).toBe(2)
  expect(restore.stderr).toContain('env -u SVC_DATABASE_URL')
  expect(restore.stderr).toContain('svc db move')
  const backup = svc('db', 'backup', 'x', ...server)
  expect(backup.status).toBe(1)
  expect(backup.stderr).toContain('The database could not be copied')
})

test('credits are added, taken back and shown, never beyond what is there', () => {
  startWithSales()
  expect(svc('credits', 'add', 'sales', '50000', '--note', 'invoice 17').stdout).toBe(
    'Added 50,000 won to sales. The balance is 50,000 won.\n',
  )
  expect(svc('credits', 'add', 'sales', '-20000').stdout).toContain('The balance is 30,000 won.')
  const beyond = svc('credits', 'add', 'sales', '-30001')
  expect(beyond.stderr).toContain('The balance is 30000 won, which is less than the amount.')
  expect([beyond.stdout, beyond.status]).toEqual(['', 1])
  const shown = svc('credits', 'show', 'sales').stdout
  expect(shown).toContain('Balance of sales: 30,000 won\n')
  expect(shown).toMatch(/credit {2}50,000 {3}invoice 17/)
  expect(JSON.parse(svc('credits', 'show', 'sales', '--json').stdout)).toMatchObject({
    balance_won: 30_000,
    suspended: false,
    entries: [
      { kind: 'credit', amount_won: -20_000 },
      { amount_won: 50_000, note: 'invoice 17' },
    ],
  })
})

test.each([
  { args: ['credits', 'add', 'sales', 'many'], sentence: 'whole number of won', status: 2 },
  { args: ['credits', 'add', 'sales', '0'], sentence: 'whole number of won', status: 2 },
  { args: ['credits', 'add', 'nowhere', '5'], sentence: '"nowhere" not found', status: 1 },
  { args: ['credits', 'show', 'nowhere'], sentence: '"nowhere" not found', status: 1 },
  { args: ['workspace', 'suspend', 'nowhere'], sentence: '"nowhere" not found', status: 1 },
])('$args answers: $sentence', ({ args, sentence, status }) => {
  startWithSales()
  const made = svc(...args)
  expect(made.stderr).toContain(sentence)
  expect([made.stdout, made.status]).toEqual(['', status])
})

test('a workspace is suspended and resumed', () => {
  startWithSales()
  expect(svc('workspace', 'suspend', 'sales').stdout).toBe('Suspended workspace sales.\n')
  expect(svc('credits', 'show', 'sales').stdout).toContain('0 won, suspended\n')
  expect(svc('workspace', 'resume', 'sales').stdout).toBe('Resumed workspace sales.\n')
  expect(svc('credits', 'show', 'sales').stdout).toContain('0 won\n')
})
