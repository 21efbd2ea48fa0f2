/** The generated password of the first administrator survives what can interrupt the first start [access 10.5]. */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { createAesKeyring, KEY_BYTES } from '#crypto/aes-keyring.ts'
import { verifyPassword } from '#crypto/password.ts'
import { createFirstAdmin } from '#node/first-admin.ts'
import { type Database, DatabaseError } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { countSuperAdmins, findUser } from '#store/people/users.ts'
import { writeMigrated } from '../support/database-template.ts'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { startSvc } from '../support/svc-process.ts'

let folder = ''
let dataDir = ''
let db: Database
const keyring = createAesKeyring(randomBytes(KEY_BYTES))
const openDb = () => openDatabase({ url: `file:${join(folder, 'svc.db')}` })
const start = (database: Database, into = dataDir, settings = {}) =>
  createFirstAdmin(
    { dataDir: into, ...settings },
    { db: database, keyring, randomBytes, passFault: () => undefined },
  )

beforeEach(async () => {
  folder = makeMemoryFolder('svc-first-admin-')
  dataDir = join(folder, 'data')
  await writeMigrated(join(folder, 'svc.db'))
  db = await openDb()
})
afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

const kept = (into = dataDir): readonly string[] =>
  readFileSync(join(into, 'initial-admin.txt'), 'utf8').trimEnd().split('\n')

/** Expects that the only file of the folder opens the account. */
const expectKept = async (into = dataDir): Promise<void> => {
  expect(readdirSync(into)).toEqual(['initial-admin.txt'])
  expect(statSync(join(into, 'initial-admin.txt')).mode & 0o777).toBe(0o600)
  const [email = '', password = ''] = kept(into)
  const stored = (await findUser(db, email))?.passwordHash ?? null
  expect(await verifyPassword(password, stored)).toBe(true)
}

/** A database whose answer is lost to each write but the first, which stores the check value of the instance key. */
const losingAnswers = (isWritten: boolean): Database => {
  let writes = 0
  return {
    ...db,
    write: async (...args) => {
      writes += 1
      if (writes === 1) return db.write(...args)
      if (isWritten) await db.write(...args)
      throw new DatabaseError('The connection broke.', { kind: 'unavailable', outcome: 'unknown' })
    },
  }
}

describe('the first administrator', () => {
  it('can sign in with the password of initial-admin.txt', async () => {
    const made = await start(db)
    expect(kept()).toEqual(['admin@localhost', made?.generatedPassword])
    await expectKept()
    expect(await start(db)).toBeNull()
    await expectKept()
  })

  it('keeps the password when the answer to the write is lost', async () => {
    await expect(start(losingAnswers(true))).rejects.toThrow('The connection broke.')
    expect(existsSync(join(dataDir, 'initial-admin.txt'))).toBe(false)
    expect((await start(db))?.generatedPassword).toBe(kept()[1])
    await expectKept()
  })

  it('gets another password when the write was lost, and the draft goes', async () => {
    await expect(start(losingAnswers(false))).rejects.toThrow('The connection broke.')
    await start(db)
    await start(db)
    await expectKept()
  })

  it('is not created when the password cannot be written', async () => {
    await expect(start(db, '/proc/self/fd')).rejects.toThrow('ENOENT')
    expect(await countSuperAdmins(db)).toBe(0)
  })

  it('leaves no file if the operator chose the password', async () => {
    expect(await start(db, dataDir, { adminPassword: 'chosen by ada' })).not.toBeNull()
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('has one file when nodes with one folder, or one each, start at once', async () => {
    const other = join(folder, 'other')
    await Promise.all([start(db), start(db), start(db, other)])
    const places = [dataDir, other].filter((place) => readdirSync(place).length > 0)
    expect(places).toHaveLength(1)
    await expectKept(places[0])
  })
})

test.each(['first_admin_before_commit', 'first_admin_committed'])(
  'kill -9 at %s loses no password',
  async (fault) => {
    const cwd = folder
    const doomed = startSvc(['server'], { cwd, env: { SVC_FAULT: fault } })
    expect(await doomed.ended).toBeNull()
    const node = startSvc(['server'], { cwd })
    try {
      const [, url = ''] = await node.untilSaid(/"url":"(http:[^"]+)"/)
      const [email, password] = kept(join(folder, 'svc-data'))
      const answer = await fetch(`${url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      })
      expect(answer.status).toBe(200)
    } finally {
      await node.stop()
    }
  },
)
