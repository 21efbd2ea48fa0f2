import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../test/support/temporary-database.ts'
import { sql, TRUE } from '../sql.ts'
import {
  changeRefs,
  findRepository,
  insertPack,
  insertPackChunk,
  listPacks,
  type RefsChange,
  wasOvertaken,
} from './git-repositories.ts'

const MAIN = 'refs/heads/main'
const KEY = { ws: 'w', repositoryId: 'r' }
const PACK = { ...KEY, name: 'a'.repeat(40) }

let place: TemporaryDatabase
beforeAll(async () => {
  place = await openTemporaryDatabase()
  await place.db.write([
    insertPack({ ...PACK, bytes: 3 }),
    insertPackChunk(PACK, 0, new Uint8Array(2)),
  ])
})
afterAll(() => place.close())

const write = (change: Partial<RefsChange>): Promise<unknown> =>
  place.db.write([
    ...changeRefs({
      ...KEY,
      app: 'shop',
      refs: new Map([[MAIN, '1']]),
      packs: [],
      pushId: 'one',
      follows: null,
      isExpected: TRUE,
      ...change,
    }),
    sql`INSERT INTO meta (key, value) VALUES (${`also ${change.pushId ?? 'one'}`}, '')`,
  ])
const isOvertaken = async (change: Partial<RefsChange>): Promise<boolean> => {
  const error = await write(change).catch((reason: unknown) => reason)
  return error instanceof Error && wasOvertaken(error)
}

it('takes a push that follows the last one, with all bytes of its packs, and nothing of any other', async () => {
  const packs = [PACK.name]
  expect(await isOvertaken({ packs })).toBe(true)
  await place.db.write([insertPackChunk(PACK, 1, new Uint8Array(1))])
  expect(await isOvertaken({ packs, isExpected: sql`0` })).toBe(true)
  expect(await isOvertaken({ packs, follows: 'another' })).toBe(true)
  expect(await findRepository(place.db, 'w', 'shop')).toBeNull()
  await write({ packs })
  expect(await isOvertaken({ pushId: 'two' })).toBe(true)
  expect(await findRepository(place.db, 'w', 'shop')).toMatchObject({ id: 'r', pushId: 'one' })
  await write({ pushId: 'two', follows: 'one', refs: new Map([[MAIN, '2']]) })
  expect((await findRepository(place.db, 'w', 'shop'))?.refs).toEqual(new Map([[MAIN, '2']]))
  expect(await listPacks(place.db, KEY)).toEqual([{ name: PACK.name, bytes: 3 }])
  const beside = await place.db.all(sql`SELECT key FROM meta WHERE key GLOB 'also *' ORDER BY key`)
  expect(beside.map(({ key }) => key)).toEqual(['also one', 'also two'])
})
