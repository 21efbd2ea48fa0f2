/** The end of a right on another right or restraint, which the purpose names by the rank of the other [documents 9.13]. */
import { expect, it } from 'vitest'
import { OWNER, type RowText, readRows } from '../fixtures/certificate/from-rows.ts'

const CAUSE = '2000년3월1일\n설정계약'
const HOME = '    가람시 나래동 1'
const received = (year: number) => `${year}년3월2일\n제${year}호`
const HOLDER = `채권자  한다솜  720202-*******\n${HOME}`
const BANK = `채권최고액  금100원\n채무자  한누리\n${HOME}\n근저당권자  누리은행\n${HOME}`
const ENTRIES: Readonly<Record<string, RowText>> = {
  근저당권설정: ['1', '근저당권설정', received(2001), CAUSE, BANK],
  전세권설정: [
    '1',
    '전세권설정',
    received(2001),
    CAUSE,
    `전세금  금100원\n범  위  전부\n전세권자  한누리\n${HOME}`,
  ],
  소유권이전: ['2', '소유권이전', received(2001), CAUSE, `소유자  한누리\n${HOME}`],
  가등기: ['2', '소유권이전청구권가등기', received(2001), CAUSE, `가등기권자  한누리\n${HOME}`],
}
const endOf = (rank: string, purpose: string): RowText => [
  rank,
  purpose,
  received(2010),
  '2010년3월1일\n해지',
  '',
]
const read = (first: string, others: readonly RowText[]) => {
  const rows = [ENTRIES[first] ?? [], ...others]
  const isSectionA = rows[0]?.[0] === '2'
  const { document, codes } = readRows(
    isSectionA ? { sectionA: [OWNER, ...rows] } : { sectionB: rows },
  )
  const entries = isSectionA ? document.section_a.slice(1) : document.section_b
  return { ended: entries.map(({ status }) => status.is_cancelled), codes }
}

it.each([
  ['근저당권설정', '~1-1', '1번근저당권부질권', '1번근저당권부질권등기말소'],
  ['근저당권설정', '~1-1', '1번근저당권부채권가압류', '1번근저당권부채권가압류등기말소'],
  ['근저당권설정', '~1-1', '1번근저당권부채권압류', '1번근저당권부채권압류등기말소'],
  ['전세권설정', '~1-1', '1번전세권근저당권설정', '1번전세권근저당권설정등기말소'],
  ['소유권이전', '~2-1', '금지사항등기', '2번금지사항등기말소'],
  ['소유권이전', '~3', '2번한누리지분가압류', '2번한누리지분가압류등기말소'],
  ['가등기', '~2-1', '2번소유권이전청구권가처분', '2번소유권이전청구권가처분등기말소'],
  ['가등기', '~2-1', '2번소유권이전청구권의이전', '2번소유권이전청구권의이전등기말소'],
])('of %s at rank %s ends by %j %j', (first, rank, purpose, end) => {
  const right: RowText = [rank, purpose, received(2003), CAUSE, HOLDER]
  const { ended, codes } = read(first, [right, endOf('4', end)])
  expect(ended).toEqual([false, true, false])
  expect(codes).not.toContain('CANCELLED_WITHOUT_STRIKE')
})

it('of a struck notice of an action ends by the rank of the ownership', () => {
  const notice: RowText = ['~3', '2번소유권이전등기말소예고등기', received(2003), CAUSE, '']
  const end = endOf('4', '2번소유권이전등기말소예고등기말소')
  expect(read('소유권이전', [notice, end]).ended).toEqual([false, true, false])
})

it('that is not in the document is reported and ends no other', () => {
  const { ended, codes } = read('근저당권설정', [endOf('2', '1번근저당권부질권등기말소')])
  expect({ ended, codes }).toEqual({ ended: [false, false], codes: ['TARGET_NOT_FOUND'] })
})

it('ends no right that came later', () => {
  const pledge: RowText = ['1-1', '1번근저당권부질권', received(2012), CAUSE, HOLDER]
  const { ended } = read('근저당권설정', [pledge, endOf('2', '1번근저당권부질권등기말소')])
  expect(ended).toEqual([false, false, false])
})
