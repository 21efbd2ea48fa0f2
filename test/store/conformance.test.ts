/**
 * What every backend promises, on a local file and on a real sqld over HTTP and WebSocket. remote-faults.test.ts has faults
 * of a server, file-database.test.ts those of a file.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Statement } from '#store/database.ts'
import { migrate } from '#store/migrate.ts'
import { MIGRATIONS } from '#store/migrations.gen.ts'
import { openDatabase } from '#store/open-database.ts'
import { requireContent } from '#store/row-match.ts'
import { SQL_NOW, sql } from '#store/sql.ts'
import { leastLongestTurnMs } from '../support/longest-turn.ts'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { startSqld } from '../support/sqld.ts'

type Backend = Readonly<{ open: () => Promise<Database>; close: () => Promise<void> }>

const onFile = async (): Promise<Backend> => {
  const directory = makeMemoryFolder('svc-conformance-')
  return {
    open: () => openDatabase({ url: `file:${join(directory, 'svc.db')}` }),
    close: () => rm(directory, { recursive: true, force: true }),
  }
}

const onSqld = (scheme: 'httpUrl' | 'wsUrl') => async (): Promise<Backend> => {
  const sqld = await startSqld()
  return { open: () => openDatabase({ url: sqld[scheme] }), close: sqld.close }
}

const insertItem = (id: string, n: number | null = null, blob: Uint8Array | null = null) =>
  sql`INSERT INTO items (id, n, b) VALUES (${id}, ${n}, ${blob})`

const countItems = async (db: Database, like: string): Promise<number> =>
  Number((await db.one(sql`SELECT count(*) AS count FROM items WHERE id LIKE ${like}`))?.count)

/** Inserts an ended job with as few columns as the schema allows. */
const insertEndedJob = (id: string): Statement =>
  sql`INSERT INTO jobs (ws, id, app, action, deployment_id, status, tag, run_at, crash_limit,
       trigger_kind, created_by, permissioned_as, created_at, completed_at)
     VALUES ('w', ${id}, 'a', 'x', 'd', 'success', 't', 1, 3, 'api', 'u', 'u', 1, 2)`

describe.each([
  ['a file', onFile],
  ['sqld over HTTP', onSqld('httpUrl')],
  ['sqld over WebSocket', onSqld('wsUrl')],
])('the database on %s', (_, start) => {
  let backend: Backend
  let db: Database

  beforeAll(async () => {
    backend = await start()
    db = await backend.open()
    await migrate(db)
    await db.write([sql`CREATE TABLE items (id TEXT PRIMARY KEY, n INTEGER, b BLOB) STRICT`])
  })
  afterAll(async () => {
    await db.close()
    await backend.close()
  })

  it('writes a batch as a whole or not at all', async () => {
    await db.write([insertItem('whole-1'), insertItem('whole-2')])
    const failing = db.write([insertItem('part-1'), insertItem('whole-1'), insertItem('part-2')])
    await expect(failing).rejects.toMatchObject({ kind: 'constraint', outcome: 'none' })
    expect(await countItems(db, 'whole-%')).toBe(2)
    expect(await countItems(db, 'part-%')).toBe(0)
  })

  it('writes nothing if what was read has changed', async () => {
    await db.write([insertItem('read', 1)])
    const content = sql`SELECT n FROM items WHERE id = 'read'`
    const change = (read: string) =>
      db.write([
        requireContent(sql`SELECT CAST(n AS TEXT) FROM (${content})`, read),
        sql`UPDATE items SET n = n + 1 WHERE id = 'read'`,
      ])
    await change('1')
    await expect(change('1')).rejects.toMatchObject({ kind: 'other', outcome: 'none' })
    expect(await db.one(content)).toEqual({ n: 2 })
  })

  it('gives each statement its rows and its count of changes', async () => {
    const results = await db.write([
      insertItem('result-1', 1),
      sql`INSERT INTO items (id, n) VALUES ('result-2', 2) RETURNING id, n`,
      sql`UPDATE items SET n = n + 10 WHERE id LIKE 'result-%'`,
      sql`SELECT n FROM items WHERE id LIKE 'result-%' ORDER BY n`,
      sql`DELETE FROM items WHERE id = 'result-none' RETURNING id`,
      sql`DELETE FROM items WHERE id LIKE 'result-%' RETURNING n`,
    ])
    expect(results).toEqual([
      { rows: [], changes: 1 },
      { rows: [{ id: 'result-2', n: 2 }], changes: 1 },
      { rows: [], changes: 2 },
      { rows: [{ n: 11 }, { n: 12 }], changes: 0 },
      { rows: [], changes: 0 },
      { rows: [{ n: 11 }, { n: 12 }], changes: 2 },
    ])
    expect(await db.write([])).toEqual([])
  })

  it('lets a statement ask whether the one before it changed a row', async () => {
    await db.write([insertItem('guard', 0)])
    const follow = (id: string) => sql`INSERT INTO items (id) SELECT ${id} WHERE changes() = 1`
    await db.write([
      sql`UPDATE items SET n = 1 WHERE id = 'guard' AND n = 0 RETURNING n`,
      follow('guard-hit'),
      sql`UPDATE items SET n = 2 WHERE id = 'guard' AND n = 0`,
      follow('guard-miss'),
    ])
    expect(await db.all(sql`SELECT id FROM items WHERE id LIKE 'guard-%'`)).toEqual([
      { id: 'guard-hit' },
    ])
  })

  it('fails only the batch that breaks a constraint, among those that were committed together', async () => {
    await db.write([insertItem('neighbour-taken')])
    const writes = Array.from({ length: 40 }, (_, index) =>
      index % 13 === 5
        ? db.write([insertItem(`neighbour-lost-${index}`), insertItem('neighbour-taken')])
        : db.write([insertItem(`neighbour-${index}`), sql`SELECT ${index} AS mine`]),
    )
    for (const [index, settled] of (await Promise.allSettled(writes)).entries()) {
      const outcome = settled.status === 'fulfilled' ? settled.value[1]?.rows : settled.reason.kind
      expect(outcome).toEqual(index % 13 === 5 ? 'constraint' : [{ mine: index }])
    }
    expect(await countItems(db, 'neighbour-%')).toBe(38)
  })

  it('goes on after every kind of failing statement', async () => {
    const failures: readonly (readonly [Statement, string])[] = [
      [sql`SELEC`, 'other'],
      [sql`INSERT INTO nowhere (id) VALUES (1)`, 'missing_table'],
      [sql`INSERT INTO items (id) VALUES (NULL) RETURNING id`, 'constraint'],
      [sql`INSERT INTO items (id, n) VALUES ('typed', 'text')`, 'constraint'],
      [sql`INSERT INTO deployment_actions VALUES ('none', 'k', 'e', 'none', '{}')`, 'constraint'],
    ]
    for (const [statement, kind] of failures) {
      const failing = db.write([insertItem('after-failure'), statement])
      await expect(failing).rejects.toMatchObject({ kind, outcome: 'none' })
    }
    await expect(db.one(sql`SELECT nothing`)).rejects.toMatchObject({ kind: 'other' })
    await db.write([insertItem('after-failure')])
    expect(await countItems(db, 'after-failure')).toBe(1)
  })

  it('blocks the event loop for less than 50 ms with a blob of 4 MB', async () => {
    const blob = new Uint8Array(4_000_000).fill(7)
    const write = await leastLongestTurnMs(
      (at) => db.write([insertItem(`heavy-${at}`, null, blob)]),
      { enoughMs: 0 },
    )
    const read = await leastLongestTurnMs(() =>
      db.one(sql`SELECT b FROM items WHERE id = 'heavy-1'`),
    )
    expect([write, read].filter((ms) => ms >= 50)).toEqual([])
  })

  it('gives back blobs, nulls, large whole numbers and fractions as they went in', async () => {
    const blob = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251)
    await db.write([insertItem('value-1', 2 ** 53 - 1, blob), insertItem('value-2')])
    const [one, two] = await db.all(sql`SELECT n, b FROM items WHERE id LIKE 'value-%' ORDER BY id`)
    expect(one).toEqual({ n: 2 ** 53 - 1, b: blob })
    expect(two).toEqual({ n: null, b: null })
    expect(await db.one(sql`SELECT ${new Uint8Array([0, 255])} AS alone`)).toEqual({
      alone: new Uint8Array([0, 255]),
    })
    expect(await db.one(sql`SELECT ${null} AS alone`)).toEqual({ alone: null })
    expect(
      await db.one(
        sql`SELECT typeof(${5}) AS whole, ${-(2 ** 40)} AS below, ${1.5} AS part, ${'aé😀'} AS text`,
      ),
    ).toEqual({ whole: 'integer', below: -(2 ** 40), part: 1.5, text: 'aé😀' })
  })

  it('takes batches larger than a frame of a WebSocket', async () => {
    const names = ['a', 'b', 'c', 'd']
    const blob = new Uint8Array(4_500_000).fill(7)
    await db.write(names.map((name) => insertItem(`large-${name}`, null, blob)))
    expect(
      await db.one(sql`SELECT sum(length(b)) AS bytes FROM items WHERE id LIKE 'large-%'`),
    ).toEqual({ bytes: 4 * blob.length })
    const text = '"'.repeat(4_500_000)
    await db.write(names.map((name) => insertItem(`${name}${text}`)))
    expect(
      await db.one(sql`SELECT sum(length(id)) AS length FROM items WHERE length(id) > 100`),
    ).toEqual({ length: 4 * (text.length + 1) })
    await db.write([sql`DELETE FROM items WHERE length(id) > 100 OR id LIKE 'large-%'`])
  })

  it('acknowledges every one of many concurrent writes exactly once', async () => {
    const second = await backend.open()
    const write = async (writer: number): Promise<void> => {
      const target = writer % 2 === 0 ? db : second
      for (let index = 0; index < 20; index += 1) {
        const [result] = await target.write([insertItem(`many-${writer}-${index}`, writer)])
        expect(result?.changes).toBe(1)
      }
    }
    await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)))
    expect(await countItems(db, 'many-%')).toBe(320)
    await second.close()
  })

  it('counts without losing one, from several connections', async () => {
    await db.write([insertItem('counter', 0)])
    const increment = sql`UPDATE items SET n = n + 1 WHERE id = 'counter' RETURNING n`
    const seen = await Promise.all(Array.from({ length: 100 }, () => db.write([increment])))
    expect(new Set(seen.map(([result]) => result?.rows[0]?.n)).size).toBe(100)
  })

  it('reads what it has written', async () => {
    for (let index = 0; index < 20; index += 1) {
      await db.write([insertItem(`read-${index}`, index)])
      expect(await db.one(sql`SELECT n FROM items WHERE id = ${`read-${index}`}`)).toEqual({
        n: index,
      })
    }
    expect(await db.one(sql`SELECT n FROM items WHERE id = 'read-none'`)).toBeNull()
  })

  it('refuses to change a job that has ended', async () => {
    await db.write([insertEndedJob('ended')])
    const late = db.write([sql`UPDATE jobs SET status = 'failure' WHERE id = 'ended'`])
    await expect(late).rejects.toMatchObject({ kind: 'constraint', outcome: 'none' })
    await expect(late).rejects.toThrow('a finished job never changes')
    expect(await db.one(sql`SELECT status FROM jobs WHERE id = 'ended'`)).toEqual({
      status: 'success',
    })
  })

  it('returns the time of the database in milliseconds', async () => {
    const now = await db.now()
    expect(Number.isInteger(now)).toBe(true)
    expect(Math.abs(now - Date.now())).toBeLessThan(5_000)
    expect(await db.one(sql`SELECT typeof(${SQL_NOW}) AS type`)).toEqual({ type: 'integer' })
  })

  it('finishes what was begun when it is closed, and refuses what comes after', async () => {
    const other = await backend.open()
    const begun = other.write([insertItem('closing')])
    await other.close()
    await begun
    await other.close()
    await expect(other.write([insertItem('closed')])).rejects.toMatchObject({ outcome: 'none' })
    expect(await countItems(db, 'clos%')).toBe(1)
  })

  it('is migrated once by two nodes that start together', async () => {
    const other = await backend.open()
    const migrations = [
      { version: 1, name: 'initial', statements: [] },
      { version: 2, name: 'more', statements: ['CREATE TABLE more (id INTEGER)'] },
    ]
    const current = await db.all(sql`SELECT version, checksum FROM schema_migrations`)
    expect(current).toHaveLength(MIGRATIONS.length)
    await db.write([sql`DELETE FROM schema_migrations`])
    const [one, two] = await Promise.all([migrate(db, migrations), migrate(other, migrations)])
    expect(one.ran + two.ran).toBe(2)
    expect(await db.all(sql`SELECT version FROM schema_migrations`)).toHaveLength(2)
    await other.close()
  })
})
