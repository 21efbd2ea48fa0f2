/** Addresses that some programs print on the line of the holder, or at the left of the column [documents 7.12]. */
import { expect, it } from 'vitest'
import { OWNER, type RowText, readRows } from '../fixtures/certificate/from-rows.ts'

const ADDRESS = '가람특별시 나래구 다솜로 12'
const LONG = '가람특별시 나래구 다솜로 12, 101동 1203호(나래동, 가온아파트)'
const ABROAD = '미합중국 캘리포니아주 로스앤젤레스시 윌셔가 1234'
const NUMBER = '720202-2******'

const read = (rights: string) => {
  const row: RowText = ['2', '소유권이전', '2011년1월2일\n제3호', '2011년1월1일\n매매', rights]
  const { document, codes } = readRows({ sectionA: [OWNER, row] })
  const { persons = [], notes_raw: notes } = document.section_a[1]?.content ?? {}
  const holders = persons.map(({ name, resident_number, address, share }) =>
    [name, resident_number, address?.replace(/\s/g, ''), share].filter(Boolean).join(' / '),
  )
  return { holders, notes, codes }
}

const holder = (address: string, number: string | null = NUMBER, share?: string): string =>
  ['문새벽', number, address.replace(/\s/g, ''), share].filter(Boolean).join(' / ')

it.each([
  [`소유자  문새벽  ${NUMBER}  ${ADDRESS}`, holder(ADDRESS)],
  [`소유자  문새벽 ${NUMBER} ${ADDRESS}`, holder(ADDRESS)],
  [`소유자  문새벽 ${NUMBER}, ${ADDRESS}`, holder(ADDRESS)],
  [`소유자  문새벽  ${NUMBER}  주소 ${ADDRESS}`, holder(ADDRESS)],
  [`소유자  문새벽  ${ADDRESS}`, holder(ADDRESS, null)],
  [`소유자 문새벽 ${ADDRESS}`, holder(ADDRESS, null)],
  [`소유자  문새벽  ${NUMBER}  ${LONG}`, holder(LONG)],
  [`소유자  문새벽  ${NUMBER}  ${ABROAD}`, holder(ABROAD)],
])('an address on the line of its holder is that of the holder: %s', (rights, expected) => {
  expect(read(rights)).toEqual({ holders: [expected], notes: null, codes: [] })
})

it.each([
  [`소유자  문새벽  ${NUMBER}\n가람특별자치도 하늘특례시 나래구 구름동 산113-22`],
  [`소유자  문새벽  ${NUMBER}\n${ABROAD}`],
])(
  'an address at the left, whose number is on the next line, is that of the holder: %j',
  (rights) => {
    const [, address = ''] = rights.split('\n')
    expect(read(rights)).toEqual({ holders: [holder(address)], notes: null, codes: [] })
  },
)

it('each owner of a list has the address on its line', () => {
  const owners = [1, 2].map(
    (lot) => `지분 2분의 1  문새벽  ${NUMBER}  가람특별시 나래구 다솜로 ${lot}`,
  )
  const { holders, codes } = read(`공유자\n${owners.join('\n')}`)
  expect(holders).toEqual(
    [1, 2].map((lot) => holder(`가람특별시 나래구 다솜로 ${lot}`, NUMBER, '2분의 1')),
  )
  expect(codes).toEqual([])
})

it('two holders of one line stay two, and a foreign bank is a holder', () => {
  const bank = '중국 공상은행 제2지점  110181-0000001'
  expect(read(`소유자  ${bank}\n    ${ADDRESS}`).holders).toEqual([
    `중국 공상은행 제2지점 / 110181-0000001 / ${ADDRESS.replace(/\s/g, '')}`,
  ])
  const { holders } = read(`공유자  문새벽 ${NUMBER}, 한다솜 720202-1******`)
  expect(holders).toEqual([`문새벽 / ${NUMBER}`, '한다솜 / 720202-1******'])
})
