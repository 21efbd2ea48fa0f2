import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { openTemporaryDatabase } from '../../test/support/temporary-database.ts'
import { resultsOf, statementsOf } from './batch.ts'
import type { Database, Statement, StatementResult } from './database.ts'
import { sql } from './sql.ts'

const result = (changes: number): StatementResult => ({ rows: [], changes })

describe('a named batch', () => {
  const named = { job: sql`a`, logs: [sql`b`, sql`c`], claim: null, none: [], end: sql`d` }

  it('runs its statements in the order in which they are written down', () => {
    expect(statementsOf(named).map((statement) => statement.sql)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('gives the results back by name: one, a list, or null', () => {
    expect(resultsOf(named, [1, 2, 3, 4].map(result))).toEqual({
      job: result(1),
      logs: [result(2), result(3)],
      claim: null,
      none: [],
      end: result(4),
    })
  })

  it('fails when a result is missing', () => {
    expect(() => resultsOf(named, [result(1)])).toThrow('fewer results')
  })

  it('leaves a list a list', () => {
    const list = [sql`a`, sql`b`]
    const results = [result(1), result(2)]
    expect(statementsOf(list)).toBe(list)
    expect(resultsOf(list, results)).toBe(results)
  })
})

describe('a write', () => {
  let db: Database
  let close: () => Promise<void>
  beforeEach(async () => {
    const opened = await openTemporaryDatabase()
    db = opened.db
    close = opened.close
    await db.write([sql`CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)`])
  })
  afterEach(() => close())

  const insert = (text: string): Statement => sql`INSERT INTO notes (text) VALUES (${text})`

  it('answers by name, with the types of the names', async () => {
    const isFirst: boolean = true
    const { first, others, maybe, all } = await db.write({
      first: insert('one'),
      others: ['two', 'three'].map(insert),
      maybe: isFirst ? insert('four') : null,
      all: sql`SELECT text FROM notes ORDER BY id`,
    })
    expectTypeOf(first).toEqualTypeOf<StatementResult>()
    expectTypeOf(others).toEqualTypeOf<readonly StatementResult[]>()
    expectTypeOf(maybe).toEqualTypeOf<StatementResult | null>()
    expect([first.changes, others.length, maybe?.changes]).toEqual([1, 2, 1])
    expect(all.rows.map((row) => row.text)).toEqual(['one', 'two', 'three', 'four'])
  })

  it('is one batch: a statement that fails undoes those before it', async () => {
    const write = db.write({ good: insert('one'), bad: sql`INSERT INTO nowhere VALUES (1)` })
    await expect(write).rejects.toThrow('nowhere')
    expect(await db.all(sql`SELECT * FROM notes`)).toEqual([])
  })

  it('lets a statement look at the one before it by changes()', async () => {
    const { second } = await db.write({
      first: sql`UPDATE notes SET text = 'x' WHERE id = 99`,
      second: sql`INSERT INTO notes (text) SELECT 'y' WHERE changes() > 0`,
    })
    expect(second.changes).toBe(0)
  })
})
