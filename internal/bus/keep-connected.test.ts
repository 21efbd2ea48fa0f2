import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Connect, keepConnected } from './keep-connected.ts'

let closes: Parameters<Connect>[0][]
let unreached: (Error | null)[]
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  closes = []
  unreached = []
  const followed = keepConnected(
    (onClosed) => {
      closes.push(onClosed)
      return { close: () => undefined }
    },
    (error) => unreached.push(error),
  )
  stop = followed.stop
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

const REFUSED = new Error('connect ECONNREFUSED')

/** Closes the open connection, and waits until the next one is opened. @returns milliseconds until then */
const closeOne = (wasJoined: boolean): number => {
  const from = Date.now()
  closes.at(-1)?.(wasJoined, wasJoined ? null : REFUSED)
  vi.advanceTimersToNextTimer()
  return Date.now() - from
}
const fail = (times: number): number =>
  Array.from({ length: times }, () => closeOne(false)).reduce((sum, ms) => sum + ms, 0)

test('a server that cannot be joined for about half a minute is reported, with the reason, once', () => {
  const waitedMs = fail(7)
  expect(unreached).toEqual([])
  expect(waitedMs).toBeGreaterThan(12_000)
  fail(20)
  expect(unreached).toEqual([REFUSED])
})

test('it is reported again after it was joined', () => {
  fail(8)
  closeOne(true)
  fail(7)
  expect(unreached).toHaveLength(1)
  fail(1)
  expect(unreached).toHaveLength(2)
})

test('a server that is joined again and again is not reported, and retried soon', () => {
  const waits = Array.from({ length: 20 }, () => closeOne(true))
  expect(Math.max(...waits)).toBeLessThanOrEqual(250)
  expect(unreached).toEqual([])
})
