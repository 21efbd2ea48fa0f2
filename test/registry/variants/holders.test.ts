/** Several holders of one label, and numbers and shares in rare forms [documents 7.11]. */
import { describe, expect, it } from 'vitest'
import { OWNER, type RowText, readRows } from '../fixtures/certificate/from-rows.ts'

const HOME = '    가람특별시 나래구 다솜로 12'
const ADDRESS = HOME.trim()

const RECEIPT = '2011년1월2일\n제3호'

const owned = (rights: string): RowText => [
  '2',
  '소유권이전',
  RECEIPT,
  '2011년1월1일\n매매',
  rights,
]

const read = (rights: string) => {
  const { document, codes } = readRows({ sectionA: [OWNER, owned(rights)] })
  const { persons, shares, notes_raw: notes } = document.section_a[1]?.content ?? {}
  const holders = persons?.map(({ name, resident_number: number, address, share }) =>
    [name, number, address, share].filter((value) => value !== null).join(' '),
  )
  return { holders, shares, notes, codes }
}

it.each([
  '공유자  한누리의 주소  가람특별시 나래구 마루로 1',
  '공유자 한누리의 주소  가람특별시 나래구 마루로 1',
  '한누리의 성명(명칭)  한다솜',
])('a line about the address or name of a holder states no holder: %s', (line) => {
  const change = ['2-1', '2번등기명의인표시변경', RECEIPT, '2011년1월1일\n전거', line]
  const { document, codes } = readRows({
    sectionA: [OWNER, owned(`소유자  한누리\n${HOME}`), change],
  })
  const { persons, notes_raw: notes } = document.section_a[2]?.content ?? {}
  expect({ persons, notes }).toEqual({ persons: [], notes: line.replace(/ +/g, ' ') })
  expect(codes).toEqual([])
})

it.each([
  `${HOME}\n    송달장소 가람시 나래동 1`,
  `${HOME}\n    (송달장소 : 가람시 나래동 1)`,
  `${HOME} (송달장소 : 가람시 나래동 1)`,
  `${HOME}\n송달장소  가람시 나래동 1`,
])('a place of service is not a part of an address: %j', (address) => {
  const { holders, notes, codes } = read(`소유자  한누리  700101-*******\n${address}`)
  expect(holders).toEqual([`한누리 700101-******* ${ADDRESS}`])
  expect(notes?.replace(/[():\s]/g, '')).toBe('송달장소가람시나래동1')
  expect(codes).toEqual([])
})

it.each([
  ['소유자  국  관리청  국토교통부', '국', '관리청 국토교통부'],
  ['소유자  국 관리청 국토교통부', '국', '관리청 국토교통부'],
  ['소유자  국(관리청 : 국방부(육군))', '국', '관리청 : 국방부(육군)'],
  ['소유자  국  (관리청 국토교통부)', '국', '관리청 국토교통부'],
  ['소유자  가람시  3154  처분청  나래구', '가람시 3154', '처분청 나래구'],
])('an office on the line of its holder is a note: %j', (rights, holder, notes) => {
  expect(read(rights)).toMatchObject({ holders: [holder], notes, codes: [] })
})

it('a holder of a right without a role is a 권리자, with a warning', () => {
  const row = ['2', '광업권설정', RECEIPT, '설정', `광업권자  한누리  700101-*******\n${HOME}`]
  const { document, codes } = readRows({ sectionA: [OWNER, row] })
  expect(document.section_a[1]?.content.persons).toMatchObject([
    { role: '권리자', name: '한누리', resident_number: '700101-*******', address: ADDRESS },
  ])
  expect(codes).toContain('LABEL_UNKNOWN')
})

it('an address before a name on one line is reported', () => {
  const { codes, notes } = read('소유자  하늘군 구름면 바람리 11  한누리')
  expect(codes).toEqual(['PERSONS_UNCLEAR'])
  expect(notes).toBe('소유자 하늘군 구름면 바람리 11 한누리')
})

it('a number that lines broke into pieces is reported', () => {
  const long = '주식회사에이치앤디홀딩스인터내셔널코리아'
  const rights = `공유자\n지분 1분의 1\n${long}  110111-0000001\n${HOME}`
  expect(read(rights).codes).toEqual(['PERSONS_UNCLEAR'])
})

describe('several holders are several persons', () => {
  const first = '한누리  700101-*******'
  const two = ['한누리 700101-*******', `한다솜 720202-******* ${ADDRESS}`]
  it.each([
    [`공유자  ${first}  한다솜  720202-*******\n${HOME}`, two],
    [`공유자  한누리 700101-*******, 한다솜 720202-*******\n${HOME}`, two],
    [
      `소유자  ${first}\n${HOME}\n        한다솜  720202-*******\n${HOME}`,
      [`${two[0]} ${ADDRESS}`, two[1]],
    ],
    [
      `소유자  한누리\n${HOME}\n        한다솜\n${HOME}`,
      [`한누리 ${ADDRESS}`, `한다솜 ${ADDRESS}`],
    ],
    [`소유자  한누리\n${HOME}\n한다솜\n${HOME}`, [`한누리 ${ADDRESS}`, `한다솜 ${ADDRESS}`]],
    [
      `채권자  한누리\n    가람시 나래동 1\n    한다솜\n    가람시 나래동 2, 101호\n    (다솜동)`,
      ['한누리 가람시 나래동 1', '한다솜 가람시 나래동 2, 101호 (다솜동)'],
    ],
    [`채권자  ${first}\n        ${ADDRESS}`, [`${two[0]} ${ADDRESS}`]],
    [`채무자 겸 근저당권설정자  한누리\n${HOME}`, [`한누리 ${ADDRESS}`]],
    [
      `채무자  1. 한누리\n${HOME}\n    2. 한다솜\n${HOME}`,
      [`한누리 ${ADDRESS}`, `한다솜 ${ADDRESS}`],
    ],
    [
      `채권자  1. ${first}\n${HOME}\n2. 한다솜\n${HOME}`,
      [`${two[0]} ${ADDRESS}`, `한다솜 ${ADDRESS}`],
    ],
    [
      `공유자\n    지분 2분의 1\n    ${first}\n${HOME}\n    지분 2분의 1\n    한다솜  720202-*******\n${HOME}`,
      [`${two[0]} ${ADDRESS} 2분의 1`, `${two[1]} 2분의 1`],
    ],
    [
      `공유자  지분 2분의 1\n    ${first}\n${HOME}\n지분 2분의 1\n    한다솜\n${HOME}`,
      [`${two[0]} ${ADDRESS} 2분의 1`, `한다솜 ${ADDRESS} 2분의 1`],
    ],
    [
      `채권자  중화인민공화국법인\n다솜은행유한공사(DASOM BANK)\n110111-0000002\n${HOME}`,
      [`중화인민공화국법인다솜은행유한공사(DASOM BANK) 110111-0000002 ${ADDRESS}`],
    ],
  ])('%j', (rights, holders) => {
    expect(read(rights)).toMatchObject({ holders, codes: [] })
  })

  it('and a number in the notes may be of one that was not read', () => {
    const note = '위 가액은 한라온 720202-******* 의 지분 가액'
    const { notes, codes } = read(`소유자  한누리\n${HOME}\n거래가액  금100원\n${note}`)
    expect({ notes, codes }).toEqual({ notes: note, codes: ['PERSONS_UNCLEAR'] })
  })

  it('or are reported as one, with the line in the notes', () => {
    for (const names of [
      '망 한누리의 상속인 한다솜',
      '한누리, 한다솜',
      '한누리  한다솜',
      '한누리,한다솜  700101-*******',
      '한누리\n        한다솜\n        문새벽',
    ]) {
      const { holders, notes, codes } = read(`소유자  ${names}\n${HOME}`)
      expect(holders).toHaveLength(1)
      expect(notes?.replace(/\s/g, '')).toContain(names.replace(/\s/g, ''))
      expect(codes).toEqual(['PERSONS_UNCLEAR'])
    }
  })

  it('but not a branch below an address, at the left of the names', () => {
    const { holders, codes } = read(`채권자  ${first}\n${HOME}\n        여신관리부`)
    expect(holders).toEqual([`${two[0]} ${ADDRESS} 여신관리부`])
    expect(codes).toEqual([])
  })

  it.each(['외국인등록번호 ', '외국인등록번호  ', '부동산등기용등록번호 '])(
    'but not the label of a number: %s',
    (label) => {
      const { holders, codes } = read(`소유자  왕샤오밍  ${label}700101-5******\n${HOME}`)
      expect(holders).toEqual([`왕샤오밍 700101-5****** ${ADDRESS}`])
      expect(codes).toEqual([])
    },
  )

  it('and a name in Latin letters keeps the blanks between its words', () => {
    const name = '가나디스플레이차이나 유한공사(GN DISPLAY CHINA CO., LTD.)'
    const { holders } = read(`소유자  ${name}  110181-0000002\n${HOME}`)
    expect(holders).toEqual([`${name} 110181-0000002 ${ADDRESS}`])
  })

  it('and a name that was broken at its blank keeps the blank', () => {
    const name = '주식회사 가나다라마바사아자차카타파하에셋'
    const { holders } = read(`소유자  ${name}  110111-0000005\n${HOME}`)
    expect(holders).toEqual([`${name} 110111-0000005 ${ADDRESS}`])
  })

  it('but not the parts of one name', () => {
    const names = ['가나다라 주식회사', '한  누  리', 'ABC Co., Ltd.', '한누리  (韓누리)']
    for (const name of names) {
      const { holders, codes } = read(`소유자  ${name}  110111-0000005\n${HOME}`)
      expect(holders).toEqual([`${name.replace(/ {2}/g, '')} 110111-0000005 ${ADDRESS}`])
      expect(codes).toEqual([])
    }
  })
})

it('a local government is a further holder of a list', () => {
  const { holders, codes } = read(`공유자\n한누리  700101-*******\n${HOME}\n가람시  4106`)
  expect(holders).toEqual([`한누리 700101-******* ${ADDRESS}`, '가람시 4106'])
  expect(codes).toEqual([])
})

it.each(['공동근저당권자', '공동저당권자'])(
  'several creditors of one right are listed by %s',
  (label) => {
    const rights = `채권최고액  금100원\n${label}\n가나은행  110111-0000005\n${HOME}\n다라은행  110111-0000006\n${HOME}`
    const row = ['1', '근저당권설정', '2011년1월2일\n제3호', '2011년1월1일\n설정계약', rights]
    const { document, codes } = readRows({ sectionB: [row] })
    const persons = document.section_b[0]?.content.persons
    expect(persons?.map(({ role, name }) => `${role} ${name}`)).toEqual([
      '근저당권자 가나은행',
      '근저당권자 다라은행',
    ])
    expect(codes).toEqual([])
  },
)

describe('a redacted number', () => {
  it.each(['******-*******', '7*****-*******', '●●●●●●-●●●●●●●', 'xxxxxx-xxxxxxx'])(
    '%s does not belong to the name',
    (number) => {
      expect(read(`소유자  한누리  ${number}\n${HOME}`)).toMatchObject({
        holders: [`한누리 ${number} ${ADDRESS}`],
        codes: [],
      })
    },
  )

  it.each(['700101', '700101-*', '1970년1월1일생', '1970.01.01'])(
    'in another form, %s, is reported and does not belong to the name',
    (number) => {
      const { holders, notes, codes } = read(`소유자  한누리  ${number}\n${HOME}`)
      expect(holders).toEqual([`한누리 ${ADDRESS}`])
      expect(notes).toContain(number)
      expect(codes).toEqual(['PERSONS_UNCLEAR'])
    },
  )
})

describe('a share', () => {
  const two = (before: string, after: string) =>
    `공유자\n${before}\n한누리  700101-*******\n${HOME}\n${after}\n한다솜  720202-*******\n${HOME}`

  it('may be printed old, or behind the name', () => {
    expect(read(two('지분 3분지 1', '지분 3분지 2'))).toMatchObject({
      shares: [{ numerator: 1 }, { numerator: 2, denominator: 3 }],
      codes: [],
    })
    const behind = `공유자\n한누리  2분의 1  700101-*******\n한다솜  2분의 1  720202-*******`
    expect(read(behind)).toMatchObject({
      holders: ['한누리 700101-******* 2분의 1', '한다솜 720202-******* 2분의 1'],
      codes: [],
    })
  })

  it('of each is that of every holder up to the next share', () => {
    const last = `지분 2분의 1\n문새벽  730303-*******\n${HOME}`
    const { holders, shares, codes } = read(`${two('지분 각 4분의 1', '')}\n${last}`)
    expect(holders).toEqual([
      `한누리 700101-******* ${ADDRESS} 4분의 1`,
      `한다솜 720202-******* ${ADDRESS} 4분의 1`,
      `문새벽 730303-******* ${ADDRESS} 2분의 1`,
    ])
    expect(shares?.map(({ raw }) => raw)).toEqual([
      '지분 각 4분의 1',
      '지분 각 4분의 1',
      '지분 2분의 1',
    ])
    expect(codes).toEqual([])
  })

  it('of each does not make a name of what may be none', () => {
    const { codes } = read(`공유자\n지분 각 2분의 1\n한누리  700101-*******  한다솜\n${HOME}`)
    expect(codes).toEqual(['PERSONS_UNCLEAR'])
  })

  it('goes on below a line that is full', () => {
    const full = '남궁누리  700101-*******  지분 10000분의 12'
    const last = '한다솜  720202-*******'
    const { holders, codes } = read(`공유자\n${full}\n34\n${last}  지분 10000분의 8766`)
    expect({ holders, codes }).toEqual({
      holders: ['남궁누리 700101-******* 10000분의 1234', '한다솜 720202-******* 10000분의 8766'],
      codes: [],
    })
    // a share is never more than the whole
    const [more] = read(`공유자\n${full}\n3456\n${last}`).holders ?? []
    expect(more).toMatch(/ 10000분의 12$/)
    // there was room for the digits below
    const short = full.replace('남궁누리', '한누리')
    expect(read(`공유자\n${short}\n34\n${last}`).holders?.[0]).toMatch(/ 10000분의 12$/)
  })

  it.each([
    ['지분 3분의 1 한누리 700101-*******', '3분의 1'],
    ['지분 3분의 1  한누리  700101-*******', '3분의 1'],
  ])('and the holder behind it are both read: %s', (line, share) => {
    expect(read(`공유자\n${line}\n지분 3분의 2\n한다솜  720202-*******`).holders?.[0]).toBe(
      `한누리 700101-******* ${share}`,
    )
  })

  it.each(['지분 33㎡ 중 11㎡', '지분 삼분의 일', '지분 1/3'])(
    'in a form other than a fraction in digits is reported: %s',
    (share) => {
      const { holders, codes } = read(two(share, '지분 3분의 2'))
      expect(holders?.[0]).toBe(`한누리 700101-******* ${ADDRESS} ${share.slice(3)}`)
      expect(codes).toEqual(['SHARE_NOT_WHOLE'])
    },
  )
})

const UNITS = [
  '302호(라온동,마루아파트)',
  '제302호',
  '지하1층 제비01호 (라온동)',
  'A동 302호',
  '101동 302호',
  '3층',
]

it.each(UNITS)(
  'an address of one owner that is not indented continues with its unit: %s',
  (unit) => {
    const { holders, codes, notes } = read(`소유자  한누리  700101-*******\n${ADDRESS}\n${unit}`)
    expect({ holders, codes, notes }).toEqual({
      holders: [`한누리 700101-******* ${ADDRESS} ${unit}`],
      codes: [],
      notes: null,
    })
  },
)

it.each(UNITS)('an address that is not indented continues with its unit: %s', (unit) => {
  const home = `${ADDRESS}\n${unit}`
  const { holders, codes } = read(
    `공유자\n지분 3분의 2\n한누리  700101-*******\n${home}\n지분 3분의 1\n한다솜  720202-*******\n${home}`,
  )
  expect(holders).toEqual([
    `한누리 700101-******* ${ADDRESS} ${unit} 3분의 2`,
    `한다솜 720202-******* ${ADDRESS} ${unit} 3분의 1`,
  ])
  expect(codes).toEqual([])
})

it('a company whose name begins like a building is a holder', () => {
  const rights = `공유자\n지분 2분의 1\n한누리  700101-*******\n${ADDRESS}\n가동제약주식회사  110111-0000001\n${ADDRESS}`
  expect(read(rights).holders).toEqual([
    `한누리 700101-******* ${ADDRESS} 2분의 1`,
    `가동제약주식회사 110111-0000001 ${ADDRESS}`,
  ])
})
