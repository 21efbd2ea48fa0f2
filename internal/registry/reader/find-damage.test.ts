import { expect, it } from 'vitest'
import { findDamage } from './find-damage.ts'

it('a short certificate with few destroyed letters has a warning', () => {
  expect(findDamage('가람남도 바람¹ 113 소유자 Å울동').map(({ code }) => code)).toEqual([
    'TEXT_DAMAGED',
  ])
})

it('a name with letters of its own has none', () => {
  expect(findDamage('소유자 José Núñez 미합중국인 850101-*******')).toEqual([])
})

it('㎡, brackets and quotes of a certificate are its own', () => {
  expect(findDamage('【 갑 구 】 714㎡에 ‘기록사항 없음’으로 표시함·매매')).toEqual([])
})
