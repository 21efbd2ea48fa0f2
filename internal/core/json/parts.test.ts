import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseInParts } from './parts.ts'

const drain = (text: string, partCharacters?: number) => {
  const parts = parseInParts(text, partCharacters)
  let turns = 0
  for (;;) {
    const { done, value } = parts.next()
    if (done === true) return { value, turns }
    turns += 1
  }
}

/** Returns the value with the order of its keys, or null for a text that is not JSON. */
const written = (parse: () => unknown): string | null => {
  try {
    return JSON.stringify(parse())
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** JSON with a piece inserted, removed or changed. */
const damaged = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.nat(),
    fc.constantFrom(...'"\\{}[],:0- \n\u00a0x', '[],', ',"a":', '],[', '{}{}'),
    fc.nat(2),
  )
  .map(([text, place, piece, how]) => {
    const at = place % (text.length + 1)
    return text.slice(0, at) + (how === 0 ? '' : piece) + text.slice(how === 1 ? at : at + 1)
  })

describe('a JSON text that is parsed in parts', () => {
  it('has the value that JSON.parse finds, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.json({ maxDepth: 5 }), fc.json({ maxDepth: 5, stringUnit: 'binary' }), damaged),
        fc.integer({ min: 1, max: 12 }),
        (text, part) => {
          expect([text, written(() => drain(text, part).value)]).toEqual([
            text,
            written(() => JSON.parse(text)),
          ])
        },
      ),
      { numRuns: 5_000 },
    )
  })

  it.each([
    ' [ [ 1 , 2 ] , { "a" : [ ] , "b" : { "c" : null } } , 3 ] ',
    '{"a":[1,2,3],"a":{"b":[1,2,{"c":4}]},"a":5}',
    '{"__proto__":{"__proto__":[1,2,3],"constructor":1},"x":{"__proto__":2}}',
    '{"10":1,"b":2,"9":[1,2],"a":3}',
    '{"a\\"[,":"]},\\\\","b\\\\":[",",1]}',
    '"[1,2,3,4,5,6]"',
    '-12345678901234567890',
  ])('equals %s', (text) => {
    for (let part = 1; part < text.length; part += 1) {
      expect(written(() => drain(text, part).value)).toBe(JSON.stringify(JSON.parse(text)))
    }
    const { value } = drain('{"__proto__":{"a":[1,2]},"b":1}', 2)
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it.each([
    '[1,2,]',
    '[,1,2]',
    '[[1,2],]',
    '[[1,2],,3]',
    '[[1,2]3,4]',
    '[[1,2][3,4]]',
    '[1,2}',
    '{"a":[1,2],}',
    '{"a":[1,2]"b":1}',
    '{"a":1,"b"}',
    '{"a":1,[1,2]}',
    '{"a":1,"b":1[1,2]}',
    '{"a":[1,2]:3}',
    '[1,2',
    '[[1,2]',
    '[1,2]]',
    '[1,2],3',
    '[1,2][3]',
    'x[1,2]',
    '[1,2]x',
    '[1,"2]',
    '1,2',
    '[1,2]\u00a0',
    '\ufeff[1,2]',
  ])('is refused as a whole: %s', (text) => {
    for (let part = 1; part <= text.length; part += 1) {
      expect(() => drain(text, part)).toThrow(SyntaxError)
    }
  })

  it('takes a turn for each part of a list, an object and what is within them', () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}` }))
    const keys = Object.fromEntries(rows.map(({ id, name }) => [name, id]))
    for (const value of [rows, keys, { rows }, [[keys]], [{ a: 1, rows: [0, rows] }]]) {
      const text = JSON.stringify(value)
      const found = drain(text, 10_000)
      expect(found.turns).toBeGreaterThanOrEqual(text.length / 10_000)
      expect(JSON.stringify(found.value)).toBe(text)
    }
    expect(drain('[1,2]').turns).toBe(0)
  })
})
