import { expect, it } from 'vitest'
import { readRank } from './read-numbers.ts'
import { FIXED_PITCH } from './sign-widths.ts'
import type { StretchReader, Variant } from './stretch-reader.ts'

const BOX = { left: 120, top: 0, right: 140, bottom: 18 }
const said = (text: string, confidence: number) => ({ text, confidence })
type Said = ReturnType<typeof said>

/** A page in which a place is as wide as its text, and of which the engine reads what is given. */
const readerOf = (printed: string, read: (variant: Variant) => Said): StretchReader => {
  const missOf = (text: string) => Math.abs(text.replace(/\s/g, '').length - printed.length)
  return {
    unit: 200 / 72,
    widths: FIXED_PITCH,
    excessOf: (text) => text.length - printed.length,
    missOf,
    read: (_box, _signs, variant = { margin: 3 }) => {
      const text = read(variant)
      return { text, miss: missOf(text.text) }
    },
    readFirst: () => ({ text: read({ margin: 3 }), miss: 0 }),
    readAgain: () => [],
    signsIn: () => [],
  }
}

const rankOf = (printed: string, first: Said, read: (variant: Variant) => Said): Said => {
  const reader = readerOf(printed, read)
  return readRank(reader, BOX, { text: first, miss: reader.missOf(first.text, BOX) })
}

it('a digit that is only read enlarged is a rank, which is doubted', () => {
  const read = ({ isLarge }: Variant) => (isLarge === true ? said('2', 0) : said('', 0))
  expect(rankOf('2', said('그', 64), read)).toEqual({ text: '2', confidence: 8 })
})

it('what no reading takes for a digit stays as it is', () => {
  expect(rankOf('2', said('그', 64), () => said('', 0))).toEqual(said('그', 64))
})

it.each([
  ['9 1', 82],
  ['91', 41],
])('the lost hyphen of %j is found by the width', (text, confidence) => {
  const first = said(text, confidence)
  expect(rankOf('9-1', first, () => said('91', 41)).text).toBe('9-1')
})

it('two digits as wide as their place have no hyphen', () => {
  expect(rankOf('91', said('91', 41), () => said('91', 41)).text).toBe('91')
})
