/** The names of holders after 등기명의인표시변경, of which the register strikes only the name [documents 7.9]. */
import { expect, it } from 'vitest'
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
  ['소유자  ~~문새벽~~  730303-*******', '문새벽의 주소  나래', '문새벽 730303-*******'],
  [
    `수탁자  ~~${LAND}~~\n        ~~주식회사~~\n        110111-0000001`,
    `${LAND}주식회사의 성명(명칭)  다라신탁`,
    '다라신탁 110111-0000001',
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
