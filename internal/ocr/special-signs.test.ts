import { expect, it } from 'vitest'
import { isBelieved } from './special-signs.ts'

const metre = { text: '㎡', left: 0, right: 1 }
const stars = { text: '*******', left: 0, right: 1 }

it.each(['307', '1층 307.52', '3,965', '787.'])(
  '㎡ is believed behind the number of %s',
  (before) => {
    expect(isBelieved(metre, before)).toBe(true)
  },
)

it.each(['(다솜동,', '1동의 건물', ''])('a letter behind %s is not read as ㎡', (before) => {
  expect(isBelieved(metre, before)).toBe(false)
})

it('stars are believed behind the first part of a number', () => {
  expect(isBelieved(stars, '340913-')).toBe(true)
  expect(isBelieved(stars, '채무자')).toBe(false)
})
