import { describe, expect, it } from 'vitest'
import type { SqlValue, Statement } from './database.ts'
import { allOf, join, raw, SQL_NOW, type SqlParameter, sql, TRUE } from './sql.ts'

describe('a template of SQL', () => {
  it('binds values and never writes them into the text', () => {
    const name = "'; DROP TABLE users; --"
    expect(sql`SELECT * FROM users WHERE name = ${name} AND age > ${30}`).toEqual({
      sql: 'SELECT * FROM users WHERE name = ? AND age > ?',
      args: [name, 30],
    })
  })

  it('binds null, bytes, and a boolean as 1 or 0', () => {
    const bytes = new Uint8Array([1, 2])
    expect(sql`${null}, ${bytes}, ${true}, ${false}`.args).toEqual([null, bytes, 1, 0])
  })

  it('binds U+FFFD for NUL, after which the driver would return nothing', () => {
    expect(sql`SELECT ${'a\0b\0'}`.args).toEqual(['a\u{FFFD}b\u{FFFD}'])
  })

  it('splices nested statements with their parameters in place', () => {
    const guard = sql`EXISTS (SELECT 1 FROM apps WHERE ws = ${'w'} AND ${sql`key = ${'k'}`})`
    expect(sql`UPDATE jobs SET at = ${SQL_NOW} WHERE id = ${7} AND ${guard} LIMIT ${9}`).toEqual({
      sql: `UPDATE jobs SET at = ${SQL_NOW.sql} WHERE id = ? AND EXISTS (SELECT 1 FROM apps WHERE ws = ? AND key = ?) LIMIT ?`,
      args: [7, 'w', 'k', 9],
    })
  })

  it('gives the same string each time, as prepared statements are kept by text', () => {
    const find = (id: string, order: Statement) => sql`SELECT 1 WHERE id = ${id} ORDER BY ${order}`
    const up = find('a', raw('id'))
    const down = find('b', raw('id DESC'))
    expect([up.sql, down.sql]).toEqual([
      'SELECT 1 WHERE id = ? ORDER BY id',
      'SELECT 1 WHERE id = ? ORDER BY id DESC',
    ])
    expect(find('c', raw('id')).sql).toBe(up.sql)
    expect(find('d', raw('id DESC'))).toEqual({ sql: down.sql, args: ['d'] })
  })

  it('distinguishes a value from a nested statement at each place', () => {
    const pair = (a: SqlParameter, b: SqlParameter) => sql`${a}, ${b}`
    expect(pair(1, raw('x'))).toEqual({ sql: '?, x', args: [1] })
    expect(pair(raw('x'), 1)).toEqual({ sql: 'x, ?', args: [1] })
    expect(pair('x', 1)).toEqual({ sql: '?, ?', args: ['x', 1] })
    expect(pair(null, 'x')).toEqual({ sql: '?, ?', args: [null, 'x'] })
  })

  it('stays right when a template has more texts than are kept', () => {
    const from = (table: number) => sql`SELECT ${table} FROM ${raw(`t${table}`)}`
    for (let round = 0; round < 2; round += 1) {
      for (let table = 0; table < 200; table += 1) {
        expect(from(table)).toEqual({ sql: `SELECT ? FROM t${table}`, args: [table] })
      }
    }
  })

  it('does not splice an object that merely looks like a statement', () => {
    const forged: SqlParameter = { sql: '1 OR 1', args: [] as SqlValue[] }
    expect(() => sql`SELECT 1 WHERE ${forged}`).toThrow(TypeError)
  })
})

describe('conditions', () => {
  it('are joined with their parameters, and absent ones are left out', () => {
    const conditions = allOf(sql`ws = ${'w'}`, null, sql`id < ${'i'}`)
    expect(conditions).toEqual({ sql: 'ws = ? AND id < ?', args: ['w', 'i'] })
    expect(allOf(null)).toBe(TRUE)
  })

  it('make lists of values', () => {
    const list = join(
      ['a', 'b'].map((value) => sql`${value}`),
      ', ',
    )
    expect(sql`status IN (${list})`).toEqual({ sql: 'status IN (?, ?)', args: ['a', 'b'] })
  })
})
