import { describe, expect, test } from 'vitest'
import { formatAgo, formatDuration, formatShort } from './format.ts'

describe('a duration', () => {
  test.each([
    [0, '0ms', '0밀리초'],
    [412, '412ms', '412밀리초'],
    [1_840, '1.8s', '1.8초'],
    [999.6, '1.0s', '1.0초'],
    [9_960, '10s', '10초'],
    [59_400, '59s', '59초'],
    [59_700, '1m', '1분'],
    [61_000, '1m 1s', '1분 1초'],
    [119_900, '2m', '2분'],
    [3_599_800, '1h', '1시간'],
    [3_600_000, '1h', '1시간'],
    [273_600_000, '3d 4h', '3일 4시간'],
  ])('of %d ms', (ms, en, ko) => {
    expect([formatDuration(ms, 'en'), formatDuration(ms, 'ko')]).toEqual([en, ko])
  })
})

describe('how long ago', () => {
  const now = Date.UTC(2026, 0, 15, 12)
  test.each([
    [-1_000, 'now', '지금'],
    [-30_000, '30s ago', '30초 전'],
    [-300_000, '5m ago', '5분 전'],
    [7_200_000, 'in 2h', '2시간 후'],
    [-86_400_000, 'yesterday', '어제'],
  ])('%i ms', (offset, en, ko) => {
    expect([formatAgo(now + offset, now, 'en'), formatAgo(now + offset, now, 'ko')]).toEqual([
      en,
      ko,
    ])
  })
})

test('a time of another year has its year', () => {
  const now = new Date(2026, 10, 26, 9, 30).getTime()
  const nextYear = new Date(2027, 10, 26, 9, 30).getTime()
  const soon = new Date(2026, 11, 9, 9, 30).getTime()
  expect(formatAgo(nextYear, now, 'en')).toBe('Nov 26, 2027')
  expect(formatAgo(soon, now, 'en')).toBe('Dec 9, 9:30 AM')
  expect(formatShort(nextYear, now, 'en')).toBe('Nov 26, 2027, 9:30 AM')
  expect(formatShort(soon, now, 'en')).toBe('Dec 9, 9:30 AM')
  expect(formatAgo(nextYear, now, 'ko')).toBe('2027년 11월 26일')
  expect(formatShort(soon, now, 'ko')).toBe('12월 9일 오전 9:30')
})
