import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDeeperThan } from './depth.ts'

const depthOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

describe('the depth of a JSON text', () => {
  it('is that of the value it stands for, whatever its strings hold', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), (value) => {
        const depth = depthOf(value)
        const text = JSON.stringify(value)
        expect(isDeeperThan(text, depth)).toBe(false)
        if (depth > 0) expect(isDeeperThan(text, depth - 1)).toBe(true)
      }),
    )
  })

  it('does not count brackets inside strings, also behind escaped quotes', () => {
    expect(isDeeperThan(JSON.stringify(['[[[', '\\"[[[', '"[[[\\\\']), 1)).toBe(false)
  })

  it('is found without recursion', () => {
    expect(isDeeperThan('['.repeat(1_000_000), 64)).toBe(true)
    expect(isDeeperThan('[]'.repeat(1_000_000), 64)).toBe(false)
  })
})
