/** Title sections whose later rows change a part of the earlier ones, and buildings with several parts [documents 4.1]. */
import { describe, expect, it } from 'vitest'
import { type RowText, readRows } from '../fixtures/certificate/from-rows.ts'

const PLACE = '가람북도 하늘시 구름면\n바람리 113-2'

describe('a closed register', () => {
  it.each([
    ['', []],
    ['2020년3월2일\n합병으로 인하여 바람리 113에 이기\n등기기록 폐쇄', ['REGISTER_CLOSED']],
    ['멸실로 인하여 이 등기기록을 폐쇄함', ['REGISTER_CLOSED']],
    ['폐쇄등기부에서 이기', []],
    ['2003년에 폐쇄된 바람리 115에서 이기', []],
  ])('with %j in the title section has the warnings %j', (cause, codes) => {
    const { document, codes: found } = readRows({
      title: [['1', '1990년1월5일', PLACE, '대', '714㎡', cause]],
    })
    expect(found).toEqual(codes)
    const [warning] = document.diagnostics.warnings
    expect(warning?.entry_id).toBe(codes.length === 0 ? undefined : 'title_land:p1:r1')
  })
})

describe('a land', () => {
  it('has the fields of the last row that states them, without struck ones', () => {
    const before: RowText = ['1', '1990년1월5일', PLACE, '~~전~~', '~~1421㎡~~', '']
    const { document } = readRows({
      title: [before, ['2', '1999년1월5일', '', '대', '1400㎡', '면적정정']],
    })
    expect(document.title).toMatchObject({
      address: '가람북도 하늘시 구름면 바람리 113-2',
      land_type: '대',
      land_area: '1400㎡',
    })
  })

  it.each([
    ['430㎡', []],
    ['1정2단3무', []],
    ['1,42㎡', ['AREA_NOT_READ']],
    ['430', ['AREA_NOT_READ']],
  ])('of %s gives the warnings %j', (area, codes) => {
    expect(readRows({ title: [['1', '1990년1월5일', PLACE, '대', area, '']] }).codes).toEqual(codes)
  })

  it('of which two rows in force state areas is reported', () => {
    const title = ['714㎡', '700㎡'].map((area, at) => [
      `${at + 1}`,
      '1990년1월5일',
      PLACE,
      '대',
      area,
      '',
    ])
    expect(readRows({ title }).codes).toEqual(['AREA_NOT_READ'])
  })

  it('of an unknown category is reported', () => {
    const { codes } = readRows({ title: [['1', '1990년1월5일', PLACE, '대\n임야', '1421㎡', '']] })
    expect(codes).toEqual(['LAND_TYPE_UNKNOWN'])
  })
})

const readBuilding = (...lines: readonly string[]) => {
  const title = [['1', '2010년1월5일', PLACE, lines.join('\n'), '']]
  const { document, codes } = readRows({ kind: 'building', title })
  if (document.title.property_type !== 'building') throw new Error('no building')
  const { areas, total_floor_area: total } = document.title
  return { areas: areas.map(({ floor, area }) => `${floor} ${area}`), total, codes }
}

describe('a building', () => {
  it('has the areas of a floor that are on lines of their own', () => {
    const read = readBuilding(
      '철근콘크리트구조 평슬라브지붕 2층',
      '판매시설',
      '1층 판매시설 50.5㎡',
      '주차장 20㎡',
      '2층 80㎡',
    )
    expect(read).toEqual({ areas: ['1층 50.5', '1층 20', '2층 80'], total: 150.5, codes: [] })
  })

  it('has the areas of annexes in brackets', () => {
    const read = readBuilding(
      '벽돌조 기와지붕 단층주택 66.12㎡',
      '(부속건물)',
      '1. 목조 창고 9.9㎡',
      '2. 블록조 변소 3.3㎡',
    )
    expect(read).toEqual({
      areas: ['단층 66.12', '부속건물 9.9', '부속건물 3.3'],
      total: 79.32,
      codes: [],
    })
  })

  it('has areas whose use contains a number', () => {
    const line = '1층 제1종근린생활시설 50㎡, 제2종근린생활시설(학원) 30㎡'
    const read = readBuilding('철골구조 평지붕 1층', '근린생활시설', line)
    expect(read.total).toBe(80)
  })

  it('with an area that belongs to no floor is reported', () => {
    const read = readBuilding(
      '철골구조 평지붕 2층',
      '학교',
      '가동 1층 100㎡ 2층 90㎡',
      '나동 1층 50㎡',
    )
    expect(read.codes).toEqual(['AREA_NOT_READ'])
  })

  it.each([
    ['1층 50㎡|2층 위와 같음'],
    ['1층 50㎡|2층 1OO㎡'],
    ['1층 50㎡'],
    ['1층 50㎡|2층 1,00.5㎡'],
    ['1층 15평|2층 10평'],
  ])('with a floor without a certain area is reported: %s', (floors) => {
    const { codes } = readBuilding('벽돌조 평슬라브지붕 2층', '주택', ...floors.split('|'))
    expect(codes).toContain('AREA_NOT_READ')
  })

  it.each([
    ['벽돌조 평슬라브지붕 2층|주택|1층 필로티|2층 50㎡', 50],
    ['철근콘크리트구조|지하 2층|지하1층 100㎡|지하2층 80㎡', 180],
    ['목조 기와지붕 단층주택 20평(66.12㎡)', 66.12],
  ])('of which each area was read is not reported: %s', (lines, area) => {
    expect(readBuilding(...lines.split('|'))).toMatchObject({ total: area, codes: [] })
  })

  it('of 평 keeps its use', () => {
    const { document, codes } = readRows({
      kind: 'building',
      title: [['1', '1960년1월5일', PLACE, '목조 초가지붕 단층주택 30평', '']],
    })
    expect(document.title).toMatchObject({ building_type: '주택', total_floor_area: null })
    expect(codes).toEqual(['AREA_NOT_READ'])
  })

  it('of which two rows in force state areas is reported', () => {
    const rows = ['1층 50㎡', '1층 60㎡'].map((area, at) => [
      `${at + 1}`,
      '2010년1월5일',
      PLACE,
      `목조 기와지붕 1층\n주택\n${area}`,
      '',
    ])
    expect(readRows({ kind: 'building', title: rows }).codes).toEqual(['AREA_NOT_READ'])
  })
})

const readUnit = (text: Parameters<typeof readRows>[0]) => {
  const { title } = readRows({ ...text, kind: 'aggregate' }).document
  if (title.property_type !== 'aggregate_building') throw new Error('no aggregate building')
  return title
}

describe('an aggregate building', () => {
  const ratio: RowText = ['1', '1 소유권대지권', '5000분의 41.5', '2010년1월5일 대지권']
  const burden = (number: string): RowText => [
    number,
    '',
    '',
    '별도등기 있음\n1토지(을구1번 근저당권설정등기)',
  ]

  it.each([
    ['2번, 3번 별도등기 말소', ['2', '3']],
    ['3번 별도등기 말소', ['3']],
    ['2번 별도등기 일부말소', []],
  ])('loses the burdens of its land that a later row ends: %s', (end, numbers) => {
    const ratios = [ratio, burden('2'), burden('3'), ['4', '', '', `${end}\n2011년1월5일 등기`]]
    const ended = readUnit({ ratios }).land_right_ratio_entries.filter((row) => row.is_cancelled)
    expect(ended.map((row) => row.display_number)).toEqual(numbers)
  })

  const LATER: RowText = ['2', '', '5000분의 42.5', '1번대지권비율 경정\n2012년1월5일 등기']
  const OTHER: RowText = ['2', '2 소유권대지권', '300분의 2.5', '2010년1월5일 대지권']
  it.each<readonly [string, readonly RowText[], string, readonly string[]]>([
    ['is struck', [['1', '1 소유권대지권', '~~5000분의 41.5~~', ''], LATER], '42.5', []],
    ['is corrected', [['1', '1 소유권대지권', '~~5000분의 41.5~~\n5000분의 42.5', '']], '42.5', []],
    ['is of one land', [ratio, OTHER], '41.5', []],
    ['is stated again', [ratio, LATER], '41.5', ['LAND_RATIO_NOT_READ']],
    ['is above 1', [['1', '1 소유권대지권', '5000분의 5001', '']], '5001', ['LAND_RATIO_NOT_READ']],
  ])('has a ratio of the land that %s', (_, ratios, part, codes) => {
    expect(readUnit({ ratios }).land_right_ratio).toBe(`5000분의 ${part}`)
    expect(readRows({ kind: 'aggregate', ratios }).codes).toEqual(codes)
  })

  it('has all ratios of a row, with a warning', () => {
    const ratios = [['1', '1 소유권대지권\n2 소유권대지권', '5000분의 41.5\n300분의 2.5', '']]
    const { land_right_ratio: first, land_right_ratio_entries: rows } = readUnit({ ratios })
    expect(first).toBe('5000분의 41.5')
    expect(rows[0]?.land_right_ratio).toBe('5000분의 41.5, 300분의 2.5')
    expect(readRows({ kind: 'aggregate', ratios }).codes).toEqual(['LAND_RATIO_NOT_READ'])
  })

  it('has the area of a land that is not struck through', () => {
    const lands = [['1', '1. 바람동 1', '대', '~~50㎡~~\n51㎡', '2010년1월5일 등기']]
    expect(readUnit({ lands }).land_right_entries).toMatchObject([{ area: '51㎡' }])
  })

  it('has several lands without a blank after their numbers', () => {
    const place = '1.가람북도 하늘시 바람동 1\n2.가람북도 하늘시 바람동 2'
    const lands = [['1', place, '대\n임야', '50㎡\n60㎡', '2010년1월5일 등기']]
    expect(readUnit({ lands }).land_right_entries).toMatchObject([
      { location: '가람북도 하늘시 바람동 1', land_type: '대', area: '50㎡' },
      { location: '가람북도 하늘시 바람동 2', land_type: '임야', area: '60㎡' },
    ])
  })

  it('has a name that begins on the line of its lot', () => {
    const title = [
      ['1', '2010년1월5일', `${PLACE} 가온빌라`, '목조 기와지붕 1층\n주택\n1층 90㎡', ''],
    ]
    expect(readUnit({ title })).toMatchObject({
      address: '가람북도 하늘시 구름면 바람리 113-2',
      building_name: '가온빌라',
    })
  })
})
