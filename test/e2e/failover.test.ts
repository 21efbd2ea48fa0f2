/**
 * The primary sqld dies and its replica replaces it, by the steps of docs/operating.md.
 * Checks what is lost, and that nodes continue.
 */
import process from 'node:process'
import { setTimeout as pass } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { freeAddress, type Sqld, startSqld } from '../support/sqld.ts'
import {
  audit,
  type Folder,
  makeTemplate,
  type Node,
  tryRun,
  untilAllEnded,
} from './durable-node.ts'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

type Setting = Readonly<{
  primary: Sqld
  replica: Sqld
  /** The address by which nodes reach the database. */
  address: FaultProxy
  folder: Folder
  node: Node
}>

const setUp = async (): Promise<Setting> => {
  const grpc = await freeAddress()
  const primary = await startSqld({ more: ['--grpc-listen-addr', grpc] })
  cleanups.push(primary.close)
  const replica = await startSqld({
    more: ['--primary-grpc-url', `http://${grpc}`],
    durability: 'relaxed',
  })
  const address = await startFaultProxy(primary.httpUrl)
  cleanups.push(address.close)
  const folder = await makeTemplate({ SVC_DATABASE_URL: primary.httpUrl })
  cleanups.push(folder.remove)
  const node = await folder.start({ env: { SVC_DATABASE_URL: address.url } })
  return { primary, replica, address, folder, node }
}

/** Starts the replica's data as a primary, and points the address to it. */
const promote = async ({ replica, address }: Setting): Promise<Sqld> => {
  await replica.kill()
  const promoted = await startSqld({
    directory: replica.directory,
    more: ['--grpc-listen-addr', await freeAddress()],
  })
  cleanups.push(promoted.close)
  address.lead(promoted.httpUrl)
  address.cut()
  return promoted
}

const readOnce = async (url: string): Promise<void> => {
  const db = await openDatabase({ url })
  await db.one(sql`SELECT count(*) AS n FROM schema_migrations`)
  await db.close()
}

test('a replica that was read once takes over: nodes go on, and only the last moments are lost', {
  timeout: 300_000,
}, async () => {
  const setting = await setUp()
  const { primary, replica, folder, node } = setting
  await readOnce(replica.httpUrl)
  /** Jobs by id, with the time of their response. */
  const acknowledged = new Map<string, number>()
  let isLoading = true
  const load = Promise.all(
    Array.from({ length: 6 }, async (_, caller) => {
      for (let id = 0; isLoading; id += 1) {
        const job = await tryRun(node, folder, 'quick', { id: caller * 100_000 + id })
        if (job !== null) acknowledged.set(job, performance.now())
        await pass(10)
      }
    }),
  )
  await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(200), 60_000)
  await primary.kill()
  const killedAt = performance.now()
  const before = new Map(acknowledged)
  const promoted = await promote(setting)
  const promotedAt = performance.now()
  // without restarting any node
  await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(before.size + 50), 60_000)
  const [firstAfter = 0] = [...acknowledged].flatMap(([id, at]) => (before.has(id) ? [] : [at]))
  isLoading = false
  await load
  const database = { databaseUrl: promoted.httpUrl }
  await untilAllEnded(database, 60_000)
  const jobs = await audit(database)
  const lost = [...acknowledged].filter(([id]) => !jobs.has(id))
  const oldest = Math.max(0, ...lost.map(([, at]) => killedAt - at))
  process.stdout.write(
    `failover: ${before.size} jobs were acknowledged before the kill, ${lost.length} of them lost, the oldest ${oldest.toFixed(0)} ms before it; ` +
      `promoted after ${(promotedAt - killedAt).toFixed(0)} ms, first answer ${(firstAfter - promotedAt).toFixed(0)} ms later\n`,
  )
  expect(lost.every(([id]) => before.has(id))).toBe(true)
  expect(oldest).toBeLessThan(5_000)
  for (const job of jobs.values()) expect(job).toMatchObject({ status: 'success', bills: 1 })
  expect(await node.process.stop()).toBe(0)
})

test('a replica that was never read is empty: nodes refuse with the reason, and the steps of the runbook show it', {
  timeout: 300_000,
}, async () => {
  const setting = await setUp()
  const { primary, replica, folder, node } = setting
  await vi.waitFor(
    async () => expect(await tryRun(node, folder, 'quick', { id: 1 })).not.toBeNull(),
    30_000,
  )
  await primary.kill()
  // what the operator checks by the runbook before the replica is promoted
  await expect(readOnce(replica.httpUrl)).rejects.toThrow()
  await promote(setting)
  const ask = async () => {
    const answer = await fetch(`${node.url}/api/w/default/jobs/run/crash/quick`, {
      method: 'POST',
      headers: { authorization: `Bearer ${folder.token}`, 'content-type': 'application/json' },
      body: '{"id":2}',
    })
    return { status: answer.status, text: await answer.text() }
  }
  await vi.waitFor(async () => expect((await ask()).text).toContain('lacks a table'), {
    timeout: 30_000,
    interval: 200,
  })
  expect((await ask()).status).toBe(503)
  const health = await fetch(`${node.url}/healthz`)
  expect(health.status).toBe(503)
})
