/** Changing the instance key loses nothing, even when others write meanwhile or it is interrupted at any point. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { v7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { createAesKeyring, KEY_BYTES } from '#crypto/aes-keyring.ts'
import { loadInstanceKey } from '#crypto/instance-key.ts'
import { startDatabaseWatch } from '#node/database/database-watch.ts'
import { checkInstanceKey, WrongInstanceKeyError } from '#service/bootstrap.ts'
import { holdsInstanceKey, rotateInstanceKey } from '#service/secrets/rotate-key.ts'
import { variableContext } from '#service/secrets/secret-context.ts'
import { setVariable } from '#service/secrets/set-secret.ts'
import { openSecret, ownerOf, SECRET_CONTEXT } from '#service/two-factor/take-code.ts'
import { createUser, createWorkspace } from '#service/workspaces/create-workspace.ts'
import { type Database, DatabaseError } from '#store/database.ts'
import { watchDatabase } from '#store/database-condition.ts'
import { openDatabase } from '#store/open-database.ts'
import { findTwoFactor, offerTwoFactor } from '#store/people/two-factors.ts'
import { listVariables } from '#store/secrets.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { writeMigrated } from '../support/database-template.ts'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { startMigratedSqld } from '../support/migrated-sqld.ts'
import { giveAway } from '../support/other-owner.ts'
import { CHILD_ENV, PROGRAM } from '../support/svc-process.ts'

let dataDir = ''
let db: Database
beforeEach(async () => {
  dataDir = makeMemoryFolder('svc-keys-')
  const path = join(dataDir, 'svc.db')
  await writeMigrated(path)
  db = await openDatabase({ url: `file:${path}` })
})
afterEach(async () => {
  await db.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const newId = (): string => v7()
const depsWith = (key: Uint8Array, database = db) => ({
  db: database,
  home: database,
  furtherCells: () => [],
  newId,
  keyring: createAesKeyring(key),
  randomBytes: (length: number) => randomBytes(length),
})

/** Creates a workspace with a variable that holds its name. */
const addWorkspace = async (key: Uint8Array, ws: string): Promise<void> => {
  const deps = depsWith(key)
  await checkInstanceKey(deps)
  await createWorkspace(deps, { id: ws, name: ws })
  const value = `value of ${ws}`
  await setVariable(deps, { ws, key: 'NAME', value, isSecret: true, actor: CLI_ACTOR })
}
const readVariable = async (key: Uint8Array, ws: string): Promise<string> => {
  const workspace = await findWorkspace(db, ws)
  const [variable] = await listVariables(db, ws)
  if (workspace === null || variable === undefined) throw new Error('Nothing is there.')
  const { wrappedKey } = workspace
  return createAesKeyring(key).decrypt(wrappedKey, ws, variableContext('NAME'), variable.ciphertext)
}
const newKey = (): Uint8Array => randomBytes(KEY_BYTES)

describe('rotating the instance key', () => {
  it('wraps every data key again: the new key opens everything, the old one nothing', async () => {
    const [from, to] = [newKey(), newKey()]
    const names = Array.from({ length: 25 }, (_, index) => `w${index}`)
    for (const name of names) await addWorkspace(from, name)
    expect(await rotateInstanceKey({ db, newId }, { from, to })).toBe(names.length)
    for (const name of names) {
      expect(await readVariable(to, name)).toBe(`value of ${name}`)
      await expect(readVariable(from, name)).rejects.toMatchObject({
        code: 'instance_key_changed',
      })
    }
    await checkInstanceKey(depsWith(to))
    await expect(checkInstanceKey(depsWith(from))).rejects.toThrow(WrongInstanceKeyError)
  })

  it('wraps the keys of second factors again too, also of one that is offered meanwhile', async () => {
    const [from, to] = [newKey(), newKey()]
    await addWorkspace(from, 'first')
    const offer = async (email: string): Promise<void> => {
      const keyring = createAesKeyring(from)
      const wrappedKey = keyring.newWrappedKey(ownerOf(email))
      const secret = keyring.encrypt(wrappedKey, ownerOf(email), SECRET_CONTEXT, email)
      const keyCheck = keyring.checkValue()
      await db.write([offerTwoFactor({ email, wrappedKey, secret, keyCheck })])
    }
    await offer('ada@example.com')
    let isFirst = true
    const busy: Database = {
      ...db,
      write: async (...args) => {
        if (isFirst) await offer('bob@example.com')
        isFirst = false
        return db.write(...args)
      },
    }
    expect(await rotateInstanceKey({ db: busy, newId }, { from, to })).toBe(1)
    for (const email of ['ada@example.com', 'bob@example.com']) {
      const factor = await findTwoFactor(db, email)
      if (factor === null) throw new Error('The factor is gone.')
      expect(openSecret({ keyring: createAesKeyring(to) }, factor)).toBe(email)
      expect(() => openSecret({ keyring: createAesKeyring(from) }, factor)).toThrow()
    }
    // no new secret is offered under the old key
    await offer('eve@example.com')
    expect(await findTwoFactor(db, 'eve@example.com')).toBeNull()
  })

  it('does the same over the network', async () => {
    const sqld = await startMigratedSqld()
    const remote = await openDatabase({ url: sqld.httpUrl })
    try {
      const [from, to] = [newKey(), newKey()]
      await checkInstanceKey(depsWith(from, remote))
      await createWorkspace(depsWith(from, remote), { id: 'far', name: 'Far' })
      expect(await rotateInstanceKey({ db: remote, newId }, { from, to })).toBe(1)
      const workspace = await findWorkspace(remote, 'far')
      const open = (key: Uint8Array) =>
        createAesKeyring(key).encrypt(workspace?.wrappedKey ?? '', 'far', 'c', 'text')
      expect(() => open(to)).not.toThrow()
      expect(() => open(from)).toThrow()
    } finally {
      await remote.close()
      await sqld.close()
    }
  })

  it('is finished by the next start when the answer of the database was lost', async () => {
    const [from, to] = [newKey(), newKey()]
    await addWorkspace(from, 'first')
    const broken: Database = {
      ...db,
      write: async (...args) => {
        await db.write(...args)
        throw new DatabaseError('The connection broke.', {
          kind: 'unavailable',
          outcome: 'unknown',
        })
      },
    }
    const change = rotateInstanceKey({ db: broken, newId }, { from, to })
    await expect(change).rejects.toThrow(DatabaseError)
    expect(await holdsInstanceKey(depsWith(to))).toBe(true)
    expect(await readVariable(to, 'first')).toBe('value of first')
  })

  it('changes a database without workspaces too', async () => {
    const [from, to] = [newKey(), newKey()]
    await checkInstanceKey(depsWith(from))
    expect(await rotateInstanceKey({ db, newId }, { from, to })).toBe(0)
    expect(await holdsInstanceKey(depsWith(to))).toBe(true)
  })

  it('takes a workspace along that is made between its read and its write', async () => {
    const [from, to] = [newKey(), newKey()]
    await addWorkspace(from, 'first')
    let isFirst = true
    const busy: Database = {
      ...db,
      write: async (...args) => {
        if (isFirst) await addWorkspace(from, 'late')
        isFirst = false
        return db.write(...args)
      },
    }
    expect(await rotateInstanceKey({ db: busy, newId }, { from, to })).toBe(2)
    expect(await readVariable(to, 'late')).toBe('value of late')
  })

  it('lets one of two win; the other fails and changes nothing', async () => {
    const [from, one, two] = [newKey(), newKey(), newKey()]
    await addWorkspace(from, 'first')
    const ends = await Promise.allSettled(
      [one, two].map((to) => rotateInstanceKey({ db, newId }, { from, to })),
    )
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const winner = ends[0]?.status === 'fulfilled' ? one : two
    expect(await readVariable(winner, 'first')).toBe('value of first')
  })

  it('refuses a key that is not the one of the database', async () => {
    await addWorkspace(newKey(), 'first')
    const change = { from: newKey(), to: newKey() }
    await expect(rotateInstanceKey({ db, newId }, change)).rejects.toThrow()
  })

  it('leaves a running node unable to make what the new key could not open', async () => {
    const [from, to] = [newKey(), newKey()]
    await addWorkspace(from, 'first')
    const stale = depsWith(from)
    await rotateInstanceKey({ db, newId }, { from, to })
    await expect(createWorkspace(stale, { id: 'second', name: 's' })).rejects.toThrow(
      WrongInstanceKeyError,
    )
    expect(await findWorkspace(db, 'second')).toBeNull()
    const request = { ws: 'first', key: 'A', value: 'v', isSecret: true, actor: CLI_ACTOR }
    await expect(setVariable(stale, request)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'instance_key_changed',
    })
  })

  it('is noticed by a running node, which an absent database does not mislead', async () => {
    const [from, to] = [newKey(), newKey()]
    await addWorkspace(from, 'first')
    let reads = 0
    const flaky: Database = {
      ...db,
      one: (statement) => {
        reads += 1
        const away = { kind: 'unavailable', outcome: 'none' } as const
        return reads < 3 ? Promise.reject(new DatabaseError('away', away)) : db.one(statement)
      },
    }
    const changed = new Promise<Error>((onChanged) => {
      const { condition } = watchDatabase(flaky)
      startDatabaseWatch({ ...depsWith(from, flaky), condition }, { onChanged, everyMs: 1 })
    })
    await expect.poll(() => reads).toBeGreaterThan(5)
    await rotateInstanceKey({ db, newId }, { from, to })
    expect(await changed).toBeInstanceOf(WrongInstanceKeyError)
  })
})

type Ended = Readonly<{ code: number | null; signal: string | null; out: string; err: string }>

const [COMMAND = '', ...BEFORE] = PROGRAM
const svc = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  new Promise((done) => {
    const child = execFile(
      COMMAND,
      [...BEFORE, ...args, '--data-dir', dataDir],
      { env: { ...CHILD_ENV, HOME: dataDir, ...env } },
      (_, out, err) => done({ code: child.exitCode, signal: child.signalCode, out, err }),
    )
  })
const keyFiles = (): readonly string[] =>
  readdirSync(dataDir)
    .filter((name) => name.startsWith('secret.key'))
    .sort()
const prepare = async (): Promise<Uint8Array> => {
  const key = loadInstanceKey(dataDir, undefined)
  await addWorkspace(key, 'first')
  const user = { email: 'a@example.com', password: null, isSuperAdmin: true }
  await createUser({ db, newId }, user)
  return key
}
/** Opens the database as every start and every local command do. */
const openAgain = () => svc(['create-token', 'first', 'a@example.com'])

describe('svc keys rotate', () => {
  it('changes key and database, and leaves one key file that its same owner alone reads', async () => {
    const from = await prepare()
    const owner = giveAway(join(dataDir, 'secret.key'))
    const { code, out } = await svc(['keys', 'rotate'])
    expect([code, out]).toEqual([0, expect.stringContaining('of 1 workspace with it')])
    const to = loadInstanceKey(dataDir, undefined)
    expect(Buffer.from(to).equals(Buffer.from(from))).toBe(false)
    expect(await readVariable(to, 'first')).toBe('value of first')
    expect(keyFiles()).toEqual(['secret.key'])
    const { mode, uid } = statSync(join(dataDir, 'secret.key'))
    expect([mode & 0o777, uid]).toEqual([0o600, owner])
    expect(out).not.toContain(Buffer.from(to).toString('base64'))
  })

  it('keeps the previous key with --keep-old, and never overwrites a kept one', async () => {
    const from = await prepare()
    expect((await svc(['keys', 'rotate', '--keep-old'])).code).toBe(0)
    const kept = readFileSync(join(dataDir, 'secret.key.old'), 'utf8')
    expect(kept.trim()).toBe(Buffer.from(from).toString('base64'))
    const again = await svc(['keys', 'rotate'])
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('secret.key.old')])
    expect(readFileSync(join(dataDir, 'secret.key.old'), 'utf8')).toBe(kept)
  })

  it('refuses where the key comes from the environment, and prints the remedy', async () => {
    await prepare()
    const key = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim()
    const { code, err } = await svc(['keys', 'rotate'], { SVC_SECRET_KEY: key })
    expect([code, err]).toEqual([2, expect.stringContaining('Without SVC_SECRET_KEY')])
    expect(err).not.toContain(key)
    expect(keyFiles()).toEqual(['secret.key'])
  })

  it.each([
    ['rotate_before_commit', 'the old key', ['secret.key']],
    ['rotate_committed', 'a new key', ['secret.key', 'secret.key.old']],
    ['rotate_installed', 'a new key', ['secret.key', 'secret.key.old']],
  ])('killed at %s goes on with %s at the next start', async (point, which, files) => {
    const from = await prepare()
    expect(await svc(['keys', 'rotate'], { SVC_FAULT: point })).toMatchObject({ signal: 'SIGKILL' })
    expect(await openAgain()).toMatchObject({ code: 0 })
    const key = loadInstanceKey(dataDir, undefined)
    expect(Buffer.from(key).equals(Buffer.from(from))).toBe(which === 'the old key')
    expect(await readVariable(key, 'first')).toBe('value of first')
    expect(keyFiles()).toEqual(expect.arrayContaining(files))
    // an interrupted change does not block the next one
    rmSync(join(dataDir, 'secret.key.old'), { force: true })
    expect((await svc(['keys', 'rotate'])).code).toBe(0)
    expect(keyFiles()).toEqual(['secret.key'])
    expect(await readVariable(loadInstanceKey(dataDir, undefined), 'first')).toBe('value of first')
  })

  it('is not misled by a key file that was cut off while it was written', async () => {
    await prepare()
    writeFileSync(join(dataDir, 'secret.key.new.0123456789ab'), 'AAAA')
    expect((await openAgain()).code).toBe(0)
  })
})
