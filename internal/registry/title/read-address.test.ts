import { expect, it } from 'vitest'
import type { CellLine } from '../tables/cell-text.ts'
import { readBuildingPlace } from './read-address.ts'

const RIGHT = 299.618
const LEFT = 162.005

/** Builds the lines of a cell in the registry's fixed pitch: 10 pt for Hangul, 5 pt for other characters. */
const cell = (...texts: readonly string[]): CellLine[] =>
  texts.map((text, index) => ({
    page: 1,
    baseline: 600 - 13 * index,
    pieces: [
      {
        text,
        left: LEFT,
        right: LEFT + [...text].reduce((sum, sign) => sum + (sign > '\u00a0' ? 10 : 5), 0),
        baseline: 600 - 13 * index,
        size: 10,
        isStruck: false,
      },
    ],
  }))

it.each([
  [['가람북도 하늘시 구름동 113-2', '외 2필지', '가온아파트', '제108동']],
  [['가람북도 하늘시 구름동 113-2 외', '2필지', '가온아파트']],
])('further lots on a line of their own belong to the address, not to the name: %j', (texts) => {
  expect(readBuildingPlace(cell(...texts), RIGHT)).toEqual({
    address: '가람북도 하늘시 구름동 113-2 외 2필지',
    roadAddress: null,
    buildingName: '가온아파트',
  })
})

it.each([
  [['다솜동 100-1', '외 3필지 누리1차아파트', '제101동'], '다솜동 100-1 외 3필지', '누리1차아파트'],
  [['다솜동 100-1', '누리아파트 제3동'], '다솜동 100-1', '누리아파트'],
  [['다솜동 100-1 누리아파트 제다동'], '다솜동 100-1', '누리아파트'],
  [['다솜동 M1블록 1로트', '누리타워'], '다솜동 M1블록 1로트', '누리타워'],
  [['다솜동', 'HC3-1블럭', '누리타워'], '다솜동 HC3-1블럭', '누리타워'],
])('the cell %j has the address %s and the name %s', (texts, address, buildingName) => {
  expect(readBuildingPlace(cell(...texts), RIGHT)).toMatchObject({ address, buildingName })
})
