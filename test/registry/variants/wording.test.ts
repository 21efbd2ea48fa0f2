/** Entries in Hanja, labels with colons, and shares at other places of a holder's lines [documents 3.8], [documents 7.7]. */
import { describe, expect, it } from 'vitest'
import { OWNER, type RowText, readRows } from '../fixtures/certificate/from-rows.ts'

const RECEIPT = '2011년1월2일\n제3호'
const CAUSE = '2011년1월1일\n설정계약'
const HOME = '    가람특별시 나래구 다솜로 12'
const ADDRESS = HOME.trim()

const readRight = (purpose: string, rights: string) => {
  const { document, codes } = readRows({ sectionB: [['1', purpose, RECEIPT, CAUSE, rights]] })
  return { entry: document.section_b[0], codes }
}
const readOwners = (rights: string) => {
  const { document, codes } = readRows({
    sectionA: [OWNER, ['2', '소유권이전', RECEIPT, CAUSE, rights]],
  })
  const { persons = [], shares = [] } = document.section_a[1]?.content ?? {}
  return {
    holders: persons.map(({ name, address, share }) => `${name}|${address}|${share}`),
    raw: shares.map(({ raw }) => raw),
    codes,
  }
}

describe('words in Hanja', () => {
  it.each([
    ['所有權保存', '소유권보존 설정 null null'],
    ['所有權移轉', '소유권이전 이전 null null'],
    ['2番金哲洙持分全部移轉', '소유권이전 이전 2 金哲洙'],
    ['2番金哲洙持分4分之1中 一部(8分之1)移轉', '소유권이전 일부이전 2 金哲洙'],
    ['所有權移轉請求權假登記', '가등기 설정 null null'],
    ['2番 及 3番 假押留登記抹消', '가압류 말소 2,3 null'],
    ['1番登記名義人表示更正', '등기명의인표시변경 경정 1 null'],
    ['强制競賣申請', '경매 설정 null null'],
  ])('classify a purpose: %s', (purpose, read) => {
    const row: RowText = ['4', purpose, RECEIPT, CAUSE, '']
    const entry = readRows({ sectionA: [OWNER, row] }).document.section_a[1]
    const { right_type, action_type, target_rank, target_owner, normalized } = entry?.purpose ?? {}
    expect(`${right_type} ${action_type} ${target_rank} ${target_owner}`).toBe(read)
    expect(normalized).toBe(purpose.replaceAll(' ', ''))
  })

  it('are labels of the rights column, and the names stay', () => {
    const rights = `債權最高額  金壹億원整\n債務者  金哲洙\n${HOME}\n根抵當權者  다솜은행  110111-0000002\n${HOME}\n共同擔保目錄  제2011-12호`
    const { entry, codes } = readRight('根抵當權設定', rights)
    expect(entry?.content.amounts).toEqual([
      { type: '채권최고액', value: 100_000_000, raw: '金壹億원整' },
    ])
    expect(entry?.content.persons.map(({ role, name }) => `${role} ${name}`)).toEqual([
      '채무자 金哲洙',
      '근저당권자 다솜은행',
    ])
    expect(entry?.content.collateral?.list_number).toBe('2011-12')
    expect(codes).toEqual([])
  })

  it('cancel a right and end a trust', () => {
    const mortgage: RowText = [
      '~1',
      '根抵當權設定',
      RECEIPT,
      CAUSE,
      `債權最高額  金100원\n根抵當權者  다솜은행\n${HOME}`,
    ]
    const end: RowText = ['2', '1番根抵當權設定登記抹消', RECEIPT, '2011년1월2일\n解止', '']
    const { document, codes } = readRows({ sectionB: [mortgage, end] })
    expect(document.section_b[0]?.status).toMatchObject({
      is_cancelled: true,
      cancelled_by_rank: '2',
    })
    expect(codes).toEqual([])
    const sale: RowText = ['2', '所有權移轉 及 信託', RECEIPT, CAUSE, `受託者  다솜신탁\n${HOME}`]
    const { purpose } = readRows({ sectionA: [OWNER, sale] }).document.section_a[1] ?? {}
    expect(purpose?.sub_purposes.map(({ right_type }) => right_type)).toEqual([
      '소유권이전',
      '신탁',
    ])
  })
})

describe('a colon behind a label', () => {
  it.each([' : ', ':', ':  ', '  :  '])('%j belongs to the label', (colon) => {
    const rights = [
      `전세금${colon}금5,000,000원`,
      `범  위${colon}2층 전부`,
      `존속기간${colon}2011년 1월 1일부터 2012년 1월 1일까지`,
      `전세권자${colon}한다솜`,
      `${HOME}`,
    ].join('\n')
    const { entry, codes } = readRight('전세권설정', rights)
    const { amounts, persons, term, notes_raw: notes } = entry?.content ?? {}
    expect(amounts?.map(({ value }) => value)).toEqual([5_000_000])
    expect(persons?.map(({ name, address }) => `${name} ${address}`)).toEqual([`한다솜 ${ADDRESS}`])
    expect(term).toMatchObject({
      scope: '2층 전부',
      duration: '2011년 1월 1일부터 2012년 1월 1일까지',
    })
    expect({ notes, codes }).toEqual({ notes: null, codes: [] })
  })
})

it.each([`주소  ${ADDRESS}`, `주  소 : ${ADDRESS}`, `    주소 : ${ADDRESS}`])(
  'an address may have its label: %s',
  (line) => {
    const rights = `채권최고액  금100원\n근저당권자  다솜은행  110111-0000002\n${line}`
    const { entry, codes } = readRight('근저당권설정', rights)
    expect(entry?.content.persons.map(({ address }) => address)).toEqual([ADDRESS])
    expect(codes).toEqual([])
  },
)

it('a duration continues below a line that it fills, also with 합의하여', () => {
  const term = '존속기간 2011년 1월 1일부터 2012년 1월 1일까지 그러나 합의하여 연장할 수 있음'
  const { entry } = readRight('전세권설정', `전세금  금100원\n${term}\n전세권자  한다솜\n${HOME}`)
  expect(`존속기간 ${entry?.content.term?.duration}`).toBe(term)
})

describe('the share of a holder', () => {
  const first = '한누리  700101-*******'
  const second = '한다솜  720202-*******'
  const halves = ['2분의 1', '2분의 1']
  const thirds = ['3분의 1', '3분의 2']
  it.each([
    [
      'is in brackets behind the name',
      `한누리(지분 2분의 1)  700101-*******\n${HOME}\n한다솜 (지분 2분의 1)\n${HOME}`,
      halves,
    ],
    [
      'is broken in its brackets',
      `한누리(지분 3분\n의 1)  700101-*******\n${HOME}\n한다솜(지분\n3분의 2)\n${HOME}`,
      thirds,
    ],
    [
      'is broken in brackets of its own',
      `(지분 3분의\n1)\n${first}\n${HOME}\n(지분 3\n분의 2)\n${second}\n${HOME}`,
      thirds,
    ],
    [
      'is broken without brackets',
      `지분 3분의\n1\n${first}\n${HOME}\n지분 3분\n의 2\n${second}\n${HOME}`,
      thirds,
    ],
    [
      'follows the address',
      `${first}\n${HOME}\n지분 3분의 1\n${second}\n${HOME}\n지분 3분의 2`,
      thirds,
    ],
    [
      'is above the address',
      `${first}\n    (지분 3분의 1)\n${HOME}\n${second}\n    (지분 3분의 2)\n${HOME}`,
      thirds,
    ],
    [
      'is apart from its label',
      `지  분  3분의 1\n${first}\n${HOME}\n지분  3분의 2\n${second}\n${HOME}`,
      thirds,
    ],
    [
      'has a colon',
      `지분 : 3분의 1\n${first}\n${HOME}\n지  분  :  3분의 2\n${second}\n${HOME}`,
      thirds,
    ],
    ['is in Hanja', `持分 3分의 1\n${first}\n${HOME}\n持分 3分之 2\n${second}\n${HOME}`, thirds],
  ])('%s', (_, lines, shares) => {
    const { holders, codes } = readOwners(`공유자\n${lines}`)
    expect(holders).toEqual([`한누리|${ADDRESS}|${shares[0]}`, `한다솜|${ADDRESS}|${shares[1]}`])
    expect(codes).toEqual([])
  })

  it('is given as printed', () => {
    const lines = `지  분  3분의 1\n${first}\n${HOME}\n(지분 3분의\n2)\n${second}\n${HOME}`
    expect(readOwners(`공유자\n${lines}`).raw).toEqual(['지분 3분의 1', '(지분 3분의 2)'])
  })
})
