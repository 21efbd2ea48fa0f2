import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePath, valueAt } from './value-path.ts'

describe('a reference path', () => {
  it('takes names, indexes and quoted names', () => {
    expect(parsePath('.a[0]["b c"][\'d\']')).toEqual(['a', 0, 'b c', 'd'])
    expect(parsePath('')).toEqual([])
  })

  it('takes a name in any language, and one that begins with a digit', () => {
    expect(parsePath('.소유자.résumé.1st.a-1')).toEqual(['소유자', 'résumé', '1st', 'a-1'])
  })

  it.each(['a', '.', '.a.', '[x]', '[-1]', '["a]', '.a b', '..a'])('refuses %s', (text) => {
    expect(parsePath(text)).toBeNull()
  })

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const path = parsePath(text)
        expect(path === null || Array.isArray(path)).toBe(true)
      }),
    )
  })

  it('reaches own properties only', () => {
    const value = { a: [{ b: 1 }], length: 2 }
    expect(valueAt(value, ['a', 0, 'b'])).toBe(1)
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(valueAt(value, [name])).toBeUndefined()
      expect(valueAt(value, ['a', name])).toBeUndefined()
    }
    expect(valueAt('text', ['length'])).toBeUndefined()
  })
})
