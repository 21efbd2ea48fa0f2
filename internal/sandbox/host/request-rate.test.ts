import { expect, it } from 'vitest'
import { createBucket, requestCost } from './request-rate.ts'

it('lets a burst pass, then asks for a wait that grows with the debt', () => {
  let time = 0
  const bucket = createBucket({ perS: 10, burst: 5 }, () => time)
  expect(Array.from({ length: 5 }, () => bucket.take(1))).toEqual([0, 0, 0, 0, 0])
  expect(bucket.take(1)).toBe(100)
  expect(bucket.take(1)).toBe(200)
  time = 200
  expect(bucket.take(1)).toBe(100)
  time = 10_000
  expect(bucket.take(5)).toBe(0)
})

it('never asks for more than a second at once', () => {
  const bucket = createBucket({ perS: 1, burst: 1 }, () => 0)
  expect(bucket.take(1_000)).toBe(1_000)
})

it('a large value costs more than a small one', () => {
  expect([0, 16_383, 16_384, 262_144].map(requestCost)).toEqual([1, 1, 2, 17])
})
