import { expect, it } from 'vitest'
import { FIXED_PITCH, fitSignWidths, inkWidth, type SignWidths } from './sign-widths.ts'

const TEXTS = [
  '소유권이전',
  '근저당권설정',
  '2000년4월4일',
  '제14780호',
  '지분 4분의 1',
  '가람특별시 구름구 바람동 353,',
  '1층 604.38',
  '910913-1',
  '(누리동,누리빌딩)',
  '철근콘크리트구조',
  '채권최고액 금120,000,000원',
  '권리자 및 기타사항',
  '302호',
]
const printed = (widths: SignWidths) =>
  TEXTS.map((text) => ({ text, width: inkWidth(text, widths) }))

it.each([
  ['narrow digits', { wide: 9, digit: 5, other: 2.6, blank: 2.7 }],
  ['small print', { wide: 8.5, digit: 4.7, other: 3, blank: 2.4 }],
])('learns the widths of a font: %s', (_, widths) => {
  const fitted = fitSignWidths(printed(widths))
  for (const kind of ['wide', 'digit', 'other', 'blank'] as const)
    expect(fitted[kind]).toBeCloseTo(widths[kind], 0)
})

it('one text that was misread does not change what the others teach', () => {
  const widths = { wide: 9, digit: 5, other: 2.6, blank: 2.7 }
  const fitted = fitSignWidths([...printed(widths), { text: '콘', width: 60 }])
  expect(inkWidth('2000년4월4일', fitted)).toBeCloseTo(inkWidth('2000년4월4일', widths), 0)
})

it('the fixed pitch of the registry is kept as it is, and where there is little to learn from', () => {
  const near = printed(FIXED_PITCH).map(({ text, width }) => ({ text, width: width + 0.2 }))
  expect(fitSignWidths(near)).toBe(FIXED_PITCH)
  expect(fitSignWidths(printed({ wide: 9, digit: 4, other: 2, blank: 2 }).slice(0, 5))).toBe(
    FIXED_PITCH,
  )
})
