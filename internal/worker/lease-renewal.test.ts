/** Renewals, with a fake database and a clock that the test advances. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { resultsOf, statementsOf } from '#store/batch.ts'
import { type Database, DatabaseError, type Row, type Statement } from '#store/database.ts'
import type { LeasedClaim } from '#store/jobs/lease.ts'
import { createLeaseRenewal, type LeaseRenewal, type LeaseReport } from './lease-renewal.ts'

const LEASE_MS = 9_000
const EVERY_MS = LEASE_MS / 3
const ONE: LeasedClaim = { ws: 'w', id: 'one', attempt: 1, claimId: 'c1' }
const TWO: LeasedClaim = { ws: 'w', id: 'two', attempt: 2, claimId: 'c2' }

let asked: Statement[]
let reports: LeaseReport[]
let states: boolean[]
let respond: () => Promise<readonly Row[]>
let renewal: LeaseRenewal

const never = async (): Promise<never> => {
  throw new Error('The heartbeat only writes.')
}

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  reports = []
  states = []
  respond = async () => [{ id: 'one', claim_id: 'c1', canceled: 0 }]
  const db: Database = {
    backend: 'file',
    one: never,
    all: never,
    now: async () => {
      await respond()
      return 0
    },
    dataVersion: never,
    renew: () => undefined,
    reclaim: never,
    close: async () => undefined,
    write: async (batch) => {
      asked.push(...statementsOf(batch))
      return resultsOf(batch, [{ rows: await respond(), changes: 1 }])
    },
  }
  renewal = createLeaseRenewal({
    db,
    leaseMs: LEASE_MS,
    report: (report) => reports.push(report),
    onState: ({ isRenewing }) => states.push(isRenewing),
    monotonicNow: () => performance.now(),
  })
})
afterEach(() => {
  renewal.handle({ kind: 'stop' })
  vi.useRealTimers()
})

test('all leases are renewed by one statement, every third of the lease', async () => {
  renewal.handle({ kind: 'add', claims: [ONE] })
  renewal.handle({ kind: 'add', claims: [TWO] })
  await vi.advanceTimersByTimeAsync(EVERY_MS - 1)
  expect(asked).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(asked).toHaveLength(1)
  expect(reports).toMatchObject([{ renewed: [ONE], lost: [TWO], canceled: [] }])
  await vi.advanceTimersByTimeAsync(EVERY_MS * 2)
  expect(asked).toHaveLength(3)
})

test('reports which jobs are to be canceled', async () => {
  respond = async () => [{ id: 'one', claim_id: 'c1', canceled: 1 }]
  renewal.handle({ kind: 'add', claims: [ONE] })
  await renewal.runOnce()
  expect(reports).toMatchObject([{ renewed: [ONE], canceled: [ONE] }])
})

test('a report carries the time before the renewal was sent, however slow the answer', async () => {
  respond = async () => {
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    return []
  }
  renewal.handle({ kind: 'add', claims: [ONE] })
  const sentAt = performance.now()
  const once = renewal.runOnce()
  await vi.advanceTimersByTimeAsync(2_000)
  await once
  expect(reports[0]?.sentAt).toBe(sentAt)
})

test('renewals do not overlap', async () => {
  respond = () => new Promise(() => undefined)
  renewal.handle({ kind: 'add', claims: [ONE] })
  await vi.advanceTimersByTimeAsync(EVERY_MS * 5)
  expect(asked).toHaveLength(1)
})

test('an unreachable database is queried at the next turn, and nothing is reported meanwhile', async () => {
  const away = new DatabaseError('Away.', { kind: 'unavailable', outcome: 'unknown' })
  respond = () => Promise.reject(away)
  renewal.handle({ kind: 'add', claims: [ONE] })
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect({ asked: asked.length, reports }).toEqual({ asked: 1, reports: [] })
  respond = async () => [{ id: 'one', claim_id: 'c1', canceled: 0 }]
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect(reports).toMatchObject([{ renewed: [ONE] }])
})

test('without claims there is neither a write nor a timer', async () => {
  await renewal.start()
  renewal.handle({ kind: 'add', claims: [ONE] })
  // another claim of the same job has another lease
  renewal.handle({ kind: 'release', claims: [{ ...ONE, claimId: 'c2' }] })
  expect(vi.getTimerCount()).toBe(1)
  renewal.handle({ kind: 'release', claims: [ONE] })
  expect(vi.getTimerCount()).toBe(0)
  await renewal.runOnce()
  expect(asked).toHaveLength(0)
})

test('reports failing renewals, keeps probing without claims, and reports recovery', async () => {
  await renewal.start()
  respond = () =>
    Promise.reject(new DatabaseError('Away.', { kind: 'unavailable', outcome: 'none' }))
  renewal.handle({ kind: 'add', claims: [ONE] })
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  renewal.handle({ kind: 'release', claims: [ONE] })
  await vi.advanceTimersByTimeAsync(EVERY_MS * 2)
  expect(states).toEqual([true, false])
  respond = async () => []
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect(states).toEqual([true, false, true])
  expect({ timers: vi.getTimerCount(), reports }).toEqual({ timers: 0, reports: [] })
})

test('a database that is unreachable from the start is queried until it answers', async () => {
  respond = () =>
    Promise.reject(new DatabaseError('Away.', { kind: 'unavailable', outcome: 'none' }))
  await renewal.start()
  respond = async () => []
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect(states).toEqual([false, true])
  expect(asked).toHaveLength(0)
})
