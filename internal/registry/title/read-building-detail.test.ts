import { describe, expect, it } from 'vitest'
import { readBuildingDetail, totalFloorArea } from './read-building-detail.ts'

/** Lines of the cell, floors above ground, use, labels of the areas, and total area in square metres. */
type Case = readonly [string, number | null, string | null, string, number | null]

const CASES: readonly Case[] = [
  ['벽돌조 시멘트기와지붕|단층주택|66.12㎡', 1, '주택', '단층', 66.12],
  ['경량철골구조|샌드위치판넬지붕 1층 창고|230.4㎡', 1, '창고', '1층', 230.4],
  ['목조 기와지붕 단층|주택 50㎡|부속건물 단층 창고 12㎡', 1, '주택', '단층 부속건물', 62],
  ['철근콘크리트조 슬래브지붕|2층주택|1층 66.12㎡|2층 50.5㎡', 2, '주택', '1층 2층', 116.62],
  ['벽돌조|기와지붕 2층|주택|1층 60㎡|2층 50㎡|지하실 20㎡', 2, '주택', '1층 2층 지하실', 130],
  ['철골구조 평지붕|5층 업무시설|지하1층 90㎡|1층 80㎡', 5, '업무시설', '지하1층 1층', 170],
  ['철골구조 평지붕 4층|공장|1층 80㎡|2층 내지 4층 각 70㎡', 4, '공장', '1층 2층 3층 4층', 290],
  ['벽돌조 기와지붕 2층|주택|1층, 2층 각 50㎡|옥탑 9㎡', 2, '주택', '1층 2층 옥탑', 109],
  [
    '벽돌조 기와지붕 3층|점포|지하1층, 1층 각 50㎡|2·3층 점포 각|40㎡',
    3,
    '점포',
    '지하1층 1층 2층 3층',
    180,
  ],
  [
    '벽돌조 평지붕 5층|점포|1층, 3층 내지 5층 각 50㎡|2층 9㎡',
    5,
    '점포',
    '1층 3층 4층 5층 2층',
    209,
  ],
  ['벽돌조 기와지붕|2층 주택|1, 2층 각 50㎡', 2, '주택', '1층 2층', 100],
  ['철골구조 평지붕 3층|공장|1층~3층 각 70.5㎡', 3, '공장', '1층 2층 3층', 211.5],
  ['연와조 슬래브지붕 2층|점포|1층 점포 50㎡, 주택 20㎡|2층 60㎡', 2, '점포', '1층 1층 2층', 130],
  ['철골구조 평지붕 2층|공장|1층 80㎡(내 계단 5㎡)|2층 70㎡', 2, '공장', '1층 2층', 150],
  ['철골구조|평지붕 3층|주택|1층 주택|50.1㎡|2층 주택|50.2㎡', 3, '주택', '1층 2층', 100.3],
  ['벽돌조 기와지붕 2층|주택|1층 60㎡, 2층 50㎡|옥탑 9㎡', 2, '주택', '1층 2층 옥탑', 119],
  ['벽돌조 기와지붕|2층 주택|지층 9㎡(창고) 1층 60㎡ 2층 50㎡', 2, '주택', '지층 1층 2층', 119],
  ['철골구조 평지붕 단층 사무소', 1, '사무소', '', null],
  ['목조 와즙 평가건 주택 1동|건평 15평 5홉', 1, '주택', '', null],
  ['연와조 세멘와즙 평가건 주택 51.2㎡', 1, '주택', '평가건', 51.2],
  ['연와조 스라브즙 2층|주택|1층 60㎡|2층 50㎡', 2, '주택', '1층 2층', 110],
]

describe('the detail of a building', () => {
  it.each(CASES)('%s', (cell, floors, use, labels, total) => {
    const detail = readBuildingDetail(cell.split('|'))
    expect({ floors: detail.floors, use: detail.use }).toEqual({ floors, use })
    expect(detail.areas.map(({ floor }) => floor).join(' ')).toBe(labels)
    expect(totalFloorArea(detail.areas)).toBe(total)
  })

  it.each([
    ['목조 와즙 평가건 주택', '목조', '와즙'],
    ['연와조 스라브즙 2층 주택', '연와조', '스라브즙'],
    ['철골구조 판넬지붕 착즙공장', '철골구조', '판넬지붕'],
  ])('names structure and roof: %s', (cell, structure, roof) => {
    expect(readBuildingDetail([cell])).toMatchObject({ structure, roof })
  })
})
