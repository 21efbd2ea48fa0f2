/** Several lands in one row of the land right table [documents 4.3]. */
import { describe, expect, it } from 'vitest'
import type { PageContent } from '#registry/page-content.ts'
import { readRows } from '../fixtures/certificate/from-rows.ts'

const WHOLE = '1. 가람북도 하늘시 구름구\n바람동 825\n2. 가람북도 하늘시 구름구\n바람동 826-1'

const read = (
  location: string,
  type: string,
  area: string,
  change?: (pages: readonly PageContent[]) => readonly PageContent[],
) => {
  const lands = [['1', location, type, area, '2010년1월5일 등기']]
  const { document, codes } = readRows({ kind: 'aggregate', lands, ...(change ? { change } : {}) })
  if (document.title.property_type !== 'aggregate_building') throw new Error('no building')
  const found = document.title.land_right_entries.map(
    (land) => `${land.location}|${land.land_type}|${land.area}|${land.is_cancelled}`,
  )
  return { found, codes }
}

describe('lands whose locations take several lines', () => {
  const FOUND = [
    '가람북도 하늘시 구름구 바람동 825|대|5000㎡|false',
    '가람북도 하늘시 구름구 바람동 826-1|도로|120.5㎡|false',
  ]

  it('have their category and area, if these are printed one below the other', () => {
    expect(read(WHOLE, '대\n도로', '5000㎡\n120.5㎡')).toEqual({ found: FOUND, codes: [] })
  })

  it('also a category and an area of two lines', () => {
    const { found } = read(WHOLE, '공장용\n지\n도로', '1234567890\n.5㎡\n3㎡')
    expect(found).toEqual([
      '가람북도 하늘시 구름구 바람동 825|공장용지|1234567890.5㎡|false',
      '가람북도 하늘시 구름구 바람동 826-1|도로|3㎡|false',
    ])
  })

  it('have none by count, if there are fewer values than lands', () => {
    const { found } = read(WHOLE, '대', '5000㎡')
    expect(found).toEqual([
      '가람북도 하늘시 구름구 바람동 825|대|5000㎡|false',
      '가람북도 하늘시 구름구 바람동 826-1|null|null|false',
    ])
  })
})
