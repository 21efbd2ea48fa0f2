/** Amounts without a label or with the label above them, and amounts in the currency before 1962 [documents 7.4]. */
import { expect, it } from 'vitest'
import { OWNER, readRows } from '../fixtures/certificate/from-rows.ts'

const CREDITOR = '채권자  누리카드 주식회사  110111-0000004\n    가람특별시 나래구 다솜로 12'
const AMOUNT = '금12,345,678원'

const read = (purpose: string, rights: string) => {
  const { document, codes } = readRows({
    sectionA: [OWNER, ['2', purpose, '2011년1월2일\n제3호', '2011년1월1일\n결정', rights]],
  })
  const { amounts = [], notes_raw: notes, persons = [] } = document.section_a[1]?.content ?? {}
  return {
    amounts: amounts.map(({ type, value }) => `${type} ${value}`),
    addresses: persons.map(({ address }) => address),
    notes,
    codes,
  }
}

it.each([
  `${AMOUNT}\n${CREDITOR}`,
  `청구금액\n${AMOUNT}\n${CREDITOR}`,
  `${CREDITOR}\n${AMOUNT}`,
  `${CREDITOR}\n    ${AMOUNT}`,
])('the only amount of a 가압류 is its claim: %j', (rights) => {
  expect(read('가압류', rights)).toEqual({
    amounts: ['청구금액 12345678'],
    addresses: ['가람특별시 나래구 다솜로 12'],
    notes: null,
    codes: [],
  })
})

it.each([
  ['가압류', `${CREDITOR}\n${AMOUNT}\n금5,000원`],
  ['가압류', `청구금액  금100원\n${CREDITOR}\n${AMOUNT}`],
  ['가처분', `${CREDITOR}\n${AMOUNT}`],
])('another amount without a label is a note with a warning, of a %s: %j', (purpose, rights) => {
  const { notes, codes } = read(purpose, rights)
  expect(notes).toContain(AMOUNT)
  expect(codes).toEqual(['AMOUNT_NOT_READ'])
})

it('a receipt in Hanja is read', () => {
  const row = [
    '2',
    '所有權移轉',
    '2001年1月2日\n第3號',
    '2000年12月1日\n賣買',
    '所有者  金永洙  520202-1******',
  ]
  const { document, codes } = readRows({ sectionA: [OWNER, row] })
  expect(document.section_a[1]?.receipt).toEqual({ date: '2001년 01월 02일', number: '3호' })
  expect(codes).toEqual([])
})

it.each(['금50,000환', '금일백만환정', '금 100,000 圜'])(
  '%s is a note, and named as old',
  (amount) => {
    const { amounts, notes, codes } = read('가압류', `청구금액  ${amount}\n${CREDITOR}`)
    expect(amounts).toEqual([])
    expect(notes?.replace(/\s/g, '')).toBe(`청구금액${amount.replace(/\s/g, '')}`)
    expect(codes).toEqual(['OLD_CURRENCY'])
  },
)
