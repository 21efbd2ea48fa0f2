import { describe, expect, it } from 'vitest'
import type { ManyRows, SqlValue, Statement, StatementResult } from '../database.ts'
import { mergeBatches } from './merge-batches.ts'

const MANY: ManyRows = {
  length: 2,
  toStatements: (rows) => [{ sql: 'many', args: rows.map(([id]) => id ?? null) }],
  split: (rows, [result]) =>
    rows.map(([id]) => [
      { rows: (result?.rows ?? []).filter((row) => row.id === id), changes: 1 },
      { rows: [], changes: 1 },
    ]),
}
const plain = (name: string): Statement => ({ sql: name, args: [] })
const one = (id: SqlValue): readonly Statement[] => [
  { sql: `job ${id}`, args: [], asMany: { many: MANY, row: [id] } },
  plain(`input ${id}`),
]
const resultOf = (id: string): StatementResult => ({ rows: [{ id }], changes: 1 })
const textsOf = (batches: readonly (readonly Statement[])[]) =>
  mergeBatches(batches).statements.map(({ sql, args }) => [sql, ...args].join(' '))

describe('equal batches of a group', () => {
  it('become one where they are neighbours', () => {
    expect(textsOf([one('a'), one('b'), [plain('x')], one('c'), one('d')])).toEqual([
      'many a b',
      'x',
      'many c d',
    ])
  })

  it('stay as they are when alone, or when more belongs to them', () => {
    expect(textsOf([one('a'), [...one('b'), plain('audit')], [plain('x')]])).toEqual([
      'job a',
      'input a',
      'job b',
      'input b',
      'audit',
      'x',
    ])
  })

  it('become several where their rows are large', () => {
    const large = (name: string) => one(name.repeat(600_000))
    expect(
      mergeBatches([large('a'), large('b'), one('c'), one('d')]).statements.map(
        ({ sql }) => sql[0],
      ),
    ).toEqual(['j', 'i', 'm'])
  })

  it('get each its own results', () => {
    const { split } = mergeBatches([[plain('x')], one('a'), one('b'), one('c'), [plain('y')]])
    const [x, y] = [resultOf('x'), resultOf('y')]
    const merged: StatementResult = { rows: [{ id: 'c' }, { id: 'a' }], changes: 2 }
    const batches = split([x, merged, y])
    expect(batches).toHaveLength(5)
    expect(batches[0]).toEqual([x])
    expect(batches.slice(1, 4).map((results) => results[0]?.rows)).toEqual([
      [{ id: 'a' }],
      [],
      [{ id: 'c' }],
    ])
    expect(batches[4]).toEqual([y])
  })
})
