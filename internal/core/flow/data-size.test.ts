import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/support/cpu-time.ts'
import type { JsonValue } from '../json/value.ts'
import { createMeter, jsonBytes, rememberSize } from './data-size.ts'

const encoder = new TextEncoder()
const truly = (value: JsonValue): number => encoder.encode(JSON.stringify(value)).length
const json: fc.Arbitrary<JsonValue> = fc.json({ stringUnit: 'binary' }).map((text) => {
  const value: JsonValue = JSON.parse(text)
  return value
})
const odd = fc
  .array(fc.nat(0xffff), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units))

describe('the size of a value', () => {
  it('is that of its JSON, of any value', () => {
    fc.assert(
      fc.property(fc.oneof(json, odd), (value) => {
        expect(jsonBytes(value, 1_000_000)).toBe(truly(value))
      }),
      { numRuns: 2_000 },
    )
  })

  it('is more than the limit where the value is, and exact where it is not', () => {
    fc.assert(
      fc.property(fc.oneof(json, odd), fc.nat(60), (value, limit) => {
        const bytes = truly(value)
        const counted = jsonBytes(value, limit)
        if (bytes > limit) expect(counted).toBeGreaterThan(limit)
        else expect(counted).toBe(bytes)
      }),
    )
  })

  it('of a large value that is named a hundred thousand times is counted at once', () => {
    const large = {
      list: Array.from({ length: 100_000 }, (_, at) => at),
      text: 'x'.repeat(1_000_000),
    }
    const measure = createMeter(1e15)
    const one = measure(large)
    expect(one).toBe(truly(large))
    const before = cpuMs()
    expect(measure(Array.from({ length: 100_000 }, () => large))).toBe(100_000 * (one + 1) + 1)
    expect(cpuMs() - before).toBeLessThan(1_000)
  })
})

describe('the size of a value that was parsed from a text', () => {
  const sizeOf = (json: string): number => {
    const value: JsonValue = JSON.parse(json)
    rememberSize(value, json, 999)
    return jsonBytes({ value }, 1_000_000) - '{"value":}'.length
  }

  it('is that of the text, without another count', () => {
    expect(sizeOf(`[${'0,'.repeat(100_000)}0]`)).toBe(999)
  })

  it.each([
    ['a short text', '[0,0]'],
    ['a text with an exponent, which may be shorter than its value', `[${'1e9,'.repeat(50_000)}0]`],
  ])('is counted for %s', (_, json) => {
    expect(sizeOf(json)).toBe(truly(JSON.parse(json)))
  })
})
