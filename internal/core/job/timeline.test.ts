import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timelineSpan, toTimeline } from './timeline.ts'

const NOW = Date.parse('2026-03-04T12:34:56Z')

describe('a span of time', () => {
  it.each([
    [3_600, 60_000, 60],
    [86_400, 900_000, 96],
    [604_800, 7_200_000, 84],
    [1, 1_000, 1],
    [366 * 86_400, 604_800_000, 53],
  ])('of %i s is cut into pieces of %i ms, %i of them', (seconds, pieceMs, pieces) => {
    expect(timelineSpan(NOW, seconds)).toMatchObject({ pieceMs, pieces })
  })

  it('has the present in its last piece, and begins at most one piece after the requested time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 1, max: 366 * 86_400 }),
        (now, seconds) => {
          const { from, pieceMs, pieces } = timelineSpan(now, seconds)
          const end = from + pieces * pieceMs
          expect(now >= end - pieceMs && now < end).toBe(true)
          expect(pieces).toBeLessThanOrEqual(96)
          expect(Math.abs(from) % pieceMs).toBe(0)
          expect(from).toBeLessThanOrEqual(now - seconds * 1_000 + pieceMs)
        },
      ),
    )
  })
})

it('a timeline has every piece, adds up what comes several times and leaves out the rest', () => {
  const span = { from: 1_000, pieceMs: 1_000, pieces: 3 }
  const timeline = toTimeline(span, [
    { at: 1_000, outcome: 'success', count: 2 },
    { at: 1_999, outcome: 'success', count: 1 },
    { at: 3_000, outcome: 'failure', count: 4 },
    { at: 999, outcome: 'canceled', count: 9 },
    { at: 4_000, outcome: 'canceled', count: 9 },
  ])
  expect(timeline).toEqual([
    { at: 1_000, success: 3, failure: 0, canceled: 0 },
    { at: 2_000, success: 0, failure: 0, canceled: 0 },
    { at: 3_000, success: 0, failure: 4, canceled: 0 },
  ])
})
