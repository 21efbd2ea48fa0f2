import { describe, expect, test } from 'vitest'
import { diffOf, openDiffOf } from './file-diff.ts'

const changed = (before: string | null, after: string | null) =>
  ({ path: 'a.ts', change: 'changed', before, after }) as const

describe('the changes of a file', () => {
  test('count its lines, without one that ends the file', () => {
    expect(diffOf(changed('a\nb\n', 'a\nc\n'))).toMatchObject({ added: 1, removed: 1 })
    expect(diffOf(changed(null, 'a\nb\n'))).toMatchObject({ added: 2, removed: 0 })
    expect(diffOf(changed('a\n', null))).toMatchObject({ added: 0, removed: 1 })
  })

  test('are not known where the text is not', () => {
    expect(diffOf(changed(null, null))).toBe(null)
  })

  test('are shown at once where they are few, up to ten files', () => {
    const long = Array.from({ length: 200 }, (_, at) => `${at}\n`).join('')
    expect(openDiffOf(changed('a\n', 'b\n'), 0)).toMatchObject({ added: 1 })
    expect(openDiffOf(changed('a\n', 'b\n'), 10)).toBe(undefined)
    expect(openDiffOf(changed('', long), 0)).toBe(undefined)
    expect(openDiffOf(changed('x'.repeat(20_000), 'y'), 0)).toBe(undefined)
  })
})
