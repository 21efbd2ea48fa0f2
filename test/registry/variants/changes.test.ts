/** The ends of changes, of shares and of trusts, which leave the right itself in force [documents 9.11]. */
import { describe, expect, it } from 'vitest'
import type { PageContent } from '#registry/page-content.ts'
import { OWNER, type RowText, readRows } from '../fixtures/certificate/from-rows.ts'

const RECEIPT = '2011년1월2일\n제3호'
const CAUSE = '2011년1월1일\n설정계약'
const HOME = '    가람특별시 나래구 다솜로 12'
const ended = (rank: string, purpose: string): RowText => [
  rank,
  purpose,
  '2012년1월3일\n제30호',
  '2012년1월2일\n해지',
  '',
]
const NEW_BANK = `근저당권자  주식회사다솜은행  110111-0000003\n${HOME}`

describe('the end of a change', () => {
  const struck = `~~근저당권자~~  ~~주식회사누리은행~~  ~~110111-0000002~~\n    ~~${HOME.trim()}~~`
  const rights = `채권최고액  금100원\n채무자  한누리\n${HOME}\n${struck}`
  const mortgage: RowText = ['1', '근저당권설정', RECEIPT, CAUSE, rights]
  const transfer: RowText = ['~1-1', '1번근저당권이전', RECEIPT, CAUSE, NEW_BANK]

  it.each(['1-1번근저당권이전등기말소', '1번근저당권이전등기말소'])(
    '%s leaves the right with what the change had replaced',
    (purpose) => {
      const { document, codes } = readRows({ sectionB: [mortgage, transfer, ended('2', purpose)] })
      const [first, second] = document.section_b
      expect([first?.status.is_cancelled, second?.status.is_cancelled]).toEqual([false, true])
      expect(first?.content.persons.map(({ name }) => name)).toEqual(['한누리', '주식회사누리은행'])
      expect(codes).toEqual(['CHANGE_CANCELLED'])
    },
  )

  it('that is not in the document is reported and ends no right', () => {
    const whole = rights.replaceAll('~~', '')
    const sectionB = [
      ['1', '근저당권설정', RECEIPT, CAUSE, whole],
      ended('2', '1번근저당권변경등기말소'),
    ]
    const { document, codes } = readRows({ sectionB })
    expect(document.section_b[0]?.status.is_cancelled).toBe(false)
    expect(codes).toEqual(['TARGET_NOT_FOUND'])
  })

  it('of a name ends no ownership', () => {
    const changed: RowText = [
      '~1-1',
      '1번등기명의인표시변경',
      RECEIPT,
      CAUSE,
      '한누리의 주소  나래',
    ]
    const sectionA = [OWNER, changed, ended('2', '1번등기명의인표시변경등기말소')]
    const { section_a: entries } = readRows({ sectionA }).document
    expect(entries.map(({ status }) => status.is_cancelled)).toEqual([false, true, false])
  })
})

it.each([
  ['1번근저당권설정등기일부말소, 2번근저당권설정등기말소', [false, true], ['3'], []],
  ['1번근저당권설정등기말소, 2번근저당권설정등기일부말소', [true, false], [], ['3']],
  ['1번근저당권말소 및 2번근저당권(일부)말소등기', [true, false], [], ['3']],
  ['1번근저당권설정, 2번근저당권설정 등기일부말소', [false, false], ['3'], ['3']],
])(
  'a cancellation ends a part only of the targets of which it is said: %s',
  (purpose, isEnded, ...by) => {
    const mortgage = (rank: string, isStruck = false): RowText => [
      isStruck ? `~${rank}` : rank,
      '근저당권설정',
      RECEIPT,
      CAUSE,
      `채권최고액  금100원\n${NEW_BANK}`,
    ]
    const sectionB = [mortgage('1', isEnded[0]), mortgage('2', isEnded[1]), ended('3', purpose)]
    const { document, codes } = readRows({ sectionB })
    const targets = document.section_b.slice(0, 2).map(({ status }) => status)
    expect(targets.map((status) => status.is_cancelled)).toEqual(isEnded)
    expect(targets.map(({ modifications }) => modifications.map((each) => each.by_rank))).toEqual(
      by,
    )
    expect(codes).toEqual([])
  },
)

describe('what stays below a label that is struck through', () => {
  const sum = '채권최고액  금100원'
  const struckBank = '~~근저당권자~~  ~~주식회사누리은행~~'
  const readChanged = (rights: string, change: RowText) =>
    readRows({ sectionB: [['1', '근저당권설정', RECEIPT, CAUSE, rights], change] }).document
      .section_b[0]?.content

  it('is a property given as collateral, and no address', () => {
    const struck = '~~공동담보~~  ~~토지 가람도 하늘시 구름면 바람리 1~~'
    const content = readChanged(
      `${sum}\n${NEW_BANK}\n${struck}\n          건물 가람도 하늘시 구름면 바람리 2`,
      ['1-1', '1번근저당권공동담보일부소멸', RECEIPT, CAUSE, ''],
    )
    expect(content?.persons.map(({ address }) => address)).toEqual([HOME.trim()])
    const items = content?.collateral?.items.map((item) => [item.property_type, item.location])
    expect(items).toEqual([['건물', '가람도 하늘시 구름면 바람리 2']])
  })

  it.each([`${struckBank}  ~~110111-0000002~~`, `${struckBank}\n              ~~110111-0000002~~`])(
    'is not the address of the holder above: %s',
    (bank) => {
      const debtor = '채무자  한누리\n    가람시 나래동 1'
      const content = readChanged(`${sum}\n${debtor}\n${bank}\n${HOME}`, [
        '1-1',
        '1번근저당권이전',
        RECEIPT,
        CAUSE,
        NEW_BANK,
      ])
      expect(content?.persons.map(({ address }) => address)).toEqual(['가람시 나래동 1'])
      expect(content?.notes_raw).toBe(HOME.trim())
    },
  )
})

it.each([
  ['~~문새벽~~', '~~730303-*******~~', HOME.trim(), ['STRUCK_IN_PART']],
  ['문새벽', '~~730303-*******~~', `~~${HOME.trim()}~~`, ['STRUCK_IN_PART']],
  ['~~문새벽~~', '~~730303-*******~~', `~~${HOME.trim()}~~`, []],
])('a co-owner %s %s %s is left out with the warnings %j', (name, number, address, warnings) => {
  const other = `지분 2분의 1\n한다솜  720202-*******\n${HOME}`
  const owners = `공유자\n${other}\n~~지분 2분의 1~~\n${name}  ${number}\n    ${address}`
  const rows: readonly RowText[] = [
    ['2', '소유권이전', RECEIPT, CAUSE, owners],
    ['2-1', '2번소유권경정', RECEIPT, CAUSE, `소유자  한다솜  720202-*******\n${HOME}`],
  ]
  const { document, codes } = readRows({ sectionA: [OWNER, ...rows] })
  const { persons } = document.section_a[1]?.content ?? {}
  expect(persons?.map((person) => person.name)).toEqual(['한다솜'])
  expect(codes).toEqual(warnings)
})

it.each([
  '1번다솜지분전부이전',
  '1번주식회사누리은행지분2분의1이전',
  '1번근저당권지분이전',
  '1번근저당권주식회사누리은행지분전부이전',
])('a transfer of a share in section B is one of the right in section B: %s', (purpose) => {
  const mortgage: RowText = [
    '1',
    '근저당권설정',
    RECEIPT,
    CAUSE,
    `채권최고액  금100원\n${NEW_BANK}`,
  ]
  const sectionB = [mortgage, ['1-1', purpose, RECEIPT, CAUSE, NEW_BANK]]
  const [first, transfer] = readRows({ sectionB }).document.section_b
  expect(transfer?.purpose).toMatchObject({
    right_type: '근저당권',
    action_type: '이전',
    target_type: '근저당권',
  })
  expect(first?.status.modifications).toEqual([
    { by_rank: '1-1', type: 'change', changed_fields_guess: ['근저당권자'], raw: purpose },
  ])
})

it.each([
  ['1번근저당권설정등기회복', '3번근저당권회복등기말소'],
  ['1번근저당권설정등기말소회복등기', '3번근저당권회복등기말소'],
  ['2번근저당권말소등기의 말소', '3번말소등기말소'],
])('what ends %s puts the cancellation in force again: %s', (again, end) => {
  const bank = `채권최고액  금100원\n${NEW_BANK}`
  const mortgage: RowText = ['~1', '근저당권설정', RECEIPT, CAUSE, bank]
  const sectionB = [
    mortgage,
    ended('2', '1번근저당권설정등기말소'),
    ended('3', again),
    ended('4', end),
  ]
  const { document, codes } = readRows({ sectionB })
  const first = document.section_b[0]?.status
  expect([first?.is_cancelled, first?.cancelled_by_rank]).toEqual([true, '2'])
  expect(document.section_b[2]?.status.is_cancelled).toBe(true)
  expect(codes).toContain('CHANGE_CANCELLED')
})

it.each([
  [[2], '3'],
  [[3], '2'],
  [[2, 3], null],
  [[3, 2], null],
])('of two cancellations of one entry the other counts if %j are cancelled', (ends, by) => {
  const sectionB = [
    ['1', '근저당권설정', RECEIPT, CAUSE, `채권최고액  금100원\n${NEW_BANK}`],
    ended('2', '1번근저당권설정등기말소'),
    ended('3', '1번근저당권설정등기말소'),
    ...ends.map((rank, at) => ended(`${at + 4}`, `${rank}번근저당권말소등기의 말소`)),
  ]
  const { document, codes } = readRows({ sectionB })
  const { status } = document.section_b[0] ?? {}
  expect([status?.is_cancelled, status?.cancelled_by_rank]).toEqual([by !== null, by])
  expect(codes).toContain('CANCELLED_TWICE')
})

it('a restored right of which a part was transferred has its holder', () => {
  const bank = NEW_BANK.replace('다솜', '누리')
  const sectionB = [
    ['~1', '근저당권설정', RECEIPT, CAUSE, `채권최고액  금100원\n${bank}`],
    ['~1-1', '1번근저당권일부이전', RECEIPT, CAUSE, NEW_BANK],
    ended('2', '1번근저당권설정등기말소'),
    ended('3', '1번근저당권설정등기회복'),
  ]
  const { section_b: entries } = readRows({ sectionB }).document
  expect(entries.map(({ content }) => content.persons.length)).toEqual([1, 1, 0, 0])
})

it('an entry that was restored and then ended is not cancelled twice', () => {
  const sectionB = [
    ['~1', '근저당권설정', RECEIPT, CAUSE, `채권최고액  금100원\n${NEW_BANK}`],
    ended('2', '1번근저당권설정등기말소'),
    ended('3', '1번근저당권설정등기회복'),
    ended('4', '1번근저당권설정등기말소'),
  ]
  expect(readRows({ sectionB }).codes).not.toContain('CANCELLED_TWICE')
})

it('the end of a change is not the end of a later one, which is printed above', () => {
  const change = (rank: string, year: number): RowText => [
    rank,
    '1번근저당권이전',
    `${year}년1월2일\n제3호`,
    CAUSE,
    NEW_BANK,
  ]
  const sectionB = [
    ['1', '근저당권설정', RECEIPT, CAUSE, `채권최고액  금100원\n${NEW_BANK}`],
    change('1-1', 2011),
    change('1-2', 2015),
    ended('2', '1번근저당권이전등기말소'),
  ]
  const { section_b: entries } = readRows({ sectionB }).document
  expect(entries.map(({ status }) => status.is_cancelled)).toEqual([false, true, false, false])
})

describe('the cancellation of a cancellation', () => {
  const read = (purpose: string) => {
    const bank = `채권최고액  금100원\n${NEW_BANK}`
    const mortgage: RowText = ['~1', '근저당권설정', RECEIPT, CAUSE, bank]
    const change: RowText = ['~1-1', '1번근저당권변경', RECEIPT, CAUSE, '채무자  한다솜']
    const first: RowText = ['~2', '1번근저당권설정등기말소', ...ended('', '').slice(2)]
    const sectionB = [mortgage, change, first, ended('3', purpose)]
    const { document, codes } = readRows({ sectionB })
    const cancelled = document.section_b.map(({ status }) => status.is_cancelled)
    return { cancelled, codes, status: document.section_b[0]?.status }
  }

  it.each(['2번근저당권설정등기말소등기의 말소', '2번근저당권설정등기말소등기말소'])(
    '%s puts the right and its parts in force again',
    (purpose) => {
      const { cancelled, codes, status } = read(purpose)
      expect(cancelled).toEqual([false, false, true, false])
      expect(codes).toEqual(['CHANGE_CANCELLED', 'CHANGE_CANCELLED'])
      expect(status?.cancelled_by_rank).toBeNull()
      expect(status?.modifications.at(-1)).toMatchObject({ by_rank: '3', type: 'change' })
    },
  )
})

describe('a cancellation that names several entries', () => {
  const trust: RowText = [
    ...['2', '소유권이전', RECEIPT, '2011년1월1일\n신탁', `수탁자  가나다신탁주식회사\n${HOME}`],
    ...['====', '신탁', '', '', '신탁원부  제2011-12호'],
  ]
  const attachment: RowText = ['3', '가압류', RECEIPT, CAUSE, `채권자  문새벽\n${HOME}`]
  const sold: RowText = ['4', '소유권이전', RECEIPT, CAUSE, `소유자  한다솜\n${HOME}`]

  it.each([
    ['2번신탁, 3번가압류, 4번소유권이전 등기말소', [false, true, true]],
    ['2번소유권이전, 2번신탁, 3번가압류 등기말소', [true, true, false]],
    ['2번소유권이전및신탁, 3번가압류 등기말소', [true, true, false]],
    ['3번, 4번 등기말소', [false, true, true]],
    ['3번가압류, 4번등기명의인표시변경 등기말소', [false, true, false]],
  ])('ends what it names at each: %s', (purpose, cancelled) => {
    const { document } = readRows({
      sectionA: [OWNER, trust, attachment, sold, ended('5', purpose)],
    })
    const found = document.section_a.slice(1, 4).map(({ status }) => status.is_cancelled)
    expect(found).toEqual(cancelled)
  })

  it('may name entries of both sections', () => {
    const mortgage: RowText = ['1', '근저당권설정', RECEIPT, CAUSE, NEW_BANK]
    const end = ended('4', '갑구3번가압류, 을구1번근저당권설정 등기말소')
    const { document } = readRows({
      sectionA: [OWNER, trust, attachment, end],
      sectionB: [mortgage],
    })
    const ofB = document.section_b.map(({ status }) => status.cancelled_by_rank)
    const ofA = document.section_a.map(({ status }) => status.cancelled_by_rank)
    expect([ofA, ofB]).toEqual([[null, null, '4', null], ['4']])
  })
})

it('a struck change leaves replaced what a later one states again', () => {
  const fee = '~~전세금~~  ~~금100원~~'
  const rights = `${fee}\n전세권자  한다솜  720202-*******\n${HOME}`
  const lease: RowText = ['1', '전세권설정', RECEIPT, CAUSE, rights]
  const first: RowText = ['~1-1', '1번전세권변경', RECEIPT, CAUSE, '전세금  금200원']
  const second: RowText = ['1-2', '1번전세권변경', RECEIPT, CAUSE, '전세금  금300원']
  const { document } = readRows({ sectionB: [lease, first, second] })
  expect(
    document.section_b.map(({ content }) => content.amounts.map(({ value }) => value)),
  ).toEqual([[], [200], [300]])
})

it('a struck mortgage whose transfer was cancelled is not said to count again', () => {
  const mortgage: RowText = [
    '~1',
    '근저당권설정',
    RECEIPT,
    CAUSE,
    `채권최고액  금100원\n${NEW_BANK}`,
  ]
  const transfer: RowText = ['~1-1', '1번근저당권이전', RECEIPT, CAUSE, NEW_BANK]
  const { document, codes } = readRows({
    sectionB: [mortgage, transfer, ended('2', '1번근저당권이전등기말소')],
  })
  expect(document.section_b[0]?.status.is_cancelled).toBe(true)
  expect(codes).toEqual(['STRUCK_WITHOUT_CANCELLATION'])
})

it('a part of a right whose holder the transfer of the whole replaces has no holder', () => {
  const struck = NEW_BANK.replace(/\S+( \S+)*/g, '~~$&~~')
  const sectionB = [
    ['1', '근저당권설정', RECEIPT, CAUSE, `채권최고액  금100원\n${struck}`],
    ['1-1', '1번근저당권일부이전', RECEIPT, CAUSE, struck],
    ['1-2', '1번근저당권이전', RECEIPT, CAUSE, NEW_BANK],
  ]
  const { document, codes } = readRows({ sectionB })
  expect(document.section_b.map(({ content }) => content.persons.length)).toEqual([0, 0, 1])
  expect(codes).toEqual([])
})

it('several changes of what is not struck through are reported once', () => {
  const changes = [1, 2, 3, 4].map((at): RowText => {
    return [
      `1-${at}`,
      '1번근저당권변경',
      `201${at}년5월2일\n제3호`,
      CAUSE,
      `채권최고액  금${at}00원`,
    ]
  })
  const sectionB = [
    ['1', '근저당권설정', RECEIPT, CAUSE, `채권최고액  금100원\n${NEW_BANK}`],
    ...changes,
  ]
  const { codes } = readRows({ sectionB })
  expect(codes).toEqual(Array.from({ length: 4 }, () => 'CHANGED_WITHOUT_STRIKE'))
})

it('a transfer whose former holder is not struck through is reported', () => {
  const holder = NEW_BANK.replace('다솜', '누리')
  const mortgage: RowText = ['1', '근저당권설정', RECEIPT, CAUSE, `채권최고액  금100원\n${holder}`]
  const codes = ['1번근저당권이전', '1번근저당권일부이전'].map(
    (purpose) =>
      readRows({ sectionB: [mortgage, ['1-1', purpose, RECEIPT, CAUSE, NEW_BANK]] }).codes,
  )
  expect(codes).toEqual([['CHANGED_WITHOUT_STRIKE'], []])
})

describe('a change that states the debtor again', () => {
  const struck = (text: string): string => text.replace(/\S+( \S+)*/g, '~~$&~~')
  const first = `채무자  한누리\n${HOME}`
  const mortgage = (debtor: string): RowText => [
    '1',
    '근저당권설정',
    RECEIPT,
    CAUSE,
    `채권최고액  금100원\n${debtor}\n${NEW_BANK}`,
  ]
  const change = (rank: string, rights: string, cause = '2011년1월1일\n계약인수'): RowText => [
    rank,
    '1번근저당권변경',
    RECEIPT,
    cause,
    rights,
  ]
  const second = `채무자  한다솜\n${HOME}`
  const third = `채무자  문새벽\n${HOME}`

  it.each([
    ['계약인수', first, ['CHANGED_WITHOUT_STRIKE']],
    ['계약인수', struck(first), []],
    ['중첩적 채무인수', first, []],
  ])('by %s after %j gives the warnings %j', (cause, debtor, codes) => {
    const sectionB = [mortgage(debtor), change('1-1', second, `2011년1월1일\n${cause}`)]
    expect(readRows({ sectionB }).codes).toEqual(codes)
  })

  it('leaves out the debtor of the change before, if that is struck through', () => {
    const debtors = [second, struck(second)].map((before) => {
      const sectionB = [mortgage(struck(first)), change('1-1', before), change('1-2', third)]
      const { document, codes } = readRows({ sectionB })
      const names = document.section_b.flatMap(({ content }) =>
        content.persons.filter(({ role }) => role === '채무자').map(({ name }) => name),
      )
      return { names, codes }
    })
    expect(debtors).toEqual([
      { names: ['한다솜', '문새벽'], codes: ['CHANGED_WITHOUT_STRIKE'] },
      { names: ['문새벽'], codes: [] },
    ])
  })
})

it('a change of the names of joint owners is a change of ownership', () => {
  const names = (label: string, ...all: string[]): string =>
    `${label}\n${all.map((name) => `${name}\n${HOME}`).join('\n')}`
  const old = `합유자\n한다솜\n${HOME}\n~~문새벽~~\n    ~~${HOME.trim()}~~`
  const joint: RowText = ['2', '소유권이전', RECEIPT, '2011년1월1일\n매매', old]
  const change: RowText = [
    '2-1',
    '2번합유명의인변경',
    RECEIPT,
    CAUSE,
    names('잔존합유자', '한다솜'),
  ]
  const { document, codes } = readRows({ sectionA: [OWNER, joint, change] })
  const entries = document.section_a.slice(1)
  expect(entries.map(({ content }) => content.persons.map(({ name }) => name))).toEqual([
    ['한다솜'],
    ['한다솜'],
  ])
  expect(entries[1]?.purpose).toMatchObject({ right_type: '소유권이전', action_type: '변경' })
  expect(codes).toEqual([])
})

describe('the end of a restraint for one share', () => {
  const owners: RowText = [
    '2',
    '소유권이전',
    RECEIPT,
    CAUSE,
    `공유자\n지분 2분의 1\n한다솜  720202-*******\n지분 2분의 1\n문새벽  730303-*******`,
  ]
  it.each([
    ['가압류', false],
    ['2번문새벽지분가압류', true],
    ['2번한다솜지분, 문새벽지분가압류', false],
  ])('of %s ends the whole: %s', (purpose, isWhole) => {
    const attached: RowText = ['3', purpose, RECEIPT, CAUSE, `채권자  가나은행\n${HOME}`]
    const sectionA = [OWNER, owners, attached, ended('4', '3번가압류등기중 문새벽지분말소')]
    const entry = readRows({ sectionA }).document.section_a[2]
    expect(entry?.status.is_cancelled).toBe(isWhole)
  })
})

describe('a trust', () => {
  const trust: RowText = [
    '2',
    '소유권이전',
    RECEIPT,
    CAUSE,
    `수탁자  가나신탁주식회사  110111-0000009\n${HOME}`,
    '====',
    '신탁',
    '',
    '',
    '신탁원부  제2011-12호',
  ]

  it('ends together with its transfer', () => {
    const sectionA = [OWNER, trust, ended('3', '2번소유권이전 및 신탁등기말소')]
    expect(readRows({ sectionA }).document.section_a[1]?.status.is_cancelled).toBe(true)
  })

  const backBy = (cause: string, rights: string, ofTrust: string): RowText => [
    '3',
    '소유권이전',
    RECEIPT,
    `2013년1월1일\n${cause}`,
    rights,
    '====',
    '2번신탁등기말소',
    '',
    ofTrust,
    '',
  ]
  const OWNED = `소유자  서라온\n${HOME}`
  // the rule between the purposes is not printed at the top of a page
  const withoutRules = (pages: readonly PageContent[]) =>
    pages.map((page) => ({
      ...page,
      lines: page.lines.filter(({ left }) => left < 70 || left > 80),
    }))

  it.each([
    ['매매', OWNED, '신탁재산의처분', undefined],
    ['매매', `${OWNED}\n거래가액  금100원`, '신탁재산의처분', withoutRules],
    ['신탁재산의귀속', OWNED, '신탁재산의귀속', withoutRules],
  ])(
    'has a cause of its own, which is not that of the transfer: %j %j %j',
    (cause, rights, ofTrust, change) => {
      const sectionA = [OWNER, trust, backBy(cause, rights, ofTrust)]
      const entry = readRows({ sectionA, ...(change && { change }) }).document.section_a[2]
      expect(entry?.cause).toEqual({ text: cause, date: '2013년 01월 01일' })
      expect(entry?.content.notes_raw).toBe(`2번신탁등기말소 ${ofTrust}`)
    },
  )
})

it('a cancellation may end in 등기', () => {
  const mortgage: RowText = [
    '1',
    '근저당권설정',
    RECEIPT,
    CAUSE,
    `채권최고액  금100원\n${NEW_BANK}`,
  ]
  const sectionB = [mortgage, ended('2', '1번근저당권설정등기말소등기')]
  expect(readRows({ sectionB }).document.section_b[0]?.status.is_cancelled).toBe(true)
})

describe('a part that is struck through', () => {
  const BANK = `근저당권자  주식회사누리은행  110111-0000002\n${HOME}`
  const OLD = '~~채권최고액~~  ~~금100원~~'
  const read = (rights: string, receipt = RECEIPT, cause = CAUSE) => {
    const row: RowText = [
      '1',
      '근저당권설정',
      receipt,
      cause,
      `${rights}\n채무자  한누리\n${HOME}\n${BANK}`,
    ]
    const { document, codes } = readRows({ sectionB: [row] })
    const [entry] = document.section_b
    return { entry, codes, amounts: entry?.content.amounts.map(({ value }) => value) }
  }

  it('is left out if its place has another amount', () => {
    expect(read(`${OLD}\n채권최고액  금90원`)).toMatchObject({ amounts: [90], codes: [] })
  })

  it('leaves a text empty of which the label stays', () => {
    const rights = `전세금  금100원\n존속기간  ~~2001년 3월 1일까지~~\n전세권자  한누리\n${HOME}`
    const sectionB = [
      ['1', '전세권설정', RECEIPT, CAUSE, rights],
      ['1-1', '1번전세권변경', RECEIPT, CAUSE, '존속기간  2003년 3월 1일까지'],
    ]
    const { document, codes } = readRows({ sectionB })
    expect(document.section_b.map(({ content }) => content.term?.duration)).toEqual([
      null,
      '2003년 3월 1일까지',
    ])
    expect(codes).toEqual([])
  })

  it('is reported if nothing replaces it', () => {
    const { amounts, codes, entry } = read(OLD)
    expect(amounts).toEqual([100])
    expect(codes).toEqual(['STRUCK_WITHOUT_CHANGE'])
    expect(entry?.confidence).toBe(0.95)
  })

  it('of a receipt or cause gives way to the corrected one', () => {
    const receipt = `~~2011년1월1일~~\n~~제2호~~\n${RECEIPT}`
    const cause = `~~2010년12월1일~~\n~~추가설정계약~~\n${CAUSE}`
    const { entry, codes } = read('채권최고액  금100원', receipt, cause)
    expect(entry?.receipt).toEqual({ date: '2011년 01월 02일', number: '3호' })
    expect(entry?.cause).toEqual({ date: '2011년 01월 01일', text: '설정계약' })
    expect(entry?.content.persons[0]?.address).toBe(HOME.trim())
    expect(codes).toEqual([])
  })
})
