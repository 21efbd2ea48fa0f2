import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { hashParts } from './hash-parts.ts'

const MEGABYTE = 1_048_576

it.each([
  ['many parts', Array.from({ length: 400 }, (_, at) => Buffer.alloc(MEGABYTE / 8, at))],
  ['one part', [Buffer.alloc(50 * MEGABYTE, 1)]],
])('a large file of %s is hashed with turns for other work', async (_, parts) => {
  let turns = 0
  const count = (): void => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const hash = await hashParts(parts)
  clearImmediate(timer)
  expect(hash).toBe(createHash('sha256').update(Buffer.concat(parts)).digest('hex'))
  expect(turns).toBeGreaterThanOrEqual(10)
})

it('a small file is hashed at once, also without a byte', async () => {
  const parts = [Buffer.from('one'), Buffer.alloc(0), Buffer.from('two')]
  expect(await hashParts(parts)).toBe(createHash('sha256').update('onetwo').digest('hex'))
})
