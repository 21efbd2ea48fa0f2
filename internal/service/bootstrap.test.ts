import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { v7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OPENING_CREDIT_WON } from '#core/billing/balance.ts'
import { createAesKeyring, KEY_BYTES } from '#crypto/aes-keyring.ts'
import { verifyPassword } from '#crypto/password.ts'
import { findAccount } from '#store/billing/credit.ts'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { findRole, findUser, insertUser } from '#store/people/users.ts'
import { raw, sql } from '#store/sql.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { writeMigrated } from '../../test/support/database-template.ts'
import { makeMemoryFolder } from '../../test/support/memory-folder.ts'
import {
  bootstrap,
  checkInstanceKey,
  findFirstWorkspace,
  WrongInstanceKeyError,
} from './bootstrap.ts'
import { createUser, createWorkspace } from './workspaces/create-workspace.ts'

const keyring = createAesKeyring(randomBytes(KEY_BYTES))
const node = (db: Database, keys = keyring) => ({
  db,
  home: db,
  furtherCells: () => [],
  keyring: keys,
  randomBytes,
  newId: () => v7(),
})

let folder = ''
let db: Database
const open = () => openDatabase({ url: `file:${join(folder, 'svc.db')}` })
beforeEach(async () => {
  folder = makeMemoryFolder('svc-bootstrap-')
  await writeMigrated(join(folder, 'svc.db'))
  db = await open()
})
afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

const count = async (table: string): Promise<unknown> =>
  (await db.one(sql`SELECT count(*) AS n FROM ${raw(table)}`))?.n

const balanceOf = async (ws: string): Promise<number | undefined> =>
  (await findAccount(db, ws))?.balanceWon

describe('the first start', () => {
  it('creates a workspace and a super admin who is its admin, with a password that is shown once', async () => {
    const made = await bootstrap(node(db), {})
    expect(made?.email).toBe('admin@localhost')
    expect(made?.generatedPassword?.length).toBeGreaterThanOrEqual(20)
    const user = await findUser(db, 'admin@localhost')
    expect(user).toMatchObject({ isSuperAdmin: true, disabledAt: null })
    expect(await verifyPassword(made?.generatedPassword ?? '', user?.passwordHash ?? null)).toBe(
      true,
    )
    expect(await findRole(db, 'default', 'admin@localhost')).toBe('admin')
    const workspace = await findWorkspace(db, 'default')
    const wrapped = workspace?.wrappedKey ?? ''
    const text = keyring.encrypt(wrapped, 'default', 'c', 'opens')
    expect(keyring.decrypt(wrapped, 'default', 'c', text)).toBe('opens')
  })

  it('uses the e-mail and password that the operator chose, and shows neither', async () => {
    const made = await bootstrap(node(db), { email: 'ada@example.com', password: 'chosen by ada' })
    expect(made).toEqual({ email: 'ada@example.com', generatedPassword: null })
    const stored = (await findUser(db, 'ada@example.com'))?.passwordHash ?? null
    expect(await verifyPassword('chosen by ada', stored)).toBe(true)
  })

  it('creates one of each when two nodes start at once', async () => {
    const other = await open()
    const made = await Promise.all([
      bootstrap(node(db), { email: 'one@example.com' }),
      bootstrap(node(other), { email: 'two@example.com' }),
      bootstrap(node(db), { email: 'one@example.com' }),
    ])
    expect(made.filter((admin) => admin !== null)).toHaveLength(1)
    expect([await count('users'), await count('members'), await count('workspaces')]).toEqual([
      1, 1, 1,
    ])
    await other.close()
  })
})

describe('the first start after a workspace or user was created by hand', () => {
  it('names the workspace in which people begin, unless there are several', async () => {
    expect(await findFirstWorkspace({ db })).toBeNull()
    await checkInstanceKey(node(db))
    const make = (id: string) => createWorkspace(node(db), { id, name: id })
    await make('acme')
    expect(await findFirstWorkspace({ db })).toBe('acme')
    await make('other')
    expect(await findFirstWorkspace({ db })).toBeNull()
    await make('default')
    expect(await findFirstWorkspace({ db })).toBe('default')
  })

  it('creates the workspace for an existing super admin, who becomes its admin', async () => {
    await createUser(node(db), { email: 'Ada@Example.com', password: null, isSuperAdmin: true })
    expect(await bootstrap(node(db), {})).toBeNull()
    expect(await findRole(db, 'default', 'ada@example.com')).toBe('admin')
    expect(await findRole(db, 'default', 'ADA@example.com')).toBe('admin')
    expect(await count('users')).toBe(1)
  })

  it('creates the administrator although plain users exist', async () => {
    await createUser(node(db), { email: 'ada@example.com', password: null, isSuperAdmin: false })
    expect((await bootstrap(node(db), {}))?.generatedPassword).not.toBeNull()
    expect(await findRole(db, 'default', 'admin@localhost')).toBe('admin')
    expect(await findRole(db, 'default', 'ada@example.com')).toBeNull()
  })

  it('promotes the user that the settings name, who keeps the password', async () => {
    const password = 'known to ada'
    await createUser(node(db), { email: 'ada@example.com', password, isSuperAdmin: false })
    const made = await bootstrap(node(db), { email: 'ADA@example.com' })
    expect(made).toEqual({ email: 'ada@example.com', generatedPassword: null })
    const user = await findUser(db, 'ada@example.com')
    expect(user?.isSuperAdmin).toBe(true)
    expect(await verifyPassword(password, user?.passwordHash ?? null)).toBe(true)
  })

  it('gives a password to the user that the settings name, if an import made the account without one', async () => {
    await db.write([
      insertUser({ email: 'admin@localhost', passwordHash: null, isSuperAdmin: false }),
    ])
    const made = await bootstrap(node(db), {})
    const user = await findUser(db, 'admin@localhost')
    expect(user?.isSuperAdmin).toBe(true)
    expect(await verifyPassword(made?.generatedPassword ?? '', user?.passwordHash ?? null)).toBe(
      true,
    )
  })

  it('creates the workspace `default` with its credit next to one that was made before it', async () => {
    await checkInstanceKey(node(db))
    await createWorkspace(node(db), { id: 'mine', name: 'Mine' })
    expect((await bootstrap(node(db), {}))?.email).toBe('admin@localhost')
    expect(await findRole(db, 'default', 'admin@localhost')).toBe('admin')
    expect(await balanceOf('default')).toBe(OPENING_CREDIT_WON)
    expect(await balanceOf('mine')).toBe(0)
    expect(await bootstrap(node(db), {})).toBeNull()
  })

  it('keeps a workspace `default` that was made before it, without credit', async () => {
    await checkInstanceKey(node(db))
    await createWorkspace(node(db), { id: 'default', name: 'Ours' })
    await bootstrap(node(db), {})
    expect(await findWorkspace(db, 'default')).toMatchObject({ name: 'Ours' })
    expect(await balanceOf('default')).toBe(0)
    expect(await findRole(db, 'default', 'admin@localhost')).toBe('admin')
  })

  it('creates nothing if there are a workspace and a super admin that were made before it', async () => {
    await checkInstanceKey(node(db))
    await createWorkspace(node(db), { id: 'mine', name: 'Mine' })
    await createUser(node(db), { email: 'ada@example.com', password: null, isSuperAdmin: true })
    expect(await bootstrap(node(db), {})).toBeNull()
    expect(await findWorkspace(db, 'default')).toBeNull()
  })
})

describe('a later start', () => {
  it('changes nothing, whatever the settings are by then', async () => {
    await bootstrap(node(db), {})
    expect(
      await bootstrap(node(db), { email: 'new@example.com', password: 'other words' }),
    ).toBeNull()
    expect(await findUser(db, 'new@example.com')).toBeNull()
  })

  it('is refused under another instance key', async () => {
    await bootstrap(node(db), {})
    const stranger = createAesKeyring(randomBytes(KEY_BYTES))
    await expect(bootstrap(node(db, stranger), {})).rejects.toThrow(WrongInstanceKeyError)
    expect(await bootstrap(node(db), {})).toBeNull()
  })
})
