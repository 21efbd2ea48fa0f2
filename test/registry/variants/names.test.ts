/** The names, numbers and addresses of holders after 등기명의인표시변경, of which the register strikes what changed [documents 7.9]. */
import { describe, expect, it } from 'vitest'
import { OWNER, type RowText, readRows } from '../fixtures/certificate/from-rows.ts'

const RECEIPT = '2011년1월2일\n제3호'
const CAUSE = '2011년1월1일\n매매'
const HOME = '    가람특별시 나래구 다솜로 12'
const LAND = '가나부동산신탁'
const change = (rank: string, rights: string): RowText => [
  rank,
  `${rank.split('-')[0]}번등기명의인표시변경`,
  RECEIPT,
  CAUSE,
  rights,
]
const NEW = '문새벽의 성명(명칭)  문가람'
const of = (name: string) =>
  `공유자\n지분 2분의 1\n한다솜  720202-*******\n${HOME}\n지분 2분의 1\n${name}\n${HOME}`

it.each([
  ['소유자  ~~문새벽~~  730303-*******', NEW, '문가람 730303-*******'],
  ['소유자  문새벽  730303-*******', NEW, '문가람 730303-*******'],
  ['소유자  ~~문새벽~~\n        730303-*******', NEW, '문가람 730303-*******'],
  ['소유자  ~~문새벽~~  730303-*******', '성명  문가람', '문가람 730303-*******'],
  [
    `수탁자  ~~${LAND}~~\n        ~~주식회사~~\n        110111-0000001`,
    `${LAND}주식회사의 성명(명칭)  다라신탁`,
    '다라신탁 110111-0000001',
  ],
  [
    `소유자  ~~미래 코리아 리미티드(NURI~~\n        ~~KOREA LTD.)~~  730303-*******`,
    '미래 코리아 리미티드(NURI KOREA LTD.)의 성명(명칭) 다라신탁',
    '다라신탁 730303-*******',
  ],
  [
    of('~~주식회사가온에이치앤디홀딩스인터내셔널코리~~\n~~아~~  730303-*******'),
    '주식회사가온에이치앤디홀딩스인터내셔널코리아의 성명(명칭) 다라신탁',
    '한다솜 720202-*******,다라신탁 730303-*******',
  ],
  [of('~~문새벽~~  730303-*******'), NEW, '한다솜 720202-*******,문가람 730303-*******'],
  [of('~~문새벽~~\n730303-*******'), NEW, '한다솜 720202-*******,문가람 730303-*******'],
])('of %j with %j are %s', (holder, rights, names) => {
  const owned: RowText = ['2', '소유권이전', RECEIPT, CAUSE, `${holder}\n${HOME}`]
  const { document, codes } = readRows({ sectionA: [OWNER, owned, change('2-1', rights)] })
  const { persons = [], shares = [] } = document.section_a[1]?.content ?? {}
  expect(persons.map((each) => `${each.name} ${each.resident_number}`).join()).toBe(names)
  expect(shares.every((share, at) => share.owner_name === persons[at]?.name)).toBe(true)
  expect(codes).toEqual([])
})

it('of several holders change by one entry', () => {
  const rows = ['한다솜', '문새벽', '새벽'].map(
    (name) => `지분 3분의 1\n~~${name}~~  720202-*******\n${HOME}`,
  )
  const owned: RowText = ['2', '소유권이전', RECEIPT, CAUSE, `공유자\n${rows.join('\n')}`]
  const home = '한다솜의 주소  가람시 나래동 1'
  const changed = change('2-1', `한다솜의 성명(명칭)  한가람\n${home}\n${NEW}`)
  const { section_a: entries } = readRows({ sectionA: [OWNER, owned, changed] }).document
  expect(entries[1]?.content.persons.map(({ name }) => name)).toEqual(['한가람', '문가람', '새벽'])
})

it.each([
  [['1-1', '1-2'], NEW, '문가람'],
  [['1-1', '1-2'], '성명  문가람', '문가람'],
  [['1-2', '1-1'], '성명  문가람', '문새벽'],
])(
  'of a transferred right change by a later entry: %j %s',
  ([transfer = '', by = ''], text, name) => {
    const rights = `채권최고액  금100원\n~~근저당권자~~  ~~한다솜~~  ~~720202-*******~~\n    ~~${HOME.trim()}~~`
    const holder = `근저당권자  ~~문새벽~~  730303-*******\n${HOME}`
    const sectionB = [
      ['1', '근저당권설정', RECEIPT, CAUSE, rights],
      ...[[transfer, '1번근저당권이전', RECEIPT, CAUSE, holder], change(by, text)].toSorted(),
    ]
    const { section_b: entries } = readRows({ sectionB }).document
    const found = entries.find(({ rank_number }) => rank_number === transfer)
    expect(found?.content.persons.map((person) => person.name)).toEqual([name])
  },
)

it('of a debtor and of a right that ended stay', () => {
  const creditor = `근저당권자  문새벽  730303-*******\n${HOME}`
  const rights = `채권최고액  금100원\n채무자  문새벽\n${HOME}\n${creditor}`
  const names = (rank: string) => {
    const mortgage: RowText = [rank, '근저당권설정', RECEIPT, CAUSE, rights]
    const end: RowText = ['2', '1번근저당권설정등기말소', RECEIPT, CAUSE, '']
    const sectionB = [mortgage, change(`${rank}-1`, NEW), ...(rank === '1' ? [] : [end])]
    return readRows({ sectionB }).document.section_b[0]?.content.persons.map(({ name }) => name)
  }
  expect(names('1')).toEqual(['문새벽', '문가람'])
  expect(names('~1')).toEqual(['문새벽', '문새벽'])
})

it.each(['채권자변경', '변경', '이전'])(
  'of a creditor whom an entry of section A states change by a later one: %s',
  (word) => {
    const before = `~~채권자~~  ~~한다솜~~  ~~720202-*******~~\n    ~~${HOME.trim()}~~`
    const restraint: RowText = ['2', '가처분', RECEIPT, CAUSE, `피보전권리  청구권\n${before}`]
    const creditor = `채권자  ~~문새벽~~  730303-*******\n${HOME}`
    const other: RowText = ['2-1', `2번가처분${word}`, RECEIPT, CAUSE, creditor]
    const { document, codes } = readRows({
      sectionA: [OWNER, restraint, other, change('2-2', NEW)],
    })
    const names = document.section_a.map(({ content }) => content.persons.map(({ name }) => name))
    expect(names).toEqual([['한누리'], [], ['문가람'], []])
    expect(codes).toEqual([])
  },
)

it.each(['1-1번등기명의인표시변경', '1번등기명의인표시변경'])(
  'of whom a right was transferred to keep no struck address: %s',
  (purpose) => {
    const before = `~~근저당권자~~  ~~한다솜~~  ~~720202-*******~~\n    ~~${HOME.trim()}~~`
    const after = `근저당권자  문새벽  730303-*******\n    ~~${HOME.trim()}~~`
    const sectionB = [
      [
        '1',
        '근저당권설정',
        RECEIPT,
        CAUSE,
        `채권최고액  금100원\n채무자  한누리\n${HOME}\n${before}`,
      ],
      ['1-1', '1번근저당권이전', RECEIPT, CAUSE, after],
      ['1-2', purpose, RECEIPT, CAUSE, '문새벽의 주소  가람시 나래동 1'],
    ]
    const { document, codes } = readRows({ sectionA: [OWNER], sectionB })
    const homes = document.section_b.map(({ content }) =>
      content.persons.map((each) => each.address),
    )
    expect(homes).toEqual([[HOME.trim()], ['가람시 나래동 1'], []])
    expect(codes).toEqual([])
  },
)

describe('a part of a holder that changes', () => {
  const OLD = `    ~~${HOME.trim()}~~`
  const MOVED = '문새벽의 주소  가람시 나래동 1'
  const read = (holders: string, ...changes: readonly string[]) => {
    const owned: RowText = ['2', '소유권이전', RECEIPT, CAUSE, holders]
    const rows = changes.map((rights, at) => change(`2-${at + 1}`, rights))
    const { document, codes } = readRows({ sectionA: [OWNER, owned, ...rows] })
    const { persons = [], shares = [], notes_raw: notes } = document.section_a[1]?.content ?? {}
    const texts = persons.map((p) => `${p.name} ${p.resident_number} ${p.address}`)
    return { texts, shares: shares.map((share) => share.owner_name), codes, notes }
  }

  it.each([
    [`문새벽  730303-*******\n${OLD}`, [MOVED], '문새벽 730303-******* 가람시 나래동 1'],
    // several owners may have had the old address, which then is not struck
    [`문새벽  730303-*******\n${HOME}`, [MOVED], `문새벽 730303-******* ${HOME.trim()}`],
    [`문새벽  730303-*******\n${OLD}`, ['주소  가람시 1'], '문새벽 730303-******* 가람시 1'],
    [
      `문새벽  ~~730303-*******~~\n${HOME}`,
      ['문새벽의 주민등록번호  740404-*******'],
      `문새벽 740404-******* ${HOME.trim()}`,
    ],
    [
      `~~문새벽~~  730303-*******\n${OLD}`,
      [`${NEW}\n${MOVED}`],
      '문가람 730303-******* 가람시 나래동 1',
    ],
    [
      `~~문새벽~~  730303-*******\n${OLD}`,
      [NEW, '문가람의 주소  가람시 1', '문가람의 주소  가람시 2'],
      '문가람 730303-******* 가람시 2',
    ],
    [
      `~~문새벽~~  ~~730303-*******~~\n${OLD}`,
      [`${NEW} 문새벽의 등록번호  740404-******* 문가람의 주소  가람시 1`],
      '문가람 740404-******* 가람시 1',
    ],
    [
      `~~문새벽~~  ~~730303-*******~~\n${HOME}`,
      [`${NEW} 등록번호  740404-*******`],
      `문가람 740404-******* ${HOME.trim()}`,
    ],
  ])('is that of the change: %j %j', (holder, changes, text) => {
    expect(read(`소유자  ${holder}`, ...changes)).toMatchObject({
      texts: [text],
      codes: [],
      notes: null,
    })
    const other = `한다솜  720202-*******\n${HOME}`
    const owners = `공유자\n지분 2분의 1\n${other}\n지분 2분의 1\n${holder}`
    const named = changes.map((rights) => rights.replace(/^주소/, '문새벽의 주소'))
    expect(read(owners, ...named)).toMatchObject({
      texts: [`한다솜 720202-******* ${HOME.trim()}`, text],
      shares: ['한다솜', text.slice(0, 3)],
      codes: [],
      notes: null,
    })
  })

  it.each(['소유자', '~~소유자~~'])('leaves the address below it an address: %s', (label) => {
    const place = '가람북도 하늘시 누리대로'
    const name = '~~문새벽~~  ~~730303-*******~~'
    const home = `    ${place}\n    68(라온동,마루아파트)`
    const changes = ['문새벽의 주민등록번호  740404-*******', NEW]
    const text = `문가람 740404-******* ${place} 68(라온동,마루아파트)`
    expect(read(`${label}  ${name}\n${home}`, ...changes)).toMatchObject({
      texts: [text],
      codes: [],
    })
    const share = '지분 2분의 1'
    const owners = `공유자\n${share}\n한다솜  720202-*******\n${HOME}\n${share}\n${name}\n${home}`
    const { texts, shares, codes } = read(owners, ...changes)
    expect({ texts: texts.slice(1), shares, codes }).toEqual({
      texts: [text],
      shares: ['한다솜', '문가람'],
      codes: [],
    })
  })

  it('stays that of a trustee whose trust a later transfer ends', () => {
    const trustee = `수탁자  ~~문새벽~~  ~~730303-*******~~\n${OLD}`
    const trust: RowText = ['2', '소유권이전', RECEIPT, CAUSE, trustee, '====', '신탁', '', '', '']
    const owner = `소유자  서라온  740404-*******\n${HOME}`
    const sold: RowText = ['3', '소유권이전', RECEIPT, CAUSE, owner]
    const end = ['====', '2번신탁등기말소', '', '', '']
    const stated = `문새벽의 등록번호  750505-*******\n${MOVED}\n${NEW}`
    const sectionA = [OWNER, trust, change('2-1', stated), [...sold, ...end]]
    const { content } = readRows({ sectionA }).document.section_a[1] ?? {}
    expect(content?.persons.map((person) => person.name)).toEqual(['문가람'])
  })

  it('of one of two owners with an equal name is the number of whom it is struck', () => {
    const owner = (number: string) => `지분 2분의 1\n문새벽  ${number}\n${HOME}`
    const owners = `공유자\n${owner('~~720202-*******~~')}\n${owner('730303-*******')}`
    const { texts } = read(owners, '문새벽의 주민등록번호  740404-*******')
    expect(texts.map((text) => text.slice(4, 10))).toEqual(['740404', '730303'])
  })

  it('of one of two owners with equal names is of the one of whom it is struck', () => {
    const owner = (number: string, address: string) => `지분 2분의 1\n문새벽  ${number}\n${address}`
    const owners = `공유자\n${owner('720202-*******', OLD)}\n${owner('730303-*******', HOME)}`
    expect(read(owners, MOVED).texts).toEqual([
      '문새벽 720202-******* 가람시 나래동 1',
      `문새벽 730303-******* ${HOME.trim()}`,
    ])
  })

  it('of one holder in two roles is of the role in which it is struck', () => {
    const both = `권리자  문새벽  730303-*******\n${OLD}\n소유자  문새벽  730303-*******\n${HOME}`
    expect(read(both, MOVED).texts).toEqual([
      '문새벽 730303-******* 가람시 나래동 1',
      `문새벽 730303-******* ${HOME.trim()}`,
    ])
  })

  it.each([
    [`문새벽  730303-*******\n${OLD}`, '대위자  한다솜', '문새벽 730303-******* null'],
    [`~~문새벽~~  730303-*******\n${OLD}`, MOVED, '문새벽 730303-******* 가람시 나래동 1'],
    [`~~문새벽~~\n        730303-*******`, '대위자  한다솜', '문새벽 730303-******* null'],
  ])('is reported if no change states it: %j %s', (holder, rights, text) => {
    const { texts, codes } = read(`소유자  ${holder}`, rights)
    expect(texts).toEqual([text])
    expect(codes).toEqual(['STRUCK_IN_PART'])
  })

  it('that is struck is reported also if no entry changes the holder', () => {
    const { codes } = read(`소유자  ~~문새벽~~  730303-*******\n${HOME}`)
    expect(codes).toEqual(['STRUCK_IN_PART'])
  })
})

it('an ownership whose holder is not printed is reported, although its holder was renamed', () => {
  const owned: RowText = ['1', '소유권보존', RECEIPT, '', '']
  const { codes } = readRows({ sectionA: [owned, change('1-1', NEW)] })
  expect(codes).toEqual(['FIELD_MISSING'])
})

it.each([
  ['행정구역명칭변경', '문새벽의 주소  가람시 나래동 1', ['주소']],
  ['개명', '소유자  문가람', ['성명']],
  ['신청착오', '거래가액  금90,000,000원', ['거래가액']],
  ['명칭변경', '주식회사누리의 성명(명칭)  주식회사나래', ['성명', '명칭']],
])('a change by %s of %j names the fields %j', (cause, rights, fields) => {
  const owned: RowText = ['2', '소유권이전', RECEIPT, CAUSE, `소유자  문새벽\n${HOME}`]
  const changed = [...change('2-1', rights)]
  changed[3] = `2011년1월1일\n${cause}`
  const { section_a: entries } = readRows({ sectionA: [OWNER, owned, changed] }).document
  expect(entries[1]?.status.modifications[0]?.changed_fields_guess).toEqual(fields)
})
