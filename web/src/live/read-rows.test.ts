import { expect, test } from 'vitest'
import { readRows } from './read-rows.ts'

test('reads on where pages end early, up to the number of rows', async () => {
  const limits: number[] = []
  const read = async ({
    cursor = '0',
    limit,
  }: Readonly<{ cursor?: string | undefined; limit: number }>) => {
    limits.push(limit)
    const at = Number(cursor)
    const items = [at, at + 1].slice(0, limit)
    return { items, pagination: { next_cursor: at >= 6 ? null : String(at + 2) } }
  }
  expect(await readRows(5, read)).toEqual([0, 1, 2, 3, 4])
  expect(limits).toEqual([5, 3, 1])
  expect(await readRows(50, read)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})
