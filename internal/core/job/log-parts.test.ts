import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLogParts, readLogParts } from './log-parts.ts'
import { LOG_STREAMS } from './log-stream.ts'

const part = fc.record({
  afterMs: fc.integer({ min: -5, max: 5 }),
  stream: fc.constantFrom(...LOG_STREAMS),
  bytes: fc.nat({ max: 100 }),
})

test('what was collected is read back: each byte with its time and stream', () => {
  fc.assert(
    fc.property(fc.array(part), (given) => {
      const parts = createLogParts()
      let at = 1_795_000_000_000
      const expected = given.flatMap(({ afterMs, stream, bytes }) => {
        at += afterMs
        parts.add({ at, stream, bytes })
        return Array.from({ length: bytes }, () => `${at} ${stream}`)
      })
      const read = readLogParts(parts.take()).flatMap(({ at: time, stream, bytes }) =>
        Array.from({ length: bytes }, () => `${time} ${stream}`),
      )
      expect(read).toEqual(expected)
      expect(readLogParts(parts.take())).toEqual([])
    }),
  )
})

test('a flood of changes is bounded, and no byte is left out', () => {
  const parts = createLogParts()
  for (let n = 0; n < 20_000; n += 1) {
    parts.add({ at: n, stream: n % 2 === 0 ? 'stdout' : 'stderr', bytes: 3 })
  }
  const read = readLogParts(parts.take())
  expect(read).toHaveLength(4_096)
  expect(read.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(60_000)
})
