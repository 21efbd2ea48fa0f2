import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Row } from './database.ts'
import { bool, bytes, exists, number, oneOf, parsed, type RowOf, row, text, time } from './row.ts'
import { sql } from './sql.ts'

const schedule = row({
  id: text,
  inputJson: text('input'),
  isEnabled: bool('enabled'),
  nextFireAt: time.nullable,
  commit: text('d.commit_id'),
  lastOutcome: oneOf(['fired', 'skipped']).nullable('outcome'),
  fires: number(sql`(SELECT count(*) FROM fires WHERE kind = ${'late'})`),
})
type Schedule = RowOf<typeof schedule>

const FOUND: Row = {
  id: 's',
  input: '{}',
  enabled: 1,
  next_fire_at: null,
  commit_id: 'c',
  outcome: 'fired',
  fires: 3,
}

describe('a row shape', () => {
  it('reads a row into its fields', () => {
    expect(schedule.read(FOUND)).toEqual({
      id: 's',
      inputJson: '{}',
      isEnabled: true,
      nextFireAt: null,
      commit: 'c',
      lastOutcome: 'fired',
      fires: 3,
    })
  })

  it('has the type of what it reads', () => {
    expectTypeOf<Schedule>().toEqualTypeOf<{
      readonly id: string
      readonly inputJson: string
      readonly isEnabled: boolean
      readonly nextFireAt: number | null
      readonly commit: string
      readonly lastOutcome: 'fired' | 'skipped' | null
      readonly fires: number
    }>()
  })

  it('lists its columns, with the alias of the table where a column has none of its own', () => {
    const fires = '(SELECT count(*) FROM fires WHERE kind = ?) AS fires'
    expect(schedule.columns()).toEqual({
      sql: `id, input, enabled, next_fire_at, d.commit_id, outcome, ${fires}`,
      args: ['late'],
    })
    expect(schedule.columns('s').sql).toBe(
      `s.id, s.input, s.enabled, s.next_fire_at, d.commit_id, s.outcome, ${fires}`,
    )
    expect(schedule.columns('s')).toBe(schedule.columns('s'))
  })

  it.each([
    ['a column is missing', { ...FOUND, id: undefined }],
    ['a column is null that may not be', { ...FOUND, id: null }],
    ['a text is a number', { ...FOUND, input: 1 }],
    ['a number is a text', { ...FOUND, enabled: '1' }],
    ['a nullable column is missing', { ...FOUND, next_fire_at: undefined }],
    ['a text is none of the known ones', { ...FOUND, outcome: 'lost' }],
  ])('throws when %s', (_, found) => {
    // undefined represents a column that the statement did not select
    expect(() => schedule.read(found as Row)).toThrow(/^Expected /)
  })

  it('reads bytes and parsed texts', () => {
    const shape = row({ seal: bytes, list: parsed((list) => list.split(',')) })
    const seal = new Uint8Array([7])
    expect(shape.read({ seal, list: 'a,b' })).toEqual({ seal, list: ['a', 'b'] })
    expect(() => shape.read({ seal: 'x', list: '' })).toThrow('bytes')
  })

  it('has no part in a single column, which is read by its kind', async () => {
    const db = { one: async () => ({ n: 5 }), all: async () => [{ id: 'a' }, { id: 'b' }] }
    expect(await number.one(db, sql`SELECT count(*) AS n FROM jobs`)).toBe(5)
    expect(await text.all(db, sql`SELECT id FROM jobs`)).toEqual(['a', 'b'])
    expect(await number.one({ one: async () => null }, sql`SELECT 1`)).toBeNull()
    await expect(text.one(db, sql`SELECT count(*) AS n FROM jobs`)).rejects.toThrow('Expected text')
    expect(await time.nullable.one({ one: async () => ({ at: null }) }, sql`SELECT 1`)).toBeNull()
    expect(await exists(db, sql`SELECT 1`)).toBe(true)
  })

  it('is widened by spreading its fields', async () => {
    const wide = row({ ...row({ id: text }).fields, at: time })
    const db = { one: async () => ({ id: 'a', at: 5 }), all: async () => [{ id: 'b', at: 6 }] }
    expect(await wide.one(db, sql`SELECT ${wide.columns()}`)).toEqual({ id: 'a', at: 5 })
    expect(await wide.all(db, sql`SELECT ${wide.columns()}`)).toEqual([{ id: 'b', at: 6 }])
    expect(await wide.one({ one: async () => null }, sql`SELECT 1`)).toBeNull()
  })
})
