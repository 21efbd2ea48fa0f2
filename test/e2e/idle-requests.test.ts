/** Idle nodes send almost nothing to sqld, and a write by one of them wakes the others at once. */
import process from 'node:process'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type CountingProxy, startCountingProxy } from '../support/counting-proxy.ts'
import { runs } from '../support/runs.ts'
import type { Node } from './durable-node.ts'
import { type Fleet, openFleet } from './fleet.ts'

const ROLES = ['server', 'worker', 'scheduler'] as const
type Role = (typeof ROLES)[number]

/** After its start, a worker polls less and less often, for some 100 s. */
const SETTLE_MS = runs({ short: 12_000, long: 120_000 })
const WATCHED_MS = runs({ short: 15_000, long: 120_000 })
/** 0.1 per second; in the short form, what a node sends in its first minute, when it looks for other nodes every 5 s. */
const MOST: Readonly<Record<Role, number>> = {
  server: runs({ short: 4, long: 12 }),
  scheduler: runs({ short: 5, long: 12 }),
  worker: runs({ short: 8, long: 12 }),
}

let fleet: Fleet
let server: Node
const proxies = new Map<Role, CountingProxy>()
beforeAll(async () => {
  // the default lease, because the scheduler polls more often with a short one
  fleet = await openFleet('sqld', { SVC_JOB_LEASE_S: '10' })
  const target = fleet.sqld?.httpUrl ?? ''
  const nodes: Node[] = []
  for (const role of ROLES) {
    const proxy = await startCountingProxy(target)
    proxies.set(role, proxy)
    nodes.push(await fleet.start(role, { env: { SVC_DATABASE_URL: proxy.url } }))
  }
  const [first] = nodes
  if (first === undefined) throw new Error('No node.')
  server = first
})
afterAll(async () => {
  await fleet.close()
  await Promise.all([...proxies.values()].map((proxy) => proxy.close()))
})

const workerList = z.object({ workers: z.array(z.unknown()) })

test('idle nodes send at most 0.1 requests a second each', async () => {
  await vi.waitFor(
    async () => {
      const { json } = await fleet.call(server, 'GET', '/workers')
      expect(workerList.parse(json).workers).toHaveLength(1)
    },
    { timeout: 30_000, interval: 200 },
  )
  await pass(SETTLE_MS)
  for (const proxy of proxies.values()) {
    proxy.take()
    proxy.takeConnections()
  }
  await pass(WATCHED_MS)
  const counts = [...proxies].map(([role, proxy]) => ({
    role,
    requests: proxy.take(),
    connections: proxy.takeConnections(),
  }))
  process.stdout.write(`in ${WATCHED_MS / 1_000} s: ${JSON.stringify(counts)}\n`)
  for (const { role, requests } of counts) expect(requests, role).toBeLessThanOrEqual(MOST[role])
}, 300_000)

test('a scheduler that rests fires a schedule that is made at a server in time', async () => {
  const { json } = await fleet.call(server, 'POST', '/schedules', {
    app_key: 'crash',
    action_key: 'quick',
    cron: '@every 1s',
  })
  const { id } = z.object({ id: z.string() }).parse(json)
  const slots = async () => {
    const answer = await fleet.call(server, 'GET', `/schedules/${id}/slots`)
    return z.object({ items: z.array(z.unknown()) }).parse(answer.json).items.length
  }
  await vi.waitFor(async () => expect(await slots()).toBeGreaterThanOrEqual(3), {
    timeout: 8_000,
    interval: 100,
  })
  await fleet.call(server, 'DELETE', `/schedules/${id}`)
})

test('a scheduler that rests ends the wait of a flow run in time that a server has started', async () => {
  // wait until the schedule leaves nothing to poll
  await pass(3_000)
  const before = Date.now()
  const run = await fleet.call(server, 'POST', '/flows/run/crash/pause', {})
  const { flow_run_id: id } = z.object({ flow_run_id: z.string() }).parse(run.json)
  await vi.waitFor(
    async () => {
      const { json } = await fleet.call(server, 'GET', `/flow-runs/${id}`)
      expect(json).toMatchObject({ status: 'completed' })
    },
    { timeout: 10_000, interval: 50 },
  )
  // the flow sleeps for one second
  expect(Date.now() - before).toBeLessThan(4_000)
})
