import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeMemoryFolder } from '../../../test/support/memory-folder.ts'
import type { Database, Row, Statement } from '../database.ts'
import { sql } from '../sql.ts'
import { openFileDatabase } from './file-database.ts'
import { reuseRows } from './row-reuse.ts'

let folder: string
let own: Database
let other: Database
let db: Database
let reads: number
let now: number

/** Counts the reads that reach the database, except the check of its version. */
const counted = (inner: Database): Database => ({
  ...inner,
  one: async (statement: Statement) => {
    reads += 1
    return inner.one(statement)
  },
})

beforeEach(async () => {
  folder = makeMemoryFolder('svc-reuse-')
  const path = join(folder, 'test.db')
  own = await openFileDatabase({ path })
  other = await openFileDatabase({ path, autoCheckpoint: false })
  await own.write([
    sql`CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT) STRICT`,
    sql`CREATE TABLE jobs (id TEXT PRIMARY KEY) STRICT`,
    sql`INSERT INTO users (id, name) VALUES ('a', 'Ada')`,
  ])
  reads = 0
  now = 0
  db = reuseRows(counted(own), () => now)
})

afterEach(async () => {
  await other.close()
  await own.close()
  rmSync(folder, { recursive: true })
})

const nameOf = async (id: string): Promise<Row['name'] | undefined> =>
  (await db.one(sql`SELECT name FROM users WHERE id = ${id}`, { reuse: true }))?.name

describe('a row that is reused', () => {
  test('is read once', async () => {
    expect([await nameOf('a'), await nameOf('a')]).toEqual(['Ada', 'Ada'])
    expect(reads).toBe(1)
  })

  test('is read each time without the option', async () => {
    for (const _ of [1, 2]) await db.one(sql`SELECT name FROM users WHERE id = 'a'`)
    expect(reads).toBe(2)
  })

  test('belongs to its parameters', async () => {
    await db.write([sql`INSERT INTO users (id, name) VALUES ('b', 'Bob')`])
    expect([await nameOf('a'), await nameOf('b'), await nameOf('a')]).toEqual(['Ada', 'Bob', 'Ada'])
  })

  test.each([
    ['UPDATE', sql`UPDATE users SET name = 'Eve' WHERE id = 'a'`, 'Eve'],
    ['UPDATE OR', sql`UPDATE OR IGNORE users SET name = 'Eve' WHERE id = 'a'`, 'Eve'],
    ['DELETE', sql`DELETE FROM users WHERE id = 'a'`, undefined],
    ['REPLACE', sql`INSERT OR REPLACE INTO users (id, name) VALUES ('a', 'Eve')`, 'Eve'],
  ])('is read again after %s of its table', async (_, statement, name) => {
    await nameOf('a')
    await db.write([sql`INSERT INTO jobs (id) VALUES ('1')`, statement])
    expect(await nameOf('a')).toBe(name)
  })

  test('is read again after a write that failed, whose outcome may be unknown', async () => {
    await nameOf('a')
    await expect(db.write([sql`INSERT INTO users (id) VALUES ('a')`])).rejects.toThrow()
    await nameOf('a')
    expect(reads).toBe(2)
  })

  test('stays while other tables are written', async () => {
    await nameOf('a')
    await db.write([sql`INSERT INTO jobs (id) SELECT id FROM users`])
    await nameOf('a')
    expect(reads).toBe(1)
  })

  test('is read again 20 ms after a commit of another connection', async () => {
    await nameOf('a')
    await other.write([sql`UPDATE users SET name = 'Eve' WHERE id = 'a'`])
    now = 20
    expect(await nameOf('a')).toBe('Eve')
  })

  test('is read again after 250 ms', async () => {
    await nameOf('a')
    now = 149
    await nameOf('a')
    expect(reads).toBe(1)
    now = 400
    await nameOf('a')
    expect(reads).toBe(2)
  })

  test('is read once for callers that need it at the same time', async () => {
    const names = await Promise.all([nameOf('a'), nameOf('a'), nameOf('a')])
    expect(names).toEqual(['Ada', 'Ada', 'Ada'])
    expect(reads).toBe(1)
  })

  test('is read again before its time is over, while its callers get it', async () => {
    const answers: ((row: Row | null) => void)[] = []
    const slow: Database = {
      ...own,
      one: () => new Promise((resolve) => answers.push(resolve)),
    }
    db = reuseRows(slow, () => now)
    const first = nameOf('a')
    await expect.poll(() => answers.length).toBe(1)
    answers[0]?.({ name: 'Ada' })
    await first
    now = 200
    expect([await nameOf('a'), await nameOf('a')]).toEqual(['Ada', 'Ada'])
    expect(answers.length).toBe(2)
    answers[1]?.({ name: 'Eve' })
    now = 260
    await expect.poll(() => nameOf('a')).toBe('Eve')
    // its age counts from the start of the read
    now = 450
    void nameOf('a')
    await expect.poll(() => answers.length).toBe(3)
  })

  test('is not kept when a write of its table ended while it was read', async () => {
    const [wasRead, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow: Database = {
      ...own,
      one: async (statement) => {
        const row = await own.one(statement)
        wasRead.resolve()
        await mayAnswer.promise
        return row
      },
    }
    db = reuseRows(slow, () => now)
    const before = nameOf('a')
    await wasRead.promise
    await db.write([sql`UPDATE users SET name = 'Eve' WHERE id = 'a'`])
    mayAnswer.resolve()
    expect(await before).toBe('Ada')
    expect(await nameOf('a')).toBe('Eve')
  })

  test('is not kept when another connection committed while it was read', async () => {
    const answers: ((row: Row | null) => void)[] = []
    let foreign = 1
    const slow: Database = {
      ...own,
      one: () => new Promise((resolve) => answers.push(resolve)),
      dataVersion: async () => foreign,
    }
    db = reuseRows(slow, () => now)
    const before = nameOf('a')
    await expect.poll(() => answers.length).toBe(1)
    foreign = 2
    now = 20
    const after = nameOf('a')
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.({ name: 'Eve' })
    expect(await after).toBe('Eve')
    answers[0]?.({ name: 'Ada' })
    expect(await before).toBe('Ada')
    void nameOf('a')
    await expect.poll(() => answers.length).toBe(3)
  })

  test('that is not there is looked for each time', async () => {
    expect([await nameOf('x'), await nameOf('x')]).toEqual([undefined, undefined])
    expect(reads).toBe(2)
  })
})
