import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createScheduler, type Duty } from './loop.ts'

const EVERY_MS = 1_000

let warnings: string[]
let runs: number
const count = async (): Promise<undefined> => {
  runs += 1
  return undefined
}
const log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message: string) => void warnings.push(message),
  error: () => undefined,
}
const duty = (name: string, runOnce: () => Promise<undefined>): Duty => ({
  name,
  everyMs: EVERY_MS,
  runOnce,
})

beforeEach(() => {
  vi.useFakeTimers()
  warnings = []
  runs = 0
})
afterEach(() => {
  vi.useRealTimers()
})

test('a duty runs at the start and then at each turn', async () => {
  const scheduler = createScheduler(log, [duty('count', count)])
  await scheduler.start()
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(EVERY_MS * 3)
  expect(runs).toBe(4)
  await scheduler.stop()
})

test('a duty that fails is logged and runs again, without affecting others', async () => {
  const scheduler = createScheduler(log, [
    duty('broken', () => Promise.reject(new Error('Away.'))),
    duty('count', count),
  ])
  await scheduler.start()
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect(runs).toBe(2)
  expect(warnings).toEqual(['The duty broken failed.', 'The duty broken failed.'])
  await scheduler.stop()
})

test('a slow duty does not overlap itself, and stop waits for it', async () => {
  let finish: () => void = () => undefined
  const scheduler = createScheduler(log, [
    duty('slow', () => {
      runs += 1
      return new Promise((resolve) => {
        finish = () => resolve(undefined)
      })
    }),
  ])
  await scheduler.start()
  await vi.advanceTimersByTimeAsync(EVERY_MS * 5)
  expect(runs).toBe(1)
  let isStopped = false
  const stopped = scheduler.stop().then(() => {
    isStopped = true
  })
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect(isStopped).toBe(false)
  finish()
  await stopped
  await vi.advanceTimersByTimeAsync(EVERY_MS * 5)
  expect({ runs, timers: vi.getTimerCount() }).toEqual({ runs: 1, timers: 0 })
})

test('a duty can request its next turn sooner, and be triggered between turns', async () => {
  let want: () => void = () => undefined
  let isListening = false
  const scheduler = createScheduler(log, [
    {
      name: 'eager',
      everyMs: EVERY_MS,
      runOnce: async () => {
        runs += 1
        return runs === 1 ? 100 : undefined
      },
      onWanted: (callback) => {
        want = callback
        isListening = true
        return () => {
          isListening = false
        }
      },
    },
  ])
  await scheduler.start()
  await vi.advanceTimersByTimeAsync(100)
  expect(runs).toBe(2)
  await vi.advanceTimersByTimeAsync(EVERY_MS - 1)
  expect(runs).toBe(2)
  want()
  await vi.advanceTimersByTimeAsync(0)
  expect(runs).toBe(3)
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect(runs).toBe(4)
  await scheduler.stop()
  want()
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect({ runs, isListening }).toEqual({ runs: 4, isListening: false })
})
