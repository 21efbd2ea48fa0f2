/** How soon a job starts if server and worker are separate processes. Runs alone, because it measures time. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { LONG_LEASE, type Node } from './durable-node.ts'
import { type Fleet, type FleetBackend, openFleet } from './fleet.ts'

const BACKENDS: readonly FleetBackend[] = ['file', 'sqld']

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.POSITIVE_INFINITY

describe.each(BACKENDS)('two servers and a worker over %s', { timeout: 60_000 }, (backend) => {
  let fleet: Fleet
  let servers: readonly [Node, Node]
  beforeAll(async () => {
    fleet = await openFleet(backend, LONG_LEASE)
    servers = await Promise.all([fleet.start('server'), fleet.start('server')])
    await fleet.start('worker', { args: ['--concurrency', '2'] })
  }, 120_000)
  afterAll(() => fleet.close())

  test('run and wait answers at once at either server, without a poll in between', async () => {
    /** @returns the median milliseconds of twelve runs, and of plain reads between them, which show how busy the machine is */
    const measure = async (): Promise<Readonly<{ run: number; read: number }>> => {
      const times: number[] = []
      const reads: number[] = []
      for (let at = 0; at < 12; at += 1) {
        const server = servers[at % 2] ?? servers[0]
        const beforeRead = performance.now()
        await fleet.call(server, 'GET', '/jobs?limit=1')
        reads.push(performance.now() - beforeRead)
        const before = performance.now()
        const answer = await fleet.call(server, 'POST', '/jobs/run/crash/quick/wait', { id: at })
        expect(answer).toMatchObject({
          status: 200,
          json: { status: 'success', result: { id: at } },
        })
        times.push(performance.now() - before)
      }
      return { run: median(times), read: median(reads) }
    }
    // without the bus a worker polls once a second, so no series would be as fast; on a busy machine a later series is
    await vi.waitFor(
      async () => {
        const { run, read } = await measure()
        expect(run).toBeLessThan(Math.max(250, 10 * read))
      },
      { timeout: 45_000 },
    )
  })
})
