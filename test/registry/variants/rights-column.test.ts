/** Holders, lists and dates of the rights column in forms that are rare in print [documents 7.1]. */
import { describe, expect, it } from 'vitest'
import { OWNER, readRows } from '../fixtures/certificate/from-rows.ts'

const RECEIPT = '2011년1월2일\n제3호'
const CAUSE = '2011년1월1일\n매매'
const HOME = '    가람특별시 나래구 다솜로 12'

const readOwner = (rights: string) => {
  const { document, codes } = readRows({
    sectionA: [OWNER, ['2', '소유권이전', RECEIPT, CAUSE, rights]],
  })
  const content = document.section_a[1]?.content
  const persons = content?.persons.map(({ name, share }) =>
    share === null ? name : `${name} ${share}`,
  )
  return { content, persons, codes, sureness: document.section_a[1]?.confidence }
}
const BANK = `근저당권자  주식회사누리은행  110111-0000002\n${HOME}`
const readRight = (purpose: string, rights: string, receipt = RECEIPT) => {
  const { document, codes, confidence } = readRows({
    sectionB: [['1', purpose, receipt, '설정계약', rights]],
  })
  return { entry: document.section_b[0], codes, confidence }
}
const readMortgage = (rights: string, amount = '금100,000,000원') =>
  readRight('근저당권설정', `채권최고액  ${amount}\n채무자  한누리\n${HOME}\n${BANK}\n${rights}`)

describe('holders', () => {
  it.each([
    ['a public office', '관리청  국토교통부'],
    ['an office after one blank', '관리청 국토교통부'],
  ])('are listed whole when one is followed by %s', (_, office) => {
    const first = `공유자\n지분 2분의 1\n국\n${office}`
    const { persons, content } = readOwner(
      `${first}\n지분 2분의 1\n한다솜  720202-*******\n${HOME}`,
    )
    expect(persons).toEqual(['국 2분의 1', '한다솜 2분의 1'])
    expect(content?.notes_raw).toBe('관리청 국토교통부')
  })

  it.each([
    ['its representative', `    대표자 한다솜 720202-*******\n${HOME}`],
    ['who manages it', '    대표이사 한다솜'],
    ['the office that seized it', '    처분청 구름세무서장'],
    ['a guardian', '법정대리인 친권자 부 한다솜 720202-*******'],
    ['who applied for it', `대위신청인  주식회사누리은행  110111-0000002\n${HOME}`],
  ])('do not include %s', (_, line) => {
    const { persons, content } = readOwner(`소유자  김해김씨종중  134111-0001234\n${HOME}\n${line}`)
    expect(persons).toEqual(['김해김씨종중'])
    expect(content?.persons[0]?.address).toBe(HOME.trim())
    expect(content?.notes_raw).toContain(line.trim().slice(0, 3))
  })

  it('of a debt are listed without numbers', () => {
    const debtors = `연대채무자\n한누리\n${HOME}\n한다솜\n${HOME}`
    const { entry } = readRight('근저당권설정', `채권최고액  금100원\n${debtors}\n${BANK}`)
    const names = entry?.content.persons.map(({ role, name }) => `${role} ${name}`)
    expect(names).toEqual(['채무자 한누리', '채무자 한다솜', '근저당권자 주식회사누리은행'])
  })
})

it.each([
  ['소유자', '주식회사가나다라마바사아자차카타파하에셋매니지먼트코리아'],
  ['수탁자', '가나다라마바사아자차카타파하가나다라마바사아자차카타파하신탁주식회사'],
])('a name that fills the line below its label is read: %s', (label, name) => {
  const { content, codes } = readOwner(`${label}  ${name}  110111-0000005\n${HOME}`)
  expect(content?.persons).toMatchObject([
    { name, resident_number: '110111-0000005', address: HOME.trim() },
  ])
  expect(codes).toEqual([])
})

describe('shares', () => {
  const two = (first: string, second: string) =>
    readOwner(
      `공유자\n지분 ${first}\n한누리  700101-*******\n${HOME}\n지분 ${second}\n한다솜  720202-*******\n${HOME}`,
    )

  it('may have commas', () => {
    const { persons, codes } = two('1,234분의 12', '1,234분의 1,222')
    expect(persons).toEqual(['한누리 1,234분의 12', '한다솜 1,234분의 1,222'])
    expect(codes).toEqual([])
  })

  it('that are of a share are reported', () => {
    const { persons, codes } = two('3분의 2', '2분의 1 중 3분의 2')
    expect(persons).toEqual(['한누리 3분의 2', '한다솜 2분의 1 중 3분의 2'])
    expect(codes).toContain('SHARE_NOT_WHOLE')
  })

  it('that are not the whole are reported, and make the entry less sure', () => {
    const [whole, part] = [two('3분의 1', '6분의 4'), two('3분의 1', '3분의 1')]
    expect([whole.codes, part.codes]).toEqual([[], ['SHARES_INCOMPLETE']])
    expect([whole.sureness, part.sureness]).toEqual([1, 0.95])
  })
})

describe('values that occur twice or in part', () => {
  it('continue without indent below a line that they fill', () => {
    const lines = '금지사항  매매, 증여, 전세권, 저당권 등의\n설정 기타일체의 처분행위 금지'
    const { entry } = readRight('가처분', `${lines}\n2012년1월1일 부기`)
    expect(entry?.content).toMatchObject({
      prohibition_text: '매매, 증여, 전세권, 저당권 등의 설정 기타일체의 처분행위 금지',
      annotation_date: '2012년 01월 01일',
      notes_raw: null,
    })
  })

  it('keep each date of a lease', () => {
    const dates = '확정일자  2018년 3월 2일, 2020년 3월 2일\n임대차계약일자  2018년 3월 1일'
    const holder = `임차권자  한다솜  720202-*******\n${HOME}`
    const { entry } = readRight('주택임차권', `임차보증금  금100원\n${dates}\n${holder}`)
    expect(entry?.content.lease).toMatchObject({
      fixed_date: '2018년 03월 02일, 2020년 03월 02일',
      contract_date: '2018년 03월 01일',
    })
  })

  it.each([
    ['공동담보목록  제2016-412호\n공동담보목록  제2018-99호', 'FIELD_REPEATED', '2018-99'],
    ['공동담보목록  별첨', 'LIST_NUMBER_NOT_READ', '별첨'],
    ['공동담보  동소 같은번지 건물', 'COLLATERAL_NOT_READ', '동소 같은번지 건물'],
    [
      '공동담보  건물 가람북도 하늘시 바람리 113-2의\n근저당권설정등기가 포기로 인하여',
      'COLLATERAL_NOT_READ',
      '113-2의',
    ],
    [
      '공동담보  토지 가람북도 하늘시 바람리 9의 근저당권설정등기가 포기로 인하여 말소됨',
      'COLLATERAL_NOT_READ',
      '말소됨',
    ],
    ['알수없는표시  무엇', 'LABEL_UNKNOWN', '무엇'],
  ])('are left in the notes with a warning: %s', (line, code, note) => {
    const { entry, codes, confidence } = readMortgage(line)
    expect(codes).toEqual([code])
    expect(entry?.content.notes_raw).toContain(note)
    expect(confidence).toBeLessThan(100)
  })

  it('keep an amount that a later one follows', () => {
    const { entry, codes } = readRight(
      '전세권설정',
      `전세금  금100원(금200원으로 증액)\n전세권자  한다솜\n${HOME}`,
    )
    expect(entry?.content.amounts).toMatchObject([{ value: 100 }])
    expect(entry?.content.notes_raw).toContain('금200원으로 증액')
    expect(codes).toEqual(['AMOUNT_NOT_READ'])
  })
})

it.each([
  ['금1,200,000원(일백이십만원)', ['1200000'], []],
  ['금1,200,000원(일백만원)', ['1200000'], ['AMOUNT_NOT_READ']],
  ['일백만원(금1,200,000원)', ['1200000'], ['AMOUNT_NOT_READ']],
  ['금1,200,000원\n(금200,000원 증액)', ['1200000'], ['AMOUNT_NOT_READ']],
  ['금1,200,00원', [], ['AMOUNT_NOT_READ']],
  ['금1200,000원', ['1200000'], []],
  ['금1,200,000원\n    금500,000원', ['1200000', '500000'], []],
  ['1. 금1,200,000원\n    2. 금500,000원', ['1200000', '500000'], []],
  ['금1,200,000원\n    미화 금1,000달러', ['1200000'], ['FOREIGN_CURRENCY']],
  ['채무자 한누리에 대하여\n    금1,200,000원', ['1200000'], []],
  ['금일십억\n    이천만원', ['1020000000'], []],
])(
  'an amount in two forms, with a digit missing, or with another below it is compared: %j',
  (amount, values, codes) => {
    const read = readMortgage('', amount)
    expect(read.entry?.content.amounts.map(({ value }) => `${value}`)).toEqual(values)
    expect(read.codes).toEqual(codes)
  },
)

it.each([
  ['공공용지의협의취득', '공공용지의협의취득'],
  ['가람지방법원의 가압류결정', '가람지방법원의 가압류결정'],
])('a cause that is broken behind 의: %j', (printed, text) => {
  const row = ['2', '압류', RECEIPT, `2011년1월1일\n${printed}`, `권리자  국`]
  expect(readRows({ sectionA: [OWNER, row] }).document.section_a[1]?.cause.text).toBe(text)
})

it.each(['(2006\n타경4444)', '(2006타\n경4444)', '(2006타경\n4444)', '(2006 타경 4444)'])(
  'a cause has the number of its case without blanks: %j',
  (number) => {
    const row = ['2', '압류', RECEIPT, `2011년1월1일\n${number}`, `권리자  국`]
    expect(readRows({ sectionA: [OWNER, row] }).document.section_a[1]?.cause.text).toBe(
      '(2006타경4444)',
    )
  },
)

describe('a receipt', () => {
  it.each([
    ['2011년1월2일\n제3호', '2011년 01월 02일', '3호', []],
    ['2011년1월2일\n제12345호의2', '2011년 01월 02일', '12345호의2', []],
    ['단기4290년1월2일\n제3호', '1957년 01월 02일', '3호', []],
    ['소화17년1월2일\n제3호', '1942년 01월 02일', '3호', []],
    ['2011년1월2일\n12346', '2011년 01월 02일', '', ['RECEIPT_NOT_READ']],
    ['2011년2월30일\n제3호', '2011년 02월 30일', '3호', ['DATE_IMPLAUSIBLE']],
    ['4288년3월2일\n제3호', '1955년 03월 02일', '3호', []],
    ['5288년3월2일\n제3호', '5288년 03월 02일', '3호', ['DATE_IMPLAUSIBLE']],
  ])('%j is read whole or reported', (receipt, date, number, codes) => {
    const read = readRight('전세권설정', `전세금  금100원\n전세권자  한다솜\n${HOME}`, receipt)
    expect(read.entry?.receipt).toEqual({ date, number })
    expect(read.codes).toEqual(codes)
  })
})

it.each(['가압류', '압류', '가처분', '임의경매개시결정', '소유권이전청구권가등기'])(
  '%s without a holder is reported',
  (purpose) => {
    const { codes } = readRows({
      sectionA: [OWNER, ['2', purpose, RECEIPT, CAUSE, '청구금액  금100원']],
    })
    expect(codes).toEqual(['FIELD_MISSING'])
  },
)

it('a value below its label is read without the label', () => {
  const right = '사해행위취소를원인으로한소유권이전등기말소등기청구권보전을위한권리'
  const { document } = readRows({
    sectionA: [
      OWNER,
      ['2', '가처분', RECEIPT, CAUSE, `피보전권리  ${right}\n채권자  한다솜\n${HOME}`],
    ],
  })
  expect(document.section_a[1]?.content.protected_right?.replaceAll(' ', '')).toBe(right)
})

it('an amount below its label leaves no note', () => {
  const amount = '금일십이억삼천사백오십육만칠천팔백구십원정'
  const { entry, codes } = readRight(
    '근저당권설정',
    `채권최고액  ${amount}\n채무자  한누리\n${BANK}`,
  )
  expect(entry?.content.amounts).toMatchObject([{ value: 1_234_567_890 }])
  expect(entry?.content.notes_raw).toBeNull()
  expect(codes).toEqual([])
})

it('a protected right and a prohibition continue up to the next label', () => {
  const rights = [
    '피보전권리  사해행위취소로 인한',
    '소유권이전등기말소청구권',
    `채권자  한다솜\n${HOME}`,
    '금지사항  매매, 증여, 임차권의 설정',
    '기타일체의 처분행위 금지',
    '2012년3월4일 부기',
  ].join('\n')
  const { entry, codes } = readRight('가처분', rights)
  expect(entry?.content).toMatchObject({
    protected_right: '사해행위취소로 인한 소유권이전등기말소청구권',
    prohibition_text: '매매, 증여, 임차권의 설정 기타일체의 처분행위 금지',
    annotation_date: '2012년 03월 04일',
    notes_raw: null,
  })
  expect(codes).toEqual([])
})

it('a right that the office entered by itself needs no receipt', () => {
  const rights = '승역지  바람리 113-4\n목  적  통행\n2011년1월3일 등기'
  const row = ['1', '요역지지역권', '', '', rights]
  expect(readRows({ sectionB: [row] }).codes).toEqual([])
})

it('a receipt may repeat the word of its column', () => {
  const read = readRight('근저당권설정', `채권최고액  금100원\n${BANK}`, '2011년1월2일\n접수제3호')
  expect(read.entry?.receipt).toEqual({ date: '2011년 01월 02일', number: '3호' })
  expect(read.codes).toEqual([])
})

it.each([
  ['제2011-1호, 제2011-2호', '공동담보목록 제2011-1호, 제2011-2호', ['FIELD_REPEATED']],
  ['제2011-1호 (추가)', '공동담보목록 (추가)', []],
  ['제2011-1호', null, []],
])('of a list %s, the first number is read and the rest is in the notes', (text, notes, codes) => {
  const read = readMortgage(`공동담보목록  ${text}`)
  expect(read.entry?.content.collateral?.list_number).toBe('2011-1')
  expect({ notes: read.entry?.content.notes_raw, codes: read.codes }).toEqual({ notes, codes })
})

it('a lease has its dates and parts below labels of other wordings', () => {
  const { entry, codes } = readRight(
    '주택임차권',
    `임차보증금  금50,000,000원\n차임  월 30만원\n임대차계약체결일  2018년3월1일\n전입신고일자  2018년3월2일\n점유개시일  2018년3월3일\n임대차기간  2018년3월1일부터 2년\n임차범위  3층 301호\n임차권자  한다솜\n${HOME}`,
  )
  expect(entry?.content).toMatchObject({
    amounts: [{ value: 50_000_000 }, { type: '차임', value: 300_000, raw: '월 30만원' }],
    term: { duration: '2018년3월1일부터 2년' },
    lease: {
      contract_date: '2018년 03월 01일',
      resident_registration_date: '2018년 03월 02일',
      possession_start_date: '2018년 03월 03일',
      lease_area: '3층 301호',
    },
  })
  expect(codes).toEqual([])
})

it.each(['목적 및 범위', '전세권의 목적인 범위'])('the scope may be printed as %s', (label) => {
  const rights = `전세금  금50,000,000원\n${label}  2층 전부\n전세권자  한다솜\n${HOME}`
  const { entry, codes } = readRight('전세권설정', rights)
  expect(entry?.content).toMatchObject({
    term: { scope: '2층 전부' },
    lease: { lease_area: '2층 전부' },
  })
  expect(codes).toEqual([])
})
