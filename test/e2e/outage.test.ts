/**
 * The database of several nodes is unavailable for longer than leases and retries last:
 * callers get 503, and everything recovers without help afterwards.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { runs } from '../support/runs.ts'
import { tryRun, untilAllEnded } from './durable-node.ts'
import { openFleet } from './fleet.ts'

/** A lease lasts 2 s here, and a read is retried for 5 s. */
const AWAY_S = runs({ short: 9, long: 20 })

test(`sqld stops for ${AWAY_S} s under load`, { timeout: 180_000 }, async () => {
  const fleet = await openFleet('sqld', { SVC_JOB_MAX_CRASHES: '20' })
  try {
    const server = await fleet.start('server')
    const others = await Promise.all([
      fleet.start('worker', { args: ['--name', 'w1'] }),
      fleet.start('worker', { args: ['--name', 'w2'] }),
      fleet.start('scheduler'),
    ])
    const acknowledged: string[] = []
    let isLoading = true
    const load = Promise.all(
      Array.from({ length: 4 }, async (_, caller) => {
        for (let id = 0; isLoading; id += 1) {
          const job = await tryRun(server, fleet.folder, 'quick', { id: caller * 100_000 + id })
          if (job !== null) acknowledged.push(job)
          await sleep(50)
        }
      }),
    )
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(20), 30_000)
    await fleet.sqld?.kill()
    const before = acknowledged.length
    const downUntil = performance.now() + AWAY_S * 1_000
    const statuses = new Set<number>()
    while (performance.now() < downUntil) {
      const { status, headers } = await fleet.call(server, 'GET', '/jobs')
      statuses.add(status)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      await sleep(500)
    }
    expect([...statuses]).toEqual([503])
    await fleet.sqld?.restart()
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 20), 30_000)
    isLoading = false
    await load
    await untilAllEnded(fleet.folder, 60_000)
    const { json } = await fleet.call(server, 'GET', '/jobs/summary')
    expect(json).toMatchObject({ queued_count: 0, running_count: 0, failed_count: 0 })
    for (const id of acknowledged) {
      expect((await fleet.call(server, 'GET', `/jobs/${id}/result`)).json).toMatchObject({
        status: 'success',
      })
    }
    // no node was restarted
    for (const node of [...others, server]) expect(await node.process.stop()).toBe(0)
  } finally {
    await fleet.close()
  }
})
