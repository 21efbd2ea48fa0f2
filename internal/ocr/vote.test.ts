import { expect, it } from 'vitest'
import { overrule, vote } from './vote.ts'

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

it('a first reading is overruled by others that agree and are each surer, and by nothing less', () => {
  const first = said('7870', 60)
  expect(overrule(first, [said('787㎡', 80), said('787 ㎡', 70)]).text).toBe('787㎡')
  expect(overrule(first, [said('787㎡', 80), said('787㎡', 50)])).toBe(first)
  expect(overrule(first, [said('787㎡', 80), said('767㎡', 90)])).toBe(first)
  expect(overrule(first, [])).toBe(first)
})
