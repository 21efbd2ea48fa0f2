/** The end of one of several holders leaves the entry in force for the others [documents 9.4]. */
import { describe, expect, it } from 'vitest'
import { OWNER, type RowText, readRows } from '../fixtures/certificate/from-rows.ts'

const RECEIPT = '2011년1월2일\n제3호'
const WITHDRAWN = ['2012년3월4일\n제30호', '2012년3월1일\n일부취하'] as const

const creditorsOf = (strike: string): RowText => [
  '2',
  '가압류',
  RECEIPT,
  '2011년1월1일\n가람지방법원의 가압류\n결정(2011카단12)',
  [
    '청구금액  금30,000,000원',
    '채권자',
    '1. 문새벽  700101-1******',
    '    가람시 나래구 다솜로 1',
    `${strike}2. 한다솜${strike}  ${strike}740303-2******${strike}`,
    `    ${strike}가람시 나래구 다솜로 3${strike}`,
  ].join('\n'),
]

describe.each([
  ['2-1', '2번가압류변경', '채권자 2. 말소'],
  ['2-1', '2번가압류변경', '채권자  한다솜 말소'],
  ['2-1', '2번가압류 채권자 2. 말소', ''],
  ['3', '2번가압류등기중 채권자 한다솜 말소', ''],
])('rank %s, %s with %j', (rank, purpose, rights) => {
  const read = (strike: string) =>
    readRows({ sectionA: [OWNER, creditorsOf(strike), [rank, purpose, ...WITHDRAWN, rights]] })

  it('ends one creditor of an attachment', () => {
    const { document, codes } = read('~~')
    const [, attached, end] = document.section_a
    expect(attached?.status).toMatchObject({ is_cancelled: false })
    expect(attached?.status.modifications).toMatchObject([
      { by_rank: rank, type: 'change', changed_fields_guess: ['채권자'] },
    ])
    expect(attached?.content.persons.map(({ name }) => name)).toEqual(['문새벽'])
    expect(end?.content.persons).toEqual([])
    expect(codes).toEqual([])
  })

  it('is reported if nothing is struck through', () => {
    expect(read('').codes).toEqual(['CHANGED_WITHOUT_STRIKE'])
  })
})

it('of a sub-entry leaves it in force', () => {
  const [, , ...cells] = creditorsOf('~~')
  const mortgage: RowText = [
    '1',
    '근저당권설정',
    RECEIPT,
    '',
    '채권최고액  금100원\n근저당권자  가나은행  110111-0000005',
  ]
  const sectionB = [
    mortgage,
    ['1-1', '1번근저당권부채권가압류', ...cells],
    ['2', '1-1번가압류 채권자 2. 말소', ...WITHDRAWN, ''],
  ]
  const { document, codes } = readRows({ sectionB })
  const statuses = document.section_b.map(({ status }) => status)
  expect(statuses.map((status) => status.is_cancelled)).toEqual([false, false, false])
  expect(statuses[1]?.modifications).toMatchObject([{ by_rank: '2', type: 'change' }])
  expect(codes).toEqual([])
})

it.each([
  ['3번등기말소', '가압류', '말소'],
  ['3번경정', '가압류', '경정'],
])('a purpose that names only a rank has its right: %s', (purpose, right, action) => {
  const [, ...cells] = creditorsOf('')
  const sectionA: readonly RowText[] = [
    OWNER,
    ['~3', ...cells],
    ['4', purpose, '2012년3월4일\n제30호', '', ''],
  ]
  const { document, codes } = readRows({ sectionA })
  const entry = document.section_a.at(-1)
  expect(entry?.purpose).toMatchObject({ right_type: right, action_type: action })
  expect(entry?.confidence).toBe(1)
  expect(codes).not.toContain('PURPOSE_UNKNOWN')
})
