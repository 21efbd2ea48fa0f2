import { describe, expect, test } from 'vitest'
import {
  AT_HOME,
  fromCellKey,
  HOME_CELL,
  isCellName,
  isPlaceFresh,
  MOVING_FRESH_MS,
  PLACE_FRESH_MS,
  toCellKey,
} from './cells.ts'

test.each(['eu', 'eu-west-1', 'a'])('%j names a cell', (name) => {
  expect(isCellName(name)).toBe(true)
})

test.each(['', 'home', 'EU', '1st', 'a b', 'a@b', 'x'.repeat(32)])('%j names none', (name) => {
  expect(isCellName(name)).toBe(false)
})

describe('a place', () => {
  const asked = (now: number) => ({ readAt: 1_000, now: 1_000 + now })

  test('counts for a short time from when it was requested', () => {
    expect(isPlaceFresh(AT_HOME, asked(PLACE_FRESH_MS - 1))).toBe(true)
    expect(isPlaceFresh(AT_HOME, asked(PLACE_FRESH_MS))).toBe(false)
  })

  test('of a workspace that moves is read again sooner', () => {
    const moving = { cell: 'eu', movingTo: 'us' }
    expect(isPlaceFresh(moving, asked(MOVING_FRESH_MS - 1))).toBe(true)
    expect(isPlaceFresh(moving, asked(MOVING_FRESH_MS))).toBe(false)
  })
})

describe('the key of a hint', () => {
  test.each(['eu', HOME_CELL])('leads back to the cell %s', (cell) => {
    expect(fromCellKey(toCellKey(cell, 'gpu.large'))).toEqual({ cell, key: 'gpu.large' })
  })

  test('of the first database is what it was before there were cells', () => {
    expect(toCellKey(HOME_CELL, 'default')).toBe('default')
  })
})
