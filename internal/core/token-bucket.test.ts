import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Bucket, isFull, takeToken } from './token-bucket.ts'

test('a full bucket admits one second’s worth at once, then returns how long to wait', () => {
  let bucket: Bucket | null = null
  for (let sent = 0; sent < 50; sent += 1) {
    const taken = takeToken(bucket, 50, 1_000)
    expect(taken.isAllowed).toBe(true)
    bucket = taken.bucket
  }
  expect(takeToken(bucket, 50, 1_000)).toMatchObject({ isAllowed: false, waitMs: 20 })
  expect(takeToken(bucket, 50, 1_020).isAllowed).toBe(true)
})

test('never lets pass more than the rate allows, whatever the times of the requests', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 300 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), gaps, (rate, waits) => {
      let now = 0
      let passed = 0
      let bucket: Bucket | null = null
      for (const wait of waits) {
        now += wait
        const taken = takeToken(bucket, rate, now)
        bucket = taken.bucket
        if (taken.isAllowed) passed += 1
      }
      expect(passed).toBeLessThanOrEqual(rate + (now / 1_000) * rate + 1e-6)
    }),
  )
})

test('waiting that long is enough, and a clock that goes back takes nothing away', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(10_000), (rate, start) => {
      let bucket: Bucket | null = null
      for (let sent = 0; sent < rate; sent += 1) bucket = takeToken(bucket, rate, start).bucket
      const { waitMs, bucket: empty } = takeToken(bucket, rate, start)
      expect(takeToken(empty, rate, start - 500).isAllowed).toBe(false)
      expect(takeToken(empty, rate, start + waitMs + 0.001).isAllowed).toBe(true)
      expect(isFull(empty, rate, start + 1_001)).toBe(true)
    }),
  )
})
