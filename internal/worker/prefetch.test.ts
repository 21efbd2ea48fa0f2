import { expect, test } from 'vitest'
import { prefetchCount, refillAt } from './prefetch.ts'

test('short jobs are claimed ahead by slot, up to what one claim may hold up, and long ones not at all', () => {
  expect([null, 30, 10, 0.1].map((averageMs) => prefetchCount(2, averageMs))).toEqual([0, 0, 4, 64])
  expect(prefetchCount(100, 0.1)).toBe(512)
})

test('the next claim is due when half of what was claimed ahead is left, without any when as many as slots wait', () => {
  expect([null, 30, 10, 0.1].map((averageMs) => refillAt(2, averageMs))).toEqual([2, 2, 2, 32])
})
