import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDate, findMoment } from './date.ts'
import { readMoney, readNumeral } from './money.ts'
import {
  findPreviousRank,
  findReceiptNumber,
  findRegistrationNumber,
  findUniqueNumber,
  isRank,
} from './number.ts'
import { readShare } from './share.ts'

const DIGITS = '영일이삼사오육칠팔구'

/** Writes a number in Hangul, as certificates do: `사천팔백만`. */
const hangul = (value: number): string => {
  const group = (four: number) =>
    ['천', '백', '십', '']
      .map((unit, index) => {
        const digit = Math.floor(four / 10 ** (3 - index)) % 10
        return digit === 0 ? '' : `${DIGITS[digit]}${unit}`
      })
      .join('')
  return ['조', '억', '만', '']
    .map((unit, index) => {
      const four = Math.floor(value / 10 ** (4 * (3 - index))) % 10_000
      return four === 0 ? '' : `${group(four)}${unit}`
    })
    .join('')
}

describe('an amount', () => {
  it('in Hangul is read as its number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999_999_999 }), (value) => {
        expect(readNumeral(hangul(value))).toBe(value)
      }),
    )
  })

  it.each([
    ['금120,000,000원', 120_000_000],
    ['금67,124,038 원', 67_124_038],
    ['금50,000,000원정', 50_000_000],
    ['금사천팔백만원정', 48_000_000],
    ['금일억이천만원', 120_000_000],
    ['금이십오억삼천만원', 2_530_000_000],
    ['금1억2,000만원', 120_000_000],
    ['금3억원', 300_000_000],
    ['월 금300,000원', 300_000],
    ['금2천만원', 20_000_000],
    ['금5백만원', 5_000_000],
    ['금1억5천5백만원정', 155_000_000],
    ['금1억 이천만원', 120_000_000],
    ['일금 일억이천만원정', 120_000_000],
    ['金120,000,000원', 120_000_000],
    ['금만원', 10_000],
    ['금억원', 100_000_000],
    ['120,000,000원', 120_000_000],
    ['금壹億貳千萬원', 120_000_000],
    ['金 伍億柒阡捌佰萬원整', 578_000_000],
    ['금 參千五百萬원정', 35_000_000],
    ['一金 五百萬원整', 5_000_000],
  ])('%s is %d won', (text, value) => {
    expect(readMoney(text)).toMatchObject({ kind: 'won', value })
  })

  it.each(['월 금300,000원', '매월 금300,000원', '연 금300,000원', '월 300,000원', '금壹億원整'])(
    '%s is given as it is printed',
    (text) => {
      expect(readMoney(text)).toMatchObject({ raw: text })
    },
  )

  it.each([
    '미화금1,000,000달러',
    '일본국법화 금1,000,000엔',
    '금30,000,000엔정',
    '금3억엔',
    '금50,000유로',
    'USD 1,000,000',
    'US$1,000,000',
  ])('%s is not in won', (text) => {
    expect(readMoney(text)).toMatchObject({ kind: 'foreign' })
  })

  it('is not made up from what is none', () => {
    for (const text of ['연 5%, 1,000원마다', '5원 1원']) expect(readMoney(text)).toBeNull()
    for (const text of ['없음', '금원', '', '금억만조원이상'])
      expect(readMoney(text)?.kind).not.toBe('foreign')
    // a sign is missing or too many
    for (const text of [
      '금일이삼원',
      '금일억만원',
      '금1억0천5백만원',
      '금일억영만원',
      '금만억원',
      '금십이백만원',
      '금3억1억원',
      '금5십2십원',
    ])
      expect(readMoney(text)).toBeNull()
    expect(readMoney('없음')).toBeNull()
    expect(readMoney('금원')).toBeNull()
    // the currency before 1953 is another one
    expect(readMoney('金五百圓整')).toBeNull()
  })
})

describe('a date', () => {
  it.each([
    ['2016. 9. 2.', '2016년 09월 02일'],
    ['2020년3월5일', '2020년 03월 05일'],
    ['2016년 10월 13일', '2016년 10월 13일'],
    ['발행일 2024/06/20', '2024년 06월 20일'],
    ['서기 1985년3월2일', '1985년 03월 02일'],
    ['2025.01.03', '2025년 01월 03일'],
    ['단기 4287년3월5일', '1954년 03월 05일'],
    ['4287년3월5일', '1954년 03월 05일'],
    ['소화15년3월5일', '1940년 03월 05일'],
    ['0024년3월5일', '0024년 03월 05일'],
    ['大正5年3月5日', '1916년 03월 05일'],
  ])('%s is %s', (text, date) => {
    expect(findDate(text)?.date).toBe(date)
  })

  it('ends after its last point and begins with its era', () => {
    for (const text of ['2016. 9. 2.', '서기2016년9월2일']) {
      expect(findDate(text)).toMatchObject({ start: 0, end: text.length })
    }
  })

  it('with a time is a moment', () => {
    expect(findMoment('2025년04월01일 13시06분16초')).toBe('2025년 04월 01일 13시 06분 16초')
    expect(findMoment('2009년12월14일 오후 3시06분16초')).toBe('2009년 12월 14일 15시 06분 16초')
    expect(findMoment('2009년12월14일 오후 12시06분16초')).toBe('2009년 12월 14일 12시 06분 16초')
    expect(findMoment('2009년12월14일 오전 12시06분16초')).toBe('2009년 12월 14일 00시 06분 16초')
    expect(findMoment('2025년04월01일')).toBeNull()
  })
})

describe('a number', () => {
  it('of a person or company is found with its mask', () => {
    for (const number of ['850101-*******', '580213-1******', '110111-0000002', '123-45-67890']) {
      expect(findRegistrationNumber(`한누리 ${number}`)).toBe(number)
    }
    expect(findRegistrationNumber('압류(징세46120-777)')).toBeNull()
  })

  it('is a rank with up to five parts', () => {
    expect(['1', '12-3', '1-1-1', '1-1-1-1-1'].every(isRank)).toBe(true)
    expect(['(전 7)', '1.', '1-', '', '1-1-1-1-1-1'].some(isRank)).toBe(false)
    expect(findPreviousRank('1(전 7-1)')).toBe('7-1')
  })

  it('of a property may have blanks around its hyphens', () => {
    expect(findUniqueNumber('고유번호 1501 - 2023 - 099901')).toBe('1501-2023-099901')
    expect(findUniqueNumber('01501-2023-099901')).toBeNull()
  })

  it('of a receipt loses its 제', () => {
    expect(findReceiptNumber('제33814호')).toBe('33814호')
    expect(findReceiptNumber('第33814號')).toBe('33814호')
    expect(findReceiptNumber('')).toBe('')
  })
})

describe('a share', () => {
  it('has the denominator first', () => {
    expect(readShare('지분 3분의 2')).toEqual({ text: '3분의 2', numerator: 2, denominator: 3 })
  })

  it('is not a share of a share', () => {
    expect(readShare('지분 2분의 1 중 3분의 1')).toBeNull()
  })

  it('of a broken number has no numerator', () => {
    expect(readShare('10분의2.4')).toEqual({ text: '10분의 2.4', numerator: null, denominator: 10 })
  })
})
