import type { AmountInfo, AmountType } from '#core/registry/document.ts'
import type { Draft } from './draft.ts'

const DIGITS = ['', '일', '이', '삼', '사', '오', '육', '칠', '팔', '구']
const UNITS = ['', '십', '백', '천']
const GROUPS = ['', '만', '억', '조']

const groupInHangul = (group: number): string =>
  [3, 2, 1, 0]
    .map((place) => {
      const digit = Math.floor(group / 10 ** place) % 10
      if (digit === 0) return ''
      // a single ten, hundred or thousand is read without its one, as in 금일억이천만원 for the thousands
      return `${digit === 1 && place > 0 ? '' : DIGITS[digit]}${UNITS[place]}`
    })
    .join('')

export const inHangul = (value: number): string => {
  let text = ''
  for (let rest = value, index = 0; rest > 0; rest = Math.floor(rest / 10_000), index += 1) {
    const group = rest % 10_000
    if (group > 0) text = `${groupInHangul(group)}${GROUPS[index]}${text}`
  }
  return text
}

const grouped = (value: number): string => value.toLocaleString('en-US')

const mixed = (value: number): string => {
  const hundredMillions = Math.floor(value / 100_000_000)
  const rest = Math.floor((value % 100_000_000) / 10_000)
  return `금${hundredMillions}억${rest === 0 ? '' : `${grouped(rest)}만`}원`
}

/** A sum as certificates print it: mostly digits, sometimes in words. */
const printWon = (draft: Draft, value: number): string => {
  const isRound = value % 10_000 === 0
  if (isRound && draft.wants('hangul_amount', 0.06)) {
    return `금${inHangul(value)}원${draft.random.chance(0.4) ? '정' : ''}`
  }
  if (isRound && value >= 100_000_000 && draft.wants('mixed_amount', 0.06)) return mixed(value)
  if (draft.wants('amount_with_jeong', 0.06)) return `금${grouped(value)}원정`
  if (!isRound && draft.wants('amount_with_blank', 0.5)) return `금${grouped(value)} 원`
  return `금${grouped(value)}원`
}

export const makeAmount = (draft: Draft, type: AmountType, value: number): AmountInfo => ({
  type,
  value,
  raw: printWon(draft, value),
})
/** Round sums, as contracts have them. */
export const roundSum = (draft: Draft, from: number, to: number): number =>
  draft.random.integer(from, to) * 10_000_000
/** Sums to the last won, as courts order them. */
export const exactSum = (draft: Draft): number => draft.random.integer(3_000_001, 190_000_000)

/** Money that is no won: it is printed, and becomes no amount. */
export const foreignSum = (draft: Draft): string => {
  draft.warnings.add('FOREIGN_CURRENCY')
  const value = `${grouped(draft.random.integer(2, 90) * 50_000)}`
  return draft.random.pick([
    `미화금${value}달러`,
    `일본국법화 금${value}엔`,
    `유로화 금${value}유로`,
  ])
}
