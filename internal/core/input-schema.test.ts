import { describe, expect, it } from 'vitest'
import { inputCheck } from './input-schema.ts'

describe('an input schema', () => {
  it('is optional', () => {
    expect(inputCheck(null)).toBeNull()
  })

  it('tells each fault with its path', () => {
    const check = inputCheck({
      type: 'object',
      required: ['name'],
      properties: {
        age: { type: 'integer', minimum: 0 },
        tags: { type: 'array', items: { type: 'string' } },
      },
    })
    expect(check?.({ name: 'Ada', age: 36 })).toEqual([])
    const faults = check?.({ age: -1, tags: ['a', 2] }) ?? []
    expect(faults.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['input', 'age', 'tags.1']),
    )
  })
})
