import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOwnHosts } from '#core/function/own-hosts.ts'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { openTestWorkspace, type TestWorkspace } from '../../../test/support/test-workspace.ts'
import { createHostResolver } from './resolve-host.ts'

let home: TestWorkspace
let eu: TestWorkspace
beforeEach(async () => {
  home = await openTestWorkspace()
  eu = await openTestWorkspace()
})
afterEach(() => Promise.all([home.close(), eu.close()]))

/** An app `shop` whose function was deployed at a time. */
const addShop = async (at: TestWorkspace, ws: string, deployedAt: number): Promise<void> => {
  const { db } = at.deps
  if (ws !== 'default') await at.addWorkspace(ws)
  await db.write([
    sql`INSERT INTO apps (ws, key, name, created_at, updated_at) VALUES (${ws}, 'shop', 'Shop', 1, 1)`,
    sql`INSERT INTO bundles (hash, code, source_map, created_at) VALUES ('b', x'', x'', 1) ON CONFLICT DO NOTHING`,
    sql`INSERT INTO app_functions (ws, app, name, hash, bundle_hash, definition, files, entrypoint, deployed_by, deployed_at)
      VALUES (${ws}, 'shop', 'hello', 'h', 'b', '{}', '{}', 'index.ts', 'me', ${deployedAt})`,
  ])
}

const HOST = 'shop.apps.example'
/** A resolver whose every look-up reads the databases. */
const openResolver = (isEuAway: () => boolean = () => false) => {
  const away: Database = Object.assign(Object.create(eu.deps.db), {
    all: () => Promise.reject(new Error('The cell does not answer.')),
    one: () => Promise.reject(new Error('The cell does not answer.')),
  })
  let clock = 0
  return createHostResolver(
    {
      home: home.deps.db,
      furtherCells: () => [{ name: 'eu', db: isEuAway() ? away : eu.deps.db }],
    },
    {
      ownHosts: createOwnHosts({ urls: [], appsDomain: 'apps.example' }),
      now: () => (clock += 60_000),
    },
  )
}

test('the host of a key leads to the app that has had functions longest, in whatever cell', async () => {
  await addShop(eu, 'first', 1_000)
  await addShop(home, 'later', 2_000)
  expect(await openResolver().resolve(HOST)).toEqual({ ws: 'first', app: 'shop' })
})

test('the host of a key leads to the app of the workspace default, however many have the key', async () => {
  for (let n = 0; n < 21; n += 1) await addShop(home, `tenant-${n}`, 1_000 + n)
  await addShop(home, 'default', 9_000)
  await addShop(eu, 'first', 1)
  expect(await openResolver().resolve(HOST)).toEqual({ ws: 'default', app: 'shop' })
})

test('no other app gets the host while the cell of its app is away', async () => {
  await addShop(eu, 'first', 1_000)
  await addShop(home, 'later', 2_000)
  let isAway = false
  const resolver = openResolver(() => isAway)
  expect(await resolver.resolve(HOST)).toEqual({ ws: 'first', app: 'shop' })
  isAway = true
  expect(await resolver.resolve(HOST)).toEqual({ ws: 'first', app: 'shop' })
  // a server that has not seen the app before cannot know which it is
  const fresh = openResolver(() => true)
  await expect(fresh.resolve(HOST)).rejects.toMatchObject({ code: 'cell_unavailable' })
  expect(await fresh.hostOf({ ws: 'later', app: 'shop' })).toBeNull()
  await addShop(home, 'default', 9_000)
  expect(await fresh.resolve(HOST)).toEqual({ ws: 'default', app: 'shop' })
})

test('an app keeps its host while a cell without the key is away', async () => {
  await addShop(home, 'later', 2_000)
  let isAway = false
  const resolver = openResolver(() => isAway)
  await resolver.resolve(HOST)
  isAway = true
  expect(await resolver.resolve(HOST)).toEqual({ ws: 'later', app: 'shop' })
})

test('a text that is too long for a host name leads to no app, without a look-up', async () => {
  const refuse = () => Promise.reject(new Error('A database was read.'))
  const db: Database = Object.assign(Object.create(home.deps.db), { all: refuse, one: refuse })
  const resolver = createHostResolver(
    { home: db, furtherCells: () => [{ name: 'eu', db }] },
    { ownHosts: createOwnHosts({ urls: [], appsDomain: 'apps.example' }), now: () => 0 },
  )
  expect(await resolver.resolve('x'.repeat(254))).toBeNull()
  expect(await resolver.resolve(`${'x'.repeat(254)}.apps.example`)).toBe('unknown_app')
  await expect(resolver.resolve('x'.repeat(253))).rejects.toThrow('A database was read.')
})
