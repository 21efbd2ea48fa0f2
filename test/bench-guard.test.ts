import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeLoss } from './bench/judge-loss.ts'

test('a rate that fell by a fifth in every sample is a loss', () => {
  const { loss, isLost } = judgeLoss({
    better: 'higher',
    before: [100, 101, 99, 102, 100],
    now: [80, 81, 79, 80, 82],
  })
  expect([Math.round(loss * 100), isLost]).toEqual([20, true])
})

test('a time that rose by a fifth in every sample is a loss', () => {
  const { loss, isLost } = judgeLoss({
    better: 'lower',
    before: [10, 10.1, 9.9, 10.2, 10],
    now: [12, 12.1, 11.9, 12.2, 12],
  })
  expect([Math.round(loss * 100), isLost]).toEqual([20, true])
})

test('a median that fell within the noise is not a loss', () => {
  const noisy = {
    better: 'higher',
    before: [70, 100, 130, 90, 110],
    now: [60, 80, 125, 85, 105],
  } as const
  expect(judgeLoss(noisy)).toMatchObject({ isLost: false })
})

test('a loss of less than a tenth is not a loss, however sure', () => {
  const sure = { better: 'lower', before: [10, 10, 10], now: [10.9, 10.9, 10.9] } as const
  expect(judgeLoss(sure)).toMatchObject({ share: 1, isLost: false })
})

test('a commit loses nothing to itself, and what is a loss one way is a gain the other way', () => {
  const samples = fc.array(fc.double({ min: 0.01, max: 1e6, noNaN: true }), {
    minLength: 3,
    maxLength: 9,
  })
  fc.assert(
    fc.property(samples, samples, fc.constantFrom('higher', 'lower'), (before, now, better) => {
      expect(judgeLoss({ better, before, now: before }).isLost).toBe(false)
      const there = judgeLoss({ better, before, now })
      const back = judgeLoss({ better, before: now, now: before })
      expect(there.isLost && back.isLost).toBe(false)
    }),
  )
})
