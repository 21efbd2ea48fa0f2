/** Tests the real thread that renews leases while its database is unreachable, and after it died. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { trustForMs } from '#core/job/lease.ts'
import { startThread } from '#platform/thread.ts'
import { migrate } from '#store/migrate.ts'
import { openDatabase } from '#store/open-database.ts'
import type { LeaseThread } from '#worker/lease-keeper.ts'
import { startFaultProxy } from '../../test/support/fault-proxy.ts'
import { makeMemoryFolder } from '../../test/support/memory-folder.ts'
import { startSqld } from '../../test/support/sqld.ts'
import { startLeaseThread } from './lease-thread.ts'

let folder = ''
let lease: LeaseThread | null = null
beforeEach(() => {
  folder = makeMemoryFolder('svc-lease-')
})
afterEach(async () => {
  await lease?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const watch = (thread: LeaseThread): boolean[] => {
  lease = thread
  const states: boolean[] = []
  thread.onState(({ isRenewing }) => states.push(isRenewing))
  return states
}

const path = () => join(folder, 'svc.db')
const options = () => ({ url: `file:${path()}`, leaseMs: 3_000 })

test('a thread that cannot open the database reports it, and renews once it can', async () => {
  mkdirSync(path())
  const states = watch(startLeaseThread(options()))
  await expect.poll(() => states, { timeout: 20_000 }).toContain(false)
  expect(states).not.toContain(true)
  rmSync(path(), { recursive: true })
  await expect.poll(() => states.at(-1), { timeout: 20_000 }).toBe(true)
})

test('a thread that dies is started again, and nothing is renewed until then', async () => {
  const threads: Worker[] = []
  const start = (data: unknown): Worker => {
    const thread = startThread('lease', data)
    threads.push(thread)
    return thread
  }
  const states = watch(startLeaseThread(options(), { start, restartMs: 10 }))
  await expect.poll(() => states, { timeout: 20_000 }).toEqual([true])
  await threads[0]?.terminate()
  await expect.poll(() => states, { timeout: 20_000 }).toEqual([true, false, true])
  expect(threads).toHaveLength(2)
})

test('a renewal on a connection that fell silent is sent again on another one before the worker gives its jobs up', async () => {
  const leaseMs = 8_000
  const sqld = await startSqld()
  const proxy = await startFaultProxy(sqld.httpUrl)
  try {
    const db = await openDatabase({ url: sqld.httpUrl })
    await migrate(db).finally(() => db.close())
    const thread = startLeaseThread({ url: proxy.url, leaseMs })
    const states = watch(thread)
    const sent: number[] = []
    thread.onReport(({ sentAt }) => sent.push(sentAt))
    await expect.poll(() => states, { timeout: 20_000 }).toEqual([true])
    thread.post({
      kind: 'add',
      claims: [{ ws: 'default', id: 'one', attempt: 1, claimId: 'claim' }],
    })
    await expect.poll(() => sent.length, { timeout: 20_000 }).toBe(1)
    // lose the next renewal and its connection
    proxy.set('half_open')
    setTimeout(() => proxy.set('none'), leaseMs / 2)
    const [first = 0] = sent
    await expect.poll(() => sent.length, { timeout: 20_000 }).toBe(2)
    expect(performance.now() - first).toBeLessThan(trustForMs(leaseMs))
  } finally {
    await lease?.stop()
    lease = null
    await proxy.close()
    await sqld.close()
  }
})
