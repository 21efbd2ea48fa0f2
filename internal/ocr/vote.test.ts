import { expect, it } from 'vitest'
import { FURTHER, overrule, vote } from './vote.ts'

const said = (text: string, confidence = 90) => ({ text, confidence })

it('most of the readings win, however sure the other is', () => {
  expect(vote([said('솔빚리 4', 99), said('솔빛리 4', 80), said('솔빛리4', 81)])).toEqual(
    said('솔빛리4', 81),
  )
})

it('without a majority each sign is voted on, among readings of one length', () => {
  const three = [said('가나 다라'), said('거나 다라'), said('가나 더러', 70), said('가나다')]
  expect(vote(three).text).toBe('가나 다라')
})

it('readings that have nothing in common leave the surest', () => {
  expect(vote([said('가', 50), said('나나', 70), said('', 0)])).toEqual(said('나나', 70))
})

it('one reading stays as it is', () => {
  expect(vote([said('을 구', 12)])).toEqual(said('을 구', 12))
})

const anywhere = (): boolean => true

it('three further readings that agree overrule the first, however sure it is, and two do not', () => {
  const first = said('솔빚리', 95)
  const [other, spaced] = [said('솔빛리', 80), said('솔빛 리', 85)]
  expect(overrule(first, [other, said('솔빋리'), spaced, other], anywhere)).toBe(spaced)
  expect(overrule(first, [other, said('솔빋리'), spaced, first], anywhere)).toBe(first)
  expect(overrule(first, [], anywhere)).toBe(first)
})

it('what they agree on must be as wide as its place', () => {
  const first = said('7870', 60)
  const others = Array.from({ length: FURTHER }, () => said('78', 90))
  expect(overrule(first, others, (text) => text.length === 4)).toBe(first)
})

it('no more readings are made than can change the outcome', () => {
  let asked = 0
  function* echo(text: string): Generator<ReturnType<typeof said>> {
    while (asked < FURTHER) {
      asked += 1
      yield said(text)
    }
  }
  expect(overrule(said('대지'), echo('대지'), anywhere).text).toBe('대지')
  expect(asked).toBe(2)
})
