/** Purposes that name several ranks, or none [documents 6.5], [documents 9.8]. */
import { describe, expect, it } from 'vitest'
import { OWNER, type RowText, readRows } from '../fixtures/certificate/from-rows.ts'

const RECEIPT = '2011년1월2일\n제3호'
const CREDITOR = '채권자  가나은행  110111-0000005\n    가람특별시 중구 누리로 1'
const seized = (rank: string): RowText => [
  rank,
  '압류',
  RECEIPT,
  '2011년1월2일\n압류(징세과-1)',
  '권리자  국\n처분청  구름세무서',
]
const attached: RowText = ['2', '가압류', RECEIPT, '2011년1월1일\n가압류결정', CREDITOR]
const ended = (rank: string, purpose: string): RowText => [
  rank,
  purpose,
  RECEIPT,
  '2012년1월2일\n해제',
  '',
]

const cancelledBy = (purpose: string): readonly string[] => {
  const sectionA = [OWNER, attached, ...['3', '4', '5'].map(seized), ended('6', purpose)]
  return readRows({ sectionA })
    .document.section_a.filter(({ status }) => status.is_cancelled)
    .map(({ rank_number }) => rank_number)
}

describe('a cancellation of several entries', () => {
  it.each([
    ['2번가압류, 3번 내지 5번 압류 등기말소', '2,3,4,5'],
    ['2번가압류, 3, 4, 5번압류 등기말소', '2,3,4,5'],
    ['2번가압류와 3번압류등기말소', '2,3'],
    ['2번가압류 및 3번, 5번 압류등기말소', '2,3,5'],
    ['2번가압류·4번압류등기말소', '2,4'],
    ['2번~4번등기말소', '2,3,4'],
    ['2, 4, 5번등기말소', '2,4,5'],
  ])('%s cancels ranks %s', (purpose, ranks) => {
    expect(cancelledBy(purpose).join()).toBe(ranks)
  })

  it('of a range of sub-entries cancels each of them', () => {
    const change = (rank: string): RowText => [
      rank,
      '1번근저당권변경',
      RECEIPT,
      '',
      '채무자  한다솜',
    ]
    const mortgage: RowText = ['1', '근저당권설정', RECEIPT, '', `채권최고액  금100원\n${CREDITOR}`]
    const end = ended('2', '1-1번 내지 1-3번 등기말소')
    const sectionB = [mortgage, change('1-1'), change('1-2'), change('1-3'), end]
    const { section_b: entries } = readRows({ sectionB }).document
    expect(entries.map(({ status }) => status.is_cancelled)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
  })

  it('that names no rank is reported', () => {
    const { codes, confidence } = readRows({
      sectionA: [OWNER, seized('2'), ended('3', '압류등기말소')],
    })
    expect(codes).toContain('TARGET_NOT_FOUND')
    expect(confidence).toBeLessThan(100)
  })
})

it('a rank with four numbers opens an entry', () => {
  const sub = (rank: string): RowText => [rank, '1번근저당권부질권', RECEIPT, '', CREDITOR]
  const ranks = ['1-1', '1-1-1', '1-1-1-1']
  const { section_b: entries } = readRows({ sectionB: ranks.map(sub) }).document
  expect(entries.map(({ rank_number }) => rank_number)).toEqual(ranks)
})

it('a missing sub-entry is reported', () => {
  const sub = (rank: string): RowText => [rank, '1번근저당권변경', RECEIPT, '', '이자  연 5푼']
  const mortgage: RowText = ['1', '근저당권설정', RECEIPT, '', `채권최고액  금100원\n${CREDITOR}`]
  const { document, codes } = readRows({ sectionB: [mortgage, sub('1-1'), sub('1-4')] })
  expect(codes).toEqual(['RANK_MISSING'])
  expect(document.diagnostics.warnings[0]?.message).toContain('1-2, 1-3')
})

it('an ex-officio cancellation needs no receipt', () => {
  const mortgage: RowText = ['~1', '근저당권설정', RECEIPT, '', `채권최고액  금100원\n${CREDITOR}`]
  const end: RowText = [
    '2',
    '1번근저당권설정등기말소',
    '',
    '',
    '매각으로 인하여\n2012년1월3일 등기',
  ]
  const { document, codes } = readRows({ sectionB: [mortgage, end] })
  expect(document.section_b[0]?.status.cancellation_date).toBe('2012년 01월 03일')
  expect(codes).toEqual([])
})

it('a mortgage on the share of an owner is about ownership, even on that of the first registration', () => {
  const purpose = '갑구1번한누리지분근저당권설정'
  const sectionB: readonly RowText[] = [
    ['1', purpose, RECEIPT, '', `채권최고액  금100원\n${CREDITOR}`],
  ]
  const [entry] = readRows({ sectionB }).document.section_b
  expect(entry?.purpose).toMatchObject({ target_rank: '1', target_type: '소유권이전' })
})

describe('the end of a mortgage', () => {
  const mortgage = (purpose: string): RowText => [
    '1',
    purpose,
    RECEIPT,
    '',
    `채권최고액  금100원\n${CREDITOR}`,
  ]
  it.each([
    ['갑구1번김중현지분근저당권설정', '1번김중현지분근저당권설정등기말소', true, '김중현'],
    ['근저당권설정', '1번근저당권설정등기중 김중현지분 말소', false, '김중현'],
  ])('%s by %s is of the whole: %s', (purpose, end, isWhole, owner) => {
    const sectionB = [mortgage(purpose), ended('2', end)]
    const [first, second] = readRows({ sectionB }).document.section_b
    expect(first?.status.is_cancelled).toBe(isWhole)
    expect(second?.content.notes_raw).toBe(owner)
  })

  it('is not confused with a change, whose amount must be struck', () => {
    const change: RowText = ['1-1', '1번근저당권변경', RECEIPT, '', '채권최고액  금200원']
    expect(readRows({ sectionB: [mortgage('근저당권설정'), change] }).codes).toEqual([
      'CHANGED_WITHOUT_STRIKE',
    ])
  })
})

it.each([
  ['소유권이전 및 신탁', '소유권이전 이전 null|신탁 설정 null'],
  ['소유권이전및신탁', '소유권이전 이전 null|신탁 설정 null'],
  ['소유권이전, 신탁', '소유권이전 이전 null|신탁 설정 null'],
  ['소유권이전 및 신탁재산처분에 의한 신탁', '소유권이전 이전 null|신탁 설정 null'],
  ['소유권이전 및 1번신탁등기말소', '소유권이전 이전 null|신탁 말소 1'],
  ['1번소유권이전등기말소 1번신탁등기말소', '소유권이전 말소 1|신탁 말소 1'],
  ['1번소유권이전 및 신탁등기말소', ''],
])('a purpose names a trust on its line: %s', (printed, parts) => {
  const row: RowText = ['2', printed, RECEIPT, '', CREDITOR]
  const [, entry] = readRows({ sectionA: [OWNER, row] }).document.section_a
  const { raw, sub_purposes: subs } = entry?.purpose ?? {}
  expect(raw?.replaceAll(' ', '')).toBe(printed.replaceAll(' ', ''))
  const read = subs?.map((sub) => `${sub.right_type} ${sub.action_type} ${sub.target_rank}`)
  expect(read?.join('|')).toBe(parts)
})
