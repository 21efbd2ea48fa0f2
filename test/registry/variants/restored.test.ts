/** Holders of entries that were restored (회복). They stay struck through as a whole [documents 7.9]. */
import { expect, it } from 'vitest'
import { OWNER, type RowText, readRows } from '../fixtures/certificate/from-rows.ts'

const CAUSE = '2011년1월1일\n설정계약'
const HOME = '    가람특별시 나래구 다솜로 12'
const BANK = `근저당권자  주식회사누리은행  110111-0000002\n${HOME}`
const received = (year: number) => `${year}년3월2일\n제3호`
const row = (year: number, rank: string, purpose: string, rights = '', cause = CAUSE): RowText => [
  rank,
  purpose,
  received(year),
  cause,
  rights,
]
const textsOf = (sectionB: readonly RowText[]) => {
  const { document, codes } = readRows({ sectionA: [OWNER], sectionB })
  const { persons = [] } = document.section_b[0]?.content ?? {}
  return { texts: persons.map(({ name, address }) => `${name} ${address}`), codes }
}
const MORTGAGE = row(
  2011,
  '~1',
  '근저당권설정',
  `채권최고액  금100원\n채무자  한누리\n${HOME}\n${BANK}`,
)
const ENDS = [row(2013, '2', '1번근저당권설정등기말소'), row(2014, '3', '1번근저당권설정등기회복')]
const ADDRESS = HOME.trim()

it.each(['~1-1', '1-1'])('have the address that a change of names states: %s', (rank) => {
  const change = row(
    rank === '1-1' ? 2015 : 2012,
    rank,
    '1번등기명의인표시변경',
    '주식회사누리은행의 주소  가람시 나래동 1',
  )
  expect(textsOf([MORTGAGE, change, ...ENDS])).toEqual({
    texts: [`한누리 ${ADDRESS}`, '주식회사누리은행 가람시 나래동 1'],
    codes: ['RESTORATION'],
  })
})

it('a change that a later one replaces states no debtor', () => {
  const change = (year: number, rank: string, name: string) =>
    row(year, rank, '1번근저당권변경', `채무자  ${name}\n${HOME}`)
  const changes = [change(2011, '~1-1', '한다솜'), change(2012, '~1-2', '한라온')]
  const sectionB = [MORTGAGE, ...changes, ...ENDS]
  const { section_b: entries } = readRows({ sectionA: [OWNER], sectionB }).document
  const names = entries.map(({ content }) => content.persons.map(({ name }) => name))
  expect(names).toEqual([['주식회사누리은행'], [], ['한라온'], [], []])
})

it.each([
  ['중첩적채무인수', [`한누리 ${ADDRESS}`, `주식회사누리은행 ${ADDRESS}`]],
  ['면책적채무인수', [`주식회사누리은행 ${ADDRESS}`]],
])('a debtor by %s', (cause, texts) => {
  const change = row(
    2012,
    '~1-1',
    '1번근저당권변경',
    `채무자  한다솜\n${HOME}`,
    `2012년3월1일\n${cause}`,
  )
  expect(textsOf([MORTGAGE, change, ...ENDS])).toEqual({ texts, codes: ['RESTORATION'] })
})
