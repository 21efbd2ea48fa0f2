import { expect, it } from 'vitest'
import { dedupeSchema } from './dedupe.ts'

it('a value that identifies deliveries has one place', () => {
  expect(dedupeSchema.safeParse({ body: 'id', header: 'x-id' }).success).toBe(false)
  expect(dedupeSchema.safeParse({}).success).toBe(false)
  expect(dedupeSchema.safeParse({ body: 'a..b' }).success).toBe(false)
})
