import { describe, expect, it } from 'vitest'
import { repairLetters } from './repair-letters.ts'

const FONT = [...'가각간갇갈갉갊감갑값갓갔강갖갗같갚갛개객갠갤갬갭갯갰']

/** What Ghostscript makes of the first letter of a range, and of those after it. */
const damaged = (letter: string, at: number): string => {
  const first = (letter.codePointAt(0) ?? 0) - at
  return String.fromCodePoint(((first >> 8) | (first & 0xff)) + at)
}

describe('letters that Ghostscript destroyed', () => {
  it('are found from their neighbours in a font that has all Hangul', () => {
    const letters = new Map([
      [0x16ab, '가'],
      [0x16ab + 0xbd80 - 0xac00, '½'],
      [0x16ab + 0xbd81 - 0xac00, '¾'],
      [0x4114, '활'],
    ])
    expect([...repairLetters(letters).values()]).toEqual(['부', '북'])
  })

  it('are found in a font that has the frequent Hangul alone', () => {
    const letters = new Map(FONT.map((letter, at) => [100 + at, letter]))
    letters.set(118, damaged('개', 0))
    letters.set(119, damaged('객', 0))
    expect([...repairLetters(letters)]).toEqual([
      [118, '개'],
      [119, '객'],
    ])
  })

  it('are found where a range was longer', () => {
    const letters = new Map(FONT.map((letter, at) => [100 + at, letter]))
    letters.set(101, damaged('각', 1))
    expect([...repairLetters(letters)]).toEqual([[101, '각']])
  })

  it('are found where digits took the place of brackets', () => {
    const letters = new Map([
      [17, '0'],
      [18, '1'],
      [62, ']'],
      [128, '0'],
      [129, '1'],
      [605, '㎡'],
    ])
    expect([...repairLetters(letters)]).toEqual([
      [128, '【'],
      [129, '】'],
    ])
  })

  it('stay as they are where the neighbours do not explain them', () => {
    const letters = new Map([
      [1, '하'],
      [2, '½'],
      [3, '가'],
      [4, '·'],
    ])
    expect(repairLetters(letters).size).toBe(0)
  })
})
