import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WorkDue } from '#store/work-due.ts'
import { createScheduler, type SchedulerOptions } from './loop.ts'
import type { Duty } from './turns.ts'

const EVERY_MS = 1_000
const REST_MS = 30_000

const NOTHING: WorkDue = {
  now: 0,
  epoch: 0,
  hasCorrections: false,
  hasFireTimesToCorrect: false,
  isBusy: false,
  delayedMs: null,
  leaseMs: null,
  startTimeoutMs: null,
  waitMs: null,
  reminderMs: null,
  pendingEventAgeMs: null,
  hasRunsToCancel: false,
  hasRunsAwaitingRoom: false,
  hasOperations: false,
  revocationMs: null,
  fireMs: null,
  hasWaitingFireTimes: false,
  notificationMs: null,
  gitSyncMs: null,
  relayMs: null,
}

let warnings: string[]
let runs: number
let polls: number
let due: WorkDue
let hearsAllWrites: boolean
let announce: () => void
const count = async (): Promise<undefined> => {
  runs += 1
  return undefined
}
const log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message: string, { times }: Readonly<{ times?: unknown }> = {}) =>
    void warnings.push(`${message} (${times})`),
  error: () => undefined,
}
const duty = (name: string, runOnce: () => Promise<number | undefined>): Duty => ({
  name,
  everyMs: EVERY_MS,
  runOnce,
})
const start = async (duties: readonly Duty[], more: Partial<SchedulerOptions> = {}) => {
  const scheduler = createScheduler(log, duties, {
    poll: async () => {
      polls += 1
      return due
    },
    hearsAllWrites: () => hearsAllWrites,
    onWritten: (listener) => {
      announce = listener
      return () => {
        announce = () => undefined
      }
    },
    ...more,
  })
  await scheduler.start()
  await vi.advanceTimersByTimeAsync(0)
  return scheduler
}

beforeEach(() => {
  vi.useFakeTimers()
  warnings = []
  runs = 0
  polls = 0
  due = NOTHING
  hearsAllWrites = true
})
afterEach(() => {
  vi.useRealTimers()
})

test('a scheduler with nothing to do polls once in 30 s', async () => {
  const scheduler = await start([{ ...duty('count', count), dueMs: () => null }])
  expect(polls).toBe(1)
  await vi.advanceTimersByTimeAsync(10 * REST_MS)
  expect({ polls, runs }).toEqual({ polls: 11, runs: 0 })
  await scheduler.stop()
  await vi.advanceTimersByTimeAsync(REST_MS)
  expect({ polls, timers: vi.getTimerCount() }).toEqual({ polls: 11, timers: 0 })
})

test('it polls every second while jobs wait or run, and while writes are not announced to it', async () => {
  due = { ...NOTHING, isBusy: true }
  const scheduler = await start([])
  await vi.advanceTimersByTimeAsync(5 * EVERY_MS)
  expect(polls).toBe(6)
  due = NOTHING
  hearsAllWrites = false
  await vi.advanceTimersByTimeAsync(5 * EVERY_MS)
  expect(polls).toBe(11)
  hearsAllWrites = true
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  const before = polls
  await vi.advanceTimersByTimeAsync(REST_MS - EVERY_MS)
  expect(polls).toBe(before)
  await scheduler.stop()
})

test('a connection that is lost while it rests ends the rest within 5 s', async () => {
  const scheduler = await start([])
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  hearsAllWrites = false
  await vi.advanceTimersByTimeAsync(5 * EVERY_MS)
  expect(polls).toBeGreaterThan(1)
  await scheduler.stop()
})

test('an announced write causes a poll at once, further ones a poll a second, the last one too', async () => {
  const scheduler = await start([])
  await vi.advanceTimersByTimeAsync(10 * EVERY_MS)
  announce()
  await vi.advanceTimersByTimeAsync(0)
  expect(polls).toBe(2)
  for (let n = 0; n < 20; n += 1) {
    announce()
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(polls).toBe(4)
  announce()
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect(polls).toBe(5)
  await vi.advanceTimersByTimeAsync(REST_MS - 2 * EVERY_MS)
  expect(polls).toBe(5)
  await scheduler.stop()
})

test('a write that is announced during a poll causes another', async () => {
  let answer: (found: WorkDue) => void = () => undefined
  const scheduler = await start([], {
    poll: () => {
      polls += 1
      return new Promise((resolve) => {
        answer = resolve
      })
    },
  })
  announce()
  answer(NOTHING)
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect(polls).toBe(2)
  answer(NOTHING)
  await scheduler.stop()
})

test('a duty that a poll found due later runs at that time without another poll', async () => {
  due = { ...NOTHING, fireMs: 7_000 }
  const at: number[] = []
  const begun = performance.now()
  const fire = async (): Promise<undefined> => {
    due = NOTHING
    at.push(performance.now() - begun)
    return undefined
  }
  const scheduler = await start([{ ...duty('fire', fire), dueMs: ({ fireMs }) => fireMs }])
  await vi.advanceTimersByTimeAsync(7_000)
  expect({ at, polls }).toEqual({ at: [7_000], polls: 1 })
  await scheduler.stop()
})

test('it polls when a delayed job may be claimed', async () => {
  due = { ...NOTHING, delayedMs: 4_000 }
  const scheduler = await start([])
  await vi.advanceTimersByTimeAsync(3_999)
  expect(polls).toBe(1)
  due = NOTHING
  await vi.advanceTimersByTimeAsync(1)
  expect(polls).toBe(2)
  await scheduler.stop()
})

test('a duty that cannot do what is due keeps its pace', async () => {
  due = { ...NOTHING, hasOperations: true }
  const slow = { ...duty('slow', count), everyMs: 5_000, dueMs: () => 0 }
  const scheduler = await start([slow])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(runs).toBe(5)
  await scheduler.stop()
})

test('a poll that fails is logged and tried again after a second', async () => {
  let isAway = true
  const scheduler = await start([{ ...duty('count', count), dueMs: () => 0 }], {
    poll: async () => {
      polls += 1
      if (isAway) throw new Error('Away.')
      return due
    },
  })
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect({ polls, runs }).toEqual({ polls: 2, runs: 0 })
  await vi.advanceTimersByTimeAsync(9 * EVERY_MS)
  // one line in 10 s, with the number of failures since the line before
  const line = 'Could not look for work; trying again soon.'
  expect(warnings).toEqual([`${line} (1)`, `${line} (10)`])
  isAway = false
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect(runs).toBe(1)
  await scheduler.stop()
})

test('a duty without a due time runs at the start and then at each turn', async () => {
  const scheduler = await start([duty('count', count)])
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(EVERY_MS * 3)
  expect(runs).toBe(4)
  await scheduler.stop()
})

test('a duty that fails is logged and runs again, without affecting others', async () => {
  const scheduler = await start([
    duty('broken', () => Promise.reject(new Error('Away.'))),
    duty('count', count),
  ])
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect(runs).toBe(2)
  await vi.advanceTimersByTimeAsync(9 * EVERY_MS)
  expect(runs).toBe(11)
  // one line in 10 s, with the number of failures since the line before
  expect(warnings).toEqual(['The duty broken failed. (1)', 'The duty broken failed. (10)'])
  await scheduler.stop()
})

test('a slow duty does not overlap itself, and stop waits for it', async () => {
  let finish: () => void = () => undefined
  const scheduler = await start([
    duty('slow', () => {
      runs += 1
      return new Promise((resolve) => {
        finish = () => resolve(undefined)
      })
    }),
  ])
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
  const scheduler = await start([
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
