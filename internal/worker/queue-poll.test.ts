import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { QueueState } from '#store/jobs/queue-state.ts'
import { createQueuePoll, type QueuePoll } from './queue-poll.ts'

const NOTHING: QueueState = { mayClaim: false, nextDueMs: null }

let reads: number[]
let errors: unknown[]
let claims: number
let read: () => Promise<QueueState>
let isLinked: boolean
let poll: QueuePoll

beforeEach(() => {
  vi.useFakeTimers()
  reads = []
  errors = []
  claims = 0
  read = async () => NOTHING
  isLinked = false
  const start = performance.now()
  poll = createQueuePoll({
    read: () => {
      reads.push(Math.round(performance.now() - start))
      return read()
    },
    isLinked: () => isLinked,
    onMayClaim: () => {
      claims += 1
    },
    onError: (error) => errors.push(error),
  })
})
afterEach(() => {
  poll.stop()
  vi.useRealTimers()
})

test('polls less and less often while no job comes, at least every five seconds', async () => {
  poll.schedule()
  await vi.advanceTimersByTimeAsync(30_000)
  const gaps = reads.map((at, index) => at - (reads[index - 1] ?? 0))
  expect(gaps.slice(0, 3)).toEqual([1_000, 1_500, 2_250])
  expect(Math.max(...gaps)).toBe(5_000)
})

test('polls every thirty seconds while hints reach the worker, and sooner again when they do not', async () => {
  isLinked = true
  poll.schedule()
  await vi.advanceTimersByTimeAsync(300_000)
  const gapsOf = () => reads.map((at, index) => at - (reads[index - 1] ?? 0))
  expect(gapsOf().at(-1)).toBe(30_000)
  isLinked = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(gapsOf().at(-1)).toBe(5_000)
})

test('sets no timer into the past, when one ends early and time passes between two readings', async () => {
  isLinked = true
  // replaced by hand: at the end of a file, Vitest restores spies once more and would bring the fake timers back
  const { setTimeout: set, performance: clock } = globalThis
  const now = clock.now.bind(clock)
  const delays: number[] = []
  let readings = 0
  clock.now = () => now() + (readings++ % 2 === 0 ? -0.6 : 0.6)
  globalThis.setTimeout = Object.assign((act: () => void, delay = 0) => {
    delays.push(delay)
    return set(act, delay)
  }, set)
  poll.schedule()
  await vi.advanceTimersByTimeAsync(600_000)
  clock.now = now
  globalThis.setTimeout = set
  expect(delays.length).toBeGreaterThan(50)
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(0)
})

test('polls within five seconds of a lost link, also when the next poll was far off', async () => {
  isLinked = true
  poll.schedule()
  await vi.advanceTimersByTimeAsync(300_000)
  const before = reads.length
  isLinked = false
  await vi.advanceTimersByTimeAsync(5_000)
  expect(reads.length).toBeGreaterThan(before)
})

test('polls within a second when a hint led to no job, also when the next poll was far off', async () => {
  isLinked = true
  poll.schedule()
  await vi.advanceTimersByTimeAsync(300_000)
  const before = reads.length
  poll.quicken()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reads).toHaveLength(before + 1)
})

test('polls in time for a job of which it was informed', async () => {
  isLinked = true
  poll.schedule()
  await vi.advanceTimersByTimeAsync(300_000)
  const before = reads.length
  poll.inform({ mayClaim: false, nextDueMs: 200 })
  poll.inform({ mayClaim: false, nextDueMs: null })
  await vi.advanceTimersByTimeAsync(200)
  expect(reads).toHaveLength(before + 1)
})

test('polls in time for the next delayed job after a claim, whether or not the claim got a job', async () => {
  isLinked = true
  poll.schedule()
  await vi.advanceTimersByTimeAsync(300_000)
  for (const count of [0, 1]) {
    const before = reads.length
    poll.afterClaim({ count, mayBeMore: false, nextDueMs: 200 })
    poll.afterClaim({ count, mayBeMore: false, nextDueMs: null })
    await vi.advanceTimersByTimeAsync(200)
    expect(reads).toHaveLength(before + 1)
  }
})

test('polls once per interval, however often it is scheduled', async () => {
  for (let count = 0; count < 10; count += 1) poll.schedule()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reads).toHaveLength(1)
})

test('polls when the next delayed job is due', async () => {
  read = async () => ({ mayClaim: false, nextDueMs: 300 })
  poll.schedule()
  await vi.advanceTimersByTimeAsync(1_300)
  expect(reads).toEqual([1_000, 1_300])
})

test('reports that a job may be claimed, and does not schedule the next poll itself', async () => {
  read = async () => ({ mayClaim: true, nextDueMs: null })
  poll.schedule()
  await vi.advanceTimersByTimeAsync(60_000)
  expect({ reads: reads.length, claims }).toEqual({ reads: 1, claims: 1 })
})

test('polls often again after work', async () => {
  poll.schedule()
  await vi.advanceTimersByTimeAsync(4_750)
  read = async () => ({ mayClaim: true, nextDueMs: null })
  await vi.advanceTimersByTimeAsync(3_375)
  expect(claims).toBe(1)
  poll.quicken()
  poll.schedule()
  const before = reads.length
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reads).toHaveLength(before + 1)
})

test('polls within a second after a poll that found a job, because the next delayed one may be due', async () => {
  isLinked = true
  read = async () => ({ mayClaim: reads.length > 20, nextDueMs: null })
  poll.schedule()
  while (claims === 0) await vi.advanceTimersByTimeAsync(30_000)
  const before = reads.length
  poll.schedule()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reads).toHaveLength(before + 1)
})

test('continues after an error', async () => {
  read = () => Promise.reject(new Error('Away.'))
  poll.schedule()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(errors.length).toBeGreaterThan(0)
  read = async () => ({ mayClaim: true, nextDueMs: null })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(claims).toBe(1)
})

test('neither polls nor reports after stop', async () => {
  let answer: (state: QueueState) => void = () => undefined
  read = () =>
    new Promise((resolve) => {
      answer = resolve
    })
  poll.schedule()
  await vi.advanceTimersByTimeAsync(1_000)
  poll.stop()
  answer({ mayClaim: true, nextDueMs: null })
  await vi.advanceTimersByTimeAsync(60_000)
  poll.schedule()
  expect({ reads: reads.length, claims, timers: vi.getTimerCount() }).toEqual({
    reads: 1,
    claims: 0,
    timers: 0,
  })
})
