/** Changing the instance key of an instance with cells: each cell gets the new key, even when the command is killed between two. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { v7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { createAesKeyring } from '#crypto/aes-keyring.ts'
import { loadInstanceKey } from '#crypto/instance-key.ts'
import { rotateKeyFiles } from '#node/keys/rotate-key-files.ts'
import { withAllCells } from '#node/with-deps.ts'
import { checkInstanceKey } from '#service/bootstrap.ts'
import { holdsInstanceKey } from '#service/secrets/rotate-key.ts'
import { variableContext } from '#service/secrets/secret-context.ts'
import { setVariable } from '#service/secrets/set-secret.ts'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { listVariables } from '#store/secrets.ts'
import { sql } from '#store/sql.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { writeMigrated } from '../support/database-template.ts'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { CHILD_ENV, PROGRAM } from '../support/svc-process.ts'

/** The databases, each with its workspace. */
const PLACES = { home: 'first', eu: 'acme', us: 'bolt' } as const
type Place = keyof typeof PLACES
const ALL: readonly Place[] = ['home', 'eu', 'us']

let dataDir = ''
let databases: Readonly<Record<Place, Database>>
const urlOf = (place: Place): string =>
  `file:${join(dataDir, place === 'home' ? 'svc.db' : `${place}.db`)}`
const openPlace = async (place: Place): Promise<Database> => {
  await writeMigrated(urlOf(place).slice('file:'.length))
  return openDatabase({ url: urlOf(place) })
}

const depsWith = (key: Uint8Array, place: Place) => ({
  db: databases[place],
  home: databases.home,
  furtherCells: () => [
    { name: 'eu', db: databases.eu },
    { name: 'us', db: databases.us },
  ],
  newId: () => v7(),
  keyring: createAesKeyring(key),
  randomBytes: (length: number) => randomBytes(length),
})

const addWorkspace = async (key: Uint8Array, place: Place): Promise<void> => {
  const ws = PLACES[place]
  const deps = depsWith(key, place)
  await checkInstanceKey(deps)
  await createWorkspace({ ...deps, db: databases.home }, { id: ws, name: ws, cell: place })
  const value = `value of ${ws}`
  await setVariable(deps, { ws, key: 'NAME', value, isSecret: true, actor: CLI_ACTOR })
}

let from: Uint8Array
beforeEach(async () => {
  dataDir = makeMemoryFolder('svc-keys-')
  databases = {
    home: await openPlace('home'),
    eu: await openPlace('eu'),
    us: await openPlace('us'),
  }
  from = loadInstanceKey(dataDir, undefined)
  for (const place of ALL) await addWorkspace(from, place)
})
afterEach(async () => {
  for (const place of ALL) await databases[place].close()
  rmSync(dataDir, { recursive: true, force: true })
})

type Ended = Readonly<{ code: number | null; signal: string | null; out: string; err: string }>

const [COMMAND = '', ...BEFORE] = PROGRAM
const svc = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  new Promise((done) => {
    const cells = `eu=${urlOf('eu')};us=${urlOf('us')}`
    const child = execFile(
      COMMAND,
      [...BEFORE, ...args, '--data-dir', dataDir],
      { env: { ...CHILD_ENV, HOME: dataDir, SVC_CELLS: cells, ...env } },
      (_, out, err) => done({ code: child.exitCode, signal: child.signalCode, out, err }),
    )
  })

const readVariable = async (place: Place, key: Uint8Array): Promise<string> => {
  const ws = PLACES[place]
  const workspace = await findWorkspace(databases[place], ws)
  const [variable] = await listVariables(databases[place], ws)
  if (workspace === null || variable === undefined) throw new Error('Nothing is there.')
  const context = variableContext('NAME')
  return createAesKeyring(key).decrypt(workspace.wrappedKey, ws, context, variable.ciphertext)
}
/** The databases whose data keys this key opens. */
const opened = async (key: Uint8Array): Promise<readonly Place[]> => {
  const held = await Promise.all(
    ALL.map((place) => holdsInstanceKey({ db: databases[place], keyring: createAesKeyring(key) })),
  )
  return ALL.filter((_, at) => held[at])
}
const keyFiles = (): readonly string[] =>
  readdirSync(dataDir)
    .filter((name) => name.startsWith('secret.key'))
    .sort()

const expectAllRotated = async (): Promise<void> => {
  const to = loadInstanceKey(dataDir, undefined)
  expect(Buffer.from(to).equals(Buffer.from(from))).toBe(false)
  expect(await opened(to)).toEqual(ALL)
  for (const place of ALL) {
    expect(await readVariable(place, to)).toBe(`value of ${PLACES[place]}`)
    await expect(readVariable(place, from)).rejects.toMatchObject({ code: 'instance_key_changed' })
  }
}

describe('svc keys rotate with cells', () => {
  it('gives each cell the new key, and keeps one key file', async () => {
    const { code, out, err } = await svc(['keys', 'rotate'])
    expect([code, out], err).toEqual([0, expect.stringContaining('of 3 workspaces with it')])
    await expectAllRotated()
    expect(keyFiles()).toEqual(['secret.key'])
  })

  it.each([
    ['rotate_committed', 1],
    ['rotate_installed', 1],
    ['rotate_cell_committed', 2],
  ])('killed at %s, it is finished in every cell by the next command', async (point, rotated) => {
    expect(await svc(['keys', 'rotate'], { SVC_FAULT: point })).toMatchObject({ signal: 'SIGKILL' })
    expect(await opened(from)).toEqual(ALL.slice(rotated))
    const listed = await svc(['workspace', 'list', '--json'])
    expect(listed.code, listed.err).toBe(0)
    await expectAllRotated()
    expect(keyFiles()).toEqual(['secret.key', 'secret.key.old'])
  })

  it('changes nothing while a cell does not answer, is not named or a workspace moves', async () => {
    const env = { SVC_DATA_DIR: dataDir, SVC_CELLS: `eu=${urlOf('eu')};us=${urlOf('us')}` }
    const { config } = loadConfig({ env, flags: {} })
    const withoutOne = withAllCells(config, (deps, cells) =>
      rotateKeyFiles(config, deps, new Map([...cells].filter(([name]) => name !== 'us'))),
    )
    await expect(withoutOne).rejects.toMatchObject({ code: 'cell_unavailable' })
    const forgotten = { SVC_CELLS: `eu=${urlOf('eu')}` }
    expect(await svc(['keys', 'rotate'], forgotten)).toMatchObject({
      code: 2,
      err: expect.stringContaining('does not name the cell "us"'),
    })
    const { home } = databases
    await home.write([sql`UPDATE workspace_cells SET moving_to = 'us' WHERE ws = 'acme'`])
    expect(await svc(['keys', 'rotate'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('being moved'),
    })
    expect(await opened(from)).toEqual(ALL)
    expect(keyFiles()).toEqual(['secret.key'])
    expect(Buffer.from(loadInstanceKey(dataDir, undefined)).equals(Buffer.from(from))).toBe(true)
  })
})
