import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts'
import { createLeadership, type Leadership } from './lead.ts'

const LEASE_MS = 9_000

let db: Database
let close: () => Promise<void>
let now: number
let elected: string[]
let writes: number
beforeEach(async () => {
  const opened = await openTemporaryDatabase()
  const counted: Database = {
    ...opened.db,
    write: (...args) => {
      writes += 1
      return opened.db.write(...args)
    },
  }
  db = counted
  close = opened.close
  now = 0
  elected = []
  writes = 0
})
afterEach(() => close())

const open = (owner: string): Leadership =>
  createLeadership(
    { db },
    {
      name: 'scheduler',
      owner,
      leaseMs: LEASE_MS,
      monotonicNow: () => now,
      onElected: (epoch) => elected.push(`${owner} ${epoch}`),
    },
  )
const expire = () => db.write([sql`UPDATE leaders SET lease_until = 1`])

test('one of several nodes leads, and the epoch counts the changes', async () => {
  const [a, b] = [open('a'), open('b')]
  expect([await a.claim(), await b.claim(), await a.claim()]).toEqual([true, false, true])
  await expire()
  now += 1_000
  expect(await b.claim()).toBe(true)
  now += LEASE_MS
  expect(await a.claim()).toBe(false)
  expect(elected).toEqual(['a 1', 'b 2'])
})

test('one of many concurrent requests gets the lease', async () => {
  const all = Array.from({ length: 8 }, (_, at) => open(`n${at}`))
  const claims = await Promise.all(all.map((each) => each.claim()))
  expect(claims.filter(Boolean)).toHaveLength(1)
})

test('nothing is written while the lease is fresh, nor by other nodes', async () => {
  const [a, b] = [open('a'), open('b')]
  await a.claim()
  const before = writes
  for (let turn = 0; turn < 5; turn += 1) {
    expect(await a.claim()).toBe(true)
    expect(await b.claim()).toBe(false)
    now += 500
  }
  expect(writes).toBe(before)
  now += 1_000
  expect(await a.claim()).toBe(true)
  expect(writes).toBe(before + 1)
})

test('a leader that stops releases the lease at once', async () => {
  const [a, b] = [open('a'), open('b')]
  await a.claim()
  await a.release()
  expect(await b.claim()).toBe(true)
})

test('a leader that slept through its lease does not believe that it leads', async () => {
  const [a, b] = [open('a'), open('b')]
  await a.claim()
  await expire()
  expect(await b.claim()).toBe(true)
  // a paused process: its clock went on
  now += LEASE_MS * 10
  expect(await a.claim()).toBe(false)
  expect(await b.claim()).toBe(true)
})

test('while the database is away, a fresh leader is trusted for a while, then no node leads', async () => {
  const a = open('a')
  await a.claim()
  const real = db.write
  Object.assign(db, { write: () => Promise.reject(new Error('Away.')) })
  now += LEASE_MS / 2
  expect(await a.claim()).toBe(true)
  now += LEASE_MS / 2
  await expect(a.claim()).rejects.toThrow('Away.')
  Object.assign(db, { write: real })
  expect(await a.claim()).toBe(true)
})
