import { expect, test } from 'vitest'
import { createPrefetch, type Prefetch } from './prefetch.ts'

/** Opens the prefetch of a worker whose last job took this long; null before its first one. */
const after = (durationMs: number | null, concurrency = 2): Prefetch => {
  const prefetch = createPrefetch(concurrency)
  if (durationMs !== null) prefetch.add(durationMs)
  return prefetch
}

test('short jobs are claimed ahead by slot, up to what one claim may hold up, and long ones not at all', () => {
  expect([null, 30, 10, 0.1].map((ms) => after(ms).count())).toEqual([0, 0, 4, 64])
  expect(after(0.1, 100).count()).toBe(512)
})

test('the next claim is due when half of what was claimed ahead is left, without any when as many as slots wait', () => {
  expect([null, 30, 10, 0.1].map((ms) => after(ms).refillAt())).toEqual([2, 2, 2, 32])
})

test('a long job lowers the average slowly, and jobs that waited too long make it start again', () => {
  const prefetch = after(1)
  prefetch.add(41)
  expect(prefetch.count()).toBe(4)
  prefetch.reset()
  expect(prefetch.count()).toBe(0)
})
