import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createJsonScan, type JsonVerdict, scanJson } from './scan.ts'

const parses = (text: string): boolean => {
  try {
    JSON.parse(text, (_, value) => {
      if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(text)
      return value
    })
    return true
  } catch {
    return false
  }
}

const inParts = (text: string, characters: number): JsonVerdict => {
  const scan = createJsonScan(text, { depth: 64 })
  for (;;) {
    const verdict = scan.advance(characters)
    if (verdict !== null) return verdict
  }
}

/** JSON with a character inserted, removed or changed. */
const damaged = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.nat(),
    fc.constantFrom(...'"\\{}[],:0-.eE+tnu \n\u0001x'),
    fc.nat(2),
  )
  .map(([text, place, char, how]) => {
    const at = place % (text.length + 1)
    return text.slice(0, at) + (how === 0 ? '' : char) + text.slice(how === 1 ? at : at + 1)
  })

describe('the scan of a JSON text', () => {
  it('agrees with JSON.parse on whatever is written, but for numbers that it makes infinite, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.json(), damaged, fc.string()),
        fc.integer({ min: 1, max: 9 }),
        (text, part) => {
          const verdict = parses(text) ? 'valid' : 'invalid'
          expect([text, scanJson(text, { depth: 64 })]).toEqual([text, verdict])
          expect([text, inParts(text, part)]).toEqual([text, verdict])
        },
      ),
      { numRuns: 5_000 },
    )
  })

  it.each([
    '',
    ' ',
    '01',
    '1.',
    '.5',
    '+1',
    '-',
    '1e',
    '1e+',
    'tru',
    'nulll',
    '"',
    '"\\x"',
    '"\\u12g4"',
    '"\\u123',
    '"\t"',
    '[',
    '[1,]',
    '[,1]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    '[1}',
    '{"a":1]',
    '1 2',
    '\ufeff1',
    'NaN',
    "'a'",
  ])('refuses %j', (text) => {
    expect(parses(text)).toBe(false)
    expect(scanJson(text, { depth: 64 })).toBe('invalid')
    expect(inParts(text, 1)).toBe('invalid')
  })

  it.each([
    '-0',
    '0.5e-7',
    '1E+3',
    ' [ ] ',
    '{"":{}}',
    '"\\u00e9\\n"',
    '"é\u2028"',
    'true',
    'null',
  ])('takes %j', (text) => {
    expect(scanJson(text, { depth: 64 })).toBe('valid')
    expect(inParts(text, 1)).toBe('valid')
  })

  it('reports depth and the number of containers at once, not at the end', () => {
    const nest = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
    expect(scanJson(nest(64), { depth: 64 })).toBe('valid')
    expect(scanJson(nest(65), { depth: 64 })).toBe('too_deep')
    expect(scanJson('['.repeat(4_000_000), { depth: 64 })).toBe('too_deep')
    expect(scanJson('[[],[],{}]', { depth: 64, containers: 4 })).toBe('valid')
    expect(scanJson('[[],[],{}]', { depth: 64, containers: 3 })).toBe('too_many')
    expect(scanJson(`"${'['.repeat(100)}"`, { depth: 0 })).toBe('valid')
  })
})
