import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffLines, firstLines, toHunks } from './diff-lines.ts'

const marks = { same: ' ', added: '+', removed: '-' } as const
const show = (before: string, after: string): string =>
  diffLines([...before], [...after])
    .map(({ kind, text }) => `${marks[kind]}${text}`)
    .join(' ')

describe('the difference of two texts', () => {
  test.each([
    ['', '', ''],
    ['abc', 'abc', ' a  b  c'],
    ['', 'ab', '+a +b'],
    ['ab', '', '-a -b'],
    ['abc', 'axc', ' a -b +x  c'],
    ['abcabba', 'cbabac', '-a -b  c +b  a  b -b  a +c'],
  ])('of %j and %j is %j', (before, after, expected) => {
    expect(show(before, after)).toBe(expected)
  })

  test('gives both back', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after)
        const without = (left: string) =>
          lines.filter(({ kind }) => kind !== left).map((line) => line.text)
        expect(without('added')).toEqual(before)
        expect(without('removed')).toEqual(after)
      }),
    )
  })

  test('is cut after a number of lines', () => {
    const lines = [...'abcd'].map((text) => ({ kind: 'added', text }) as const)
    const hunks = [
      { skipped: 0, lines: lines.slice(0, 2) },
      { skipped: 5, lines: lines.slice(2) },
    ]
    const cut = (most: number) => firstLines(hunks, most).map((hunk) => hunk.lines.length)
    expect([0, 2, 3, 9].map(cut)).toEqual([[], [2], [2, 1], [2, 2]])
  })

  test('shows changes with the lines around them, and counts the rest', () => {
    const before = [...'abcdefghijklmnop']
    const after = before.with(1, 'X').with(14, 'Y')
    expect(
      toHunks(diffLines(before, after), 1).map(({ skipped, lines }) => [
        skipped,
        lines.map(({ kind, text }) => `${marks[kind]}${text}`).join(''),
      ]),
    ).toEqual([
      [0, ' a-b+X c'],
      [10, ' n-o+Y p'],
    ])
    expect(toHunks(diffLines(before, before))).toEqual([])
  })
})
