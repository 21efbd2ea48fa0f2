/** Trust in leases, with a clock that the test advances and a fake of the thread. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Claim, LeasedClaim } from '#store/jobs/lease.ts'
import { createLeaseKeeper, type LeaseKeeper } from './lease-keeper.ts'
import type { LeaseCommand, LeaseReport, LeaseState } from './lease-renewal.ts'

const LEASE_MS = 9_000
const ONE: LeasedClaim = { ws: 'w', id: 'one', attempt: 1, claimId: 'c1' }
const TWO: LeasedClaim = { ws: 'w', id: 'two', attempt: 3, claimId: 'c2' }

let commands: LeaseCommand[]
let lost: Claim[]
let canceled: Claim[]
let isStopped: boolean
let report: (report: LeaseReport) => void
let setState: (state: LeaseState) => void
let states: boolean[]
let keeper: LeaseKeeper

beforeEach(() => {
  vi.useFakeTimers()
  commands = []
  lost = []
  canceled = []
  isStopped = false
  states = []
  keeper = createLeaseKeeper({
    leaseMs: LEASE_MS,
    monotonicNow: () => performance.now(),
    onLost: (claim) => lost.push(claim),
    onCanceled: (claim) => canceled.push(claim),
    onState: ({ isRenewing }) => states.push(isRenewing),
    thread: {
      post: (command) => commands.push(command),
      onReport: (listener) => {
        report = listener
      },
      onState: (listener) => {
        setState = listener
      },
      stop: async () => {
        isStopped = true
      },
    },
  })
})
afterEach(async () => {
  await keeper.stop()
  vi.useRealTimers()
})

const answer = (more: Partial<LeaseReport>): void =>
  report({ renewed: [], lost: [], canceled: [], sentAt: performance.now(), ...more })

test('claims are sent to the thread without their payload', () => {
  const claimed = { ...ONE, inputJson: 'large' }
  keeper.add([claimed, TWO], performance.now())
  expect(commands).toEqual([{ kind: 'add', claims: [ONE, TWO] }])
})

test('without renewal a job is lost before its lease can end, counted from before its claim was sent', () => {
  const sentAt = performance.now() - 1_000
  keeper.add([ONE], sentAt)
  vi.advanceTimersByTime(5_000)
  expect(lost).toEqual([])
  vi.advanceTimersByTime(3_000)
  expect(lost).toEqual([ONE])
  expect(performance.now() - sentAt).toBeLessThanOrEqual(LEASE_MS)
})

test('a renewal extends trust from the time it was sent, not from its answer', () => {
  keeper.add([ONE, TWO], performance.now())
  vi.advanceTimersByTime(3_000)
  const sentAt = performance.now()
  vi.advanceTimersByTime(3_000)
  answer({ renewed: [ONE], sentAt })
  vi.advanceTimersByTime(3_000)
  expect(lost).toEqual([TWO])
  vi.advanceTimersByTime(3_000)
  expect(lost).toEqual([TWO, ONE])
})

test('a job that the database gave to another worker is lost at once, and once', () => {
  keeper.add([ONE], performance.now())
  answer({ lost: [ONE] })
  answer({ lost: [ONE] })
  vi.advanceTimersByTime(LEASE_MS * 2)
  expect(lost).toEqual([ONE])
})

test('a late report of an earlier attempt does not affect the current one', () => {
  keeper.add([TWO], performance.now())
  const earlier = { ...TWO, attempt: 2, claimId: 'c0' }
  answer({ lost: [earlier], canceled: [earlier] })
  vi.advanceTimersByTime(6_000)
  answer({ renewed: [earlier] })
  vi.advanceTimersByTime(3_000)
  expect({ lost, canceled }).toEqual({ lost: [TWO], canceled: [] })
})

test('an attempt is lost also when this worker has claimed the next attempt of its job', () => {
  const next = { ...ONE, attempt: 2, claimId: 'c9' }
  keeper.add([ONE], performance.now())
  keeper.add([next], performance.now())
  answer({ renewed: [next], lost: [ONE] })
  expect(lost).toEqual([ONE])
  keeper.add([ONE], performance.now())
  vi.advanceTimersByTime(6_000)
  answer({ renewed: [next] })
  vi.advanceTimersByTime(3_000)
  expect(lost).toEqual([ONE, ONE])
})

test('a claim that is handed back and made again at once is another claim', () => {
  const again = { ...ONE, claimId: 'c9' }
  keeper.add([ONE], performance.now())
  keeper.release(ONE)
  keeper.add([again], performance.now())
  answer({ lost: [ONE] })
  vi.advanceTimersByTime(1_000)
  expect(commands.at(-1)).toEqual({ kind: 'release', claims: [ONE] })
  answer({ renewed: [again] })
  vi.advanceTimersByTime(6_000)
  expect(lost).toEqual([])
})

test('a lost claim is released, so that the thread does not go on with a job that waited for a slot', () => {
  keeper.add([ONE, TWO], performance.now())
  answer({ renewed: [TWO], lost: [ONE] })
  vi.advanceTimersByTime(1_000)
  expect(commands.at(-1)).toEqual({ kind: 'release', claims: [ONE] })
  vi.advanceTimersByTime(LEASE_MS)
  expect(lost).toEqual([ONE, TWO])
  expect(commands.at(-1)).toEqual({ kind: 'release', claims: [TWO] })
})

test('a cancel is reported, and the lease is kept until the job has ended', () => {
  keeper.add([ONE], performance.now())
  answer({ renewed: [ONE], canceled: [ONE] })
  expect({ lost, canceled }).toEqual({ lost: [], canceled: [ONE] })
  vi.advanceTimersByTime(LEASE_MS)
  expect(lost).toEqual([ONE])
})

test('ended jobs are released in batches and no longer watched', () => {
  keeper.add([ONE, TWO], performance.now())
  keeper.release(ONE)
  keeper.release(TWO)
  expect(commands).toHaveLength(1)
  vi.advanceTimersByTime(1_000)
  expect(commands.slice(1)).toEqual([{ kind: 'release', claims: [ONE, TWO] }])
  vi.advanceTimersByTime(LEASE_MS * 2)
  expect(lost).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

test('without jobs it does nothing, and no timer is left after stop', async () => {
  keeper.add([], performance.now())
  expect(commands).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
  keeper.add([ONE], performance.now())
  keeper.release(TWO)
  await keeper.stop()
  expect({ isStopped, timers: vi.getTimerCount() }).toEqual({ isStopped: true, timers: 0 })
})

test('a thread that begins to renew gets all claims again, because it may be a new one', () => {
  expect(keeper.isRenewing).toBe(false)
  setState({ isRenewing: true })
  keeper.add([ONE, TWO], performance.now())
  setState({ isRenewing: false })
  expect(keeper.isRenewing).toBe(false)
  commands = []
  setState({ isRenewing: true })
  expect(commands).toEqual([{ kind: 'add', claims: [ONE, TWO] }])
  expect(keeper.isRenewing).toBe(true)
  expect(states).toEqual([true, false, true])
})
