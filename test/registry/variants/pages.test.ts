/** Pages in another order, long property lines, lists, and tables that the reader does not know [documents 3.11]. */
import { describe, expect, it } from 'vitest'
import type { PageContent } from '#registry/page-content.ts'
import { parseRegistry } from '#registry/parse-registry.ts'
import { acquisitionDate, currentOwners } from '#registry/workflow/current-owners.ts'
import {
  type CertificateText,
  OWNER,
  type RowText,
  readRows,
  tableOf,
} from '../fixtures/certificate/from-rows.ts'
import { generateCertificate } from '../fixtures/certificate/generate-certificate.ts'
import { columnsFrom } from '../fixtures/certificate/title-row.ts'

const mortgage = (rank: number, last = ''): RowText => [
  `${rank}`,
  '근저당권설정',
  `2011년1월1일\n제${rank}호`,
  '2011년1월1일\n설정계약',
  `채권최고액  금100원\n채무자  한누리\n근저당권자  주식회사누리은행  110111-0000002${last}`,
]
const MANY = Array.from({ length: 24 }, (_, at) => mortgage(at + 1))
type Change = NonNullable<CertificateText['change']>

const numbered = (pages: readonly PageContent[]): readonly PageContent[] =>
  pages.map((page, at) => ({ ...page, number: at + 1 }))

const withoutEndMark = (page: PageContent): PageContent => ({
  ...page,
  texts: page.texts.filter(({ text }) => !/^(--|[이하여백])$/.test(text)),
})

describe('pages in another order', () => {
  const orders: readonly (readonly [string, Change])[] = [
    ['reversed', (pages) => numbered(pages.toReversed())],
    ['rotated', ([first, ...pages]) => numbered(first === undefined ? pages : [...pages, first])],
  ]
  it.each(orders)('that are %s are read in that of their numbers', (_, change) => {
    const { document, codes } = readRows({ sectionB: MANY, change })
    const straight = readRows({ sectionB: MANY }).document
    expect(document.section_b).toEqual(straight.section_b)
    expect(document.title).toEqual(straight.title)
    expect(codes).toEqual(['PAGES_REORDERED'])
  })

  it('stay as they are when one is missing', () => {
    const change: Change = (pages) => numbered(pages.toReversed().slice(1))
    expect(readRows({ sectionB: MANY, change }).codes).toContain('PAGES_INCOMPLETE')
  })
})

describe('a page that the file has twice', () => {
  const repeats: readonly (readonly [string, Change])[] = [
    ['the first', ([first, ...pages]) => (first === undefined ? [] : [first, first, ...pages])],
    ['the second', (pages) => pages.flatMap((page, at) => (at === 1 ? [page, page] : [page]))],
    ['the last', (pages) => [...pages, ...pages.slice(-1)]],
    ['each', (pages) => [...pages, ...pages]],
  ]
  it.each(repeats)('is read once: %s', (_, repeat) => {
    const change: Change = (pages) => numbered(repeat(pages))
    const { document, codes } = readRows({ sectionB: MANY, change })
    const once = readRows({ sectionB: MANY }).document
    expect(document.section_b).toEqual(once.section_b)
    expect(document.section_a).toEqual(once.section_a)
    expect(codes).toEqual(['PAGE_REPEATED'])
  })

  it('is not another page with its number', () => {
    const change: Change = (pages) =>
      numbered([...pages, ...pages.slice(-1)]).map((page, at, { length }) =>
        at < length - 1
          ? page
          : { ...page, texts: page.texts.map((each) => ({ ...each, text: `${each.text} ` })) },
      )
    expect(readRows({ sectionB: MANY, change }).codes).toContain('PAGES_INCOMPLETE')
  })
})

describe('a file with two certificates', () => {
  const second = generateCertificate(8).pages.pages
  const change: Change = (pages) => numbered([...pages, ...second])
  it.each<readonly [string, Change]>([
    ['one after the other', change],
    ['the first of which has no end mark', (pages) => change(pages.map(withoutEndMark))],
    ['the first of which is in reverse order', (pages) => change(numbered(pages.toReversed()))],
  ])('is read as the first of them: %s', (_, both) => {
    const { document, codes, confidence } = readRows({ sectionB: MANY, change: both })
    const alone = readRows({ sectionB: MANY }).document
    expect(document.section_a).toEqual(alone.section_a)
    expect(document.section_b).toEqual(alone.section_b)
    expect(document.major_summary).toBeNull()
    expect(codes).toContain('OTHER_CERTIFICATE')
    expect(confidence).toBeLessThan(85)
  })

  it('is not a certificate whose first page was scanned twice', () => {
    const change: Change = ([first, ...rest]) =>
      numbered(first === undefined ? rest : [first, first, ...rest])
    const { document, codes } = readRows({ sectionB: MANY, change })
    const ranks = new Set(document.section_b.map((entry) => entry.rank_number))
    expect(ranks.size).toBe(MANY.length)
    expect(codes).not.toContain('OTHER_CERTIFICATE')
  })

  it('names the number and the pages of the other', () => {
    const first = generateCertificate(6).pages
    const parse = parseRegistry(
      { ...first, pages: numbered([...first.pages, ...second]) },
      { parsedAt: '', documentId: null },
    )
    if (parse.kind !== 'document') throw new Error(parse.message)
    const { diagnostics, major_summary: summary } = parse.document
    const last = first.pages.length + second.length
    expect(diagnostics.warnings[0]?.message).toBe(
      `Another certificate (2648-2001-993196) on pages ${first.pages.length + 1} to ${last} was not read; send each as a file of its own.`,
    )
    expect(summary?.owners).toHaveLength(1)
    expect(diagnostics.warnings.map(({ code }) => code)).not.toContain('PAGES_REORDERED')
  })
})

it('a property line on two lines is read whole', () => {
  const change: Change = (pages) =>
    pages.map((page) => ({
      ...page,
      texts: page.texts.flatMap((text) =>
        text.text.startsWith('[토지]')
          ? [
              { ...text, baseline: text.baseline + 12 },
              { ...text, text: '제35층 제3503호', right: text.left + 75 },
            ]
          : [text],
      ),
    }))
  const { document, codes } = readRows({ change })
  expect(document.property_address).toBe('가람북도 하늘시 구름면 바람리 113-2 제35층 제3503호')
  expect(document.diagnostics.unread).toEqual([])
  expect(codes).toEqual([])
})

it('a table that the reader does not know is unread and belongs to no entry', () => {
  const columns = columnsFrom(['일련번호', '기계기구의 표시', '비고'], [0, 10, 80, 108])
  const machines = tableOf('공장저당', '', columns, [
    ['1', '선반 3대', ''],
    ['2', '밀링', ''],
  ])
  const { document, codes } = readRows({ sectionB: [mortgage(1)], others: [machines] })
  expect(document.section_b).toHaveLength(1)
  expect(document.section_b[0]?.purpose.raw).toBe('근저당권설정')
  expect(document.diagnostics.unread.map(({ text }) => text)).toContain('1  선반 3대')
  expect(codes).toEqual(['UNREAD_TEXT'])
})

describe('a list', () => {
  const sale: RowText = [
    '2',
    '소유권이전',
    '2011년1월1일\n제2호',
    '2011년1월1일\n매매',
    '소유자  한다솜  720202-*******\n매매목록  제2016-553호',
  ]
  const row = (serial: string): RowText => [
    serial,
    '[토지] 바람리 1',
    '2',
    '2016년9월22일\n매매',
    '',
  ]
  it.each([
    ['2016-553', '금370,000,000원', ['1', '2'], []],
    ['2016-553', '미화 1,000달러', ['1', '2'], ['AMOUNT_NOT_READ']],
    ['2016-553', '금370,000원(금350,000원에서 경정)', ['1', '2'], ['AMOUNT_NOT_READ']],
    ['2016-553', '금370,000,000원', ['1', '3'], ['LIST_INCOMPLETE']],
    ['2016-554', '금370,000,000원', ['1', '2'], ['LIST_INCOMPLETE']],
  ])(
    'of number %s, price %s and rows %j gives the warnings %j',
    (number, amount, serials, codes) => {
      const trade = { number, amount, rows: serials.map(row) }
      expect(readRows({ sectionA: [OWNER, sale], trade }).codes).toEqual(codes)
    },
  )

  it('of a sale with a row that is struck through is reported', () => {
    const rows = [row('1'), row('~2')]
    const trade = { number: '2016-553', amount: '금370,000,000원', rows }
    const { document, codes } = readRows({ sectionA: [OWNER, sale], trade })
    expect(document.trade_lists[0]?.items.map(({ serial_number: serial }) => serial)).toEqual([
      '1',
      '2',
    ])
    expect(codes).toEqual(['SALE_ITEM_STRUCK'])
  })

  it('of a sale has a blank between the date and the text of a cause', () => {
    const rows = [
      ['1', '[토지] 바람리 1', '2', '2016년10월22일\n매매', '2017년1월1일'],
      ['2', '[토지] 바람리 2', '2', '매매', '2017년1월1일\n신청착오'],
    ]
    const trade = { number: '2016-553', amount: '금370,000,000원', rows }
    const [list] = readRows({ sectionA: [OWNER, sale], trade }).document.trade_lists
    expect(list?.items.map((item) => [item.registration_cause, item.correction_cause])).toEqual([
      ['2016년10월22일 매매', '2017년1월1일'],
      ['매매', '2017년1월1일 신청착오'],
    ])
  })

  it('of collateral with a row that is struck through is reported', () => {
    const rows = ['1', '~2'].map((serial) => [
      serial,
      '[토지] 바람리 1',
      '하늘지방법원',
      '1',
      '',
      '',
    ])
    const { codes } = readRows({
      sectionB: [mortgage(1, '\n공동담보목록  제2016-412호')],
      collateral: { number: '2016-412', rows },
    })
    expect(codes).toEqual(['COLLATERAL_ENDED'])
  })

  it('of collateral names no kind of property that is not printed', () => {
    const rows = [['1', '바람리 1 건물', '하늘지방법원', '1', '', '']]
    const collateral = { number: '2016-412', rows }
    const { document, codes, confidence } = readRows({
      sectionB: [mortgage(1, '\n공동담보목록  제2016-412호')],
      collateral,
    })
    expect(document.section_b[0]?.content.collateral?.items[0]?.property_type).toBe('')
    expect(codes).toEqual(['COLLATERAL_NOT_READ'])
    expect(confidence).toBeLessThan(100)
  })
})

describe('a page that is not all text', () => {
  const second =
    (change: (page: PageContent) => PageContent): Change =>
    (pages) =>
      pages.map((page) => (page.number === 2 ? change(page) : page))

  it('is reported if it has no text', () => {
    const change = second((page) => ({ ...page, texts: [], lines: [] }))
    const { codes, confidence } = readRows({ sectionB: MANY, change })
    expect(codes).toEqual(['PAGE_WITHOUT_TEXT', 'RANK_MISSING'])
    expect(confidence).toBeLessThan(85)
  })

  it('is reported if it is a scan with a layer of text', () => {
    const change = second((page) => ({ ...page, isPicture: true }))
    expect(readRows({ sectionB: MANY, change }).codes).toEqual(['TEXT_OF_SCAN'])
  })

  it('is reported if its number does not fit, although another page has none', () => {
    const withoutNumber = (page: PageContent): PageContent => ({
      ...page,
      texts: page.texts.filter(({ text }) => !/^\d+\/\d+$/.test(text)),
    })
    const change: Change = (pages) =>
      numbered(pages.filter((_, at) => at !== 1)).map((page, at) =>
        at === 0 ? withoutNumber(page) : page,
      )
    expect(readRows({ sectionB: MANY, change }).codes).toContain('PAGES_INCOMPLETE')
  })
})

describe('a rank that was not read', () => {
  const without =
    (rank: string, printed: string): Change =>
    (pages) =>
      pages.map((page) => ({
        ...page,
        texts: page.texts.flatMap((text) =>
          text.text === rank && text.left < 75
            ? printed === ''
              ? []
              : [{ ...text, text: printed }]
            : [text],
        ),
      }))

  it.each(['', '그'])('printed as "%s" begins an entry of its own', (printed) => {
    const rows = [mortgage(1), mortgage(2), mortgage(3)]
    const { document, codes } = readRows({ sectionB: rows, change: without('2', printed) })
    const whole = readRows({ sectionB: rows }).document
    expect(document.section_b.map(({ rank_number: rank }) => rank)).toEqual(['1', '', '3'])
    expect(document.section_b.map(({ content }) => content)).toEqual(
      whole.section_b.map(({ content }) => content),
    )
    expect(codes).toEqual(['RANK_NOT_READ', 'RANK_MISSING'])
    expect(document.section_b[1]?.confidence).toBeLessThan(1)
  })

  it('is not missed below a provisional registration, whose main registration may have no rank', () => {
    const rows: RowText[] = [
      ['1', '소유권이전청구권\n가등기', '2011년1월1일\n제1호', '', '가등기권자  한다솜'],
      ['2', '소유권이전', '2012년1월1일\n제9호', '', '소유자  한다솜  720202-*******'],
    ]
    const { document } = readRows({ sectionA: rows, change: without('2', '') })
    const [one, ...others] = document.section_a
    expect(one?.purpose.sub_purposes.map(({ right_type: right }) => right)).toEqual([
      '가등기',
      '소유권이전',
    ])
    expect(others).toEqual([])
  })

  it('of a main registration, its own receipt and cause are notes and date the acquisition', () => {
    const rows: RowText[] = [
      OWNER,
      [
        '2',
        '소유권이전청구권\n가등기',
        '2016년10월13일\n제33814호',
        '2016년9월22일\n매매예약',
        '가등기권자  한다솜  720202-*******',
        '====',
        '소유권이전',
        '2018년10월13일\n제33999호',
        '2018년9월22일\n매매',
        '소유자  한다솜  720202-*******',
      ],
    ]
    const { document } = readRows({ sectionA: rows })
    expect(document.section_a[1]).toMatchObject({
      receipt: { number: '33814호' },
      cause: { text: '매매예약' },
      content: { notes_raw: '소유권이전 2018년10월13일 제33999호 2018년9월22일 매매' },
    })
    expect(acquisitionDate(document.section_a)).toBe('2018년 10월 13일')
    expect(acquisitionDate(document.section_a.slice(0, 1))).toBe('2010년 01월 05일')
    expect(acquisitionDate([])).toBeNull()
  })

  it('of a transfer leaves its owner the current one', () => {
    const sale: RowText = [
      '2',
      '소유권이전',
      '2012년1월1일\n제9호',
      '2012년1월1일\n매매',
      '소유자  한다솜  720202-*******',
    ]
    const { document } = readRows({ sectionA: [OWNER, sale], change: without('2', '') })
    expect(currentOwners(document)).toEqual(['한다솜'])
  })
})
