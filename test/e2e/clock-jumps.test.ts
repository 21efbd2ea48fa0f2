/** The clock of the database's machine is set an hour forward and back while svc runs (invariant I14). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asNumber } from '#store/column.ts'
import type { Row } from '#store/database.ts'
import { raw, sql } from '#store/sql.ts'
import { turnableClock } from '../support/skewed-clock.ts'
import { type Fleet, type FleetBackend, openFleet } from './fleet.ts'

const HOUR_S = 3_600
const DEADLINE_MS = 60_000
/** Longer than two leases and every poll of a scheduler. */
const JOB_MS = 9_000
/** Long enough that a busy machine does not make a worker seem dead. */
const LEASE = { SVC_JOB_LEASE_S: '4' }

const until = async <T>(what: string, look: () => Promise<T | null>): Promise<T> => {
  const deadline = performance.now() + DEADLINE_MS
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (performance.now() > deadline) throw new Error(`Waited in vain: ${what}.`)
    await new Promise((next) => setTimeout(next, 100))
  }
}

const openTurnable = async (backend: FleetBackend) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-clock-'))
  const clock = turnableClock(join(folder, 'offset'))
  // with a file, the clock of the database is that of the node
  const fleet = await (backend === 'file'
    ? openFleet('file', { ...LEASE, ...clock.env })
    : openFleet('sqld', LEASE, clock.env))
  const close = async (): Promise<void> => {
    await fleet.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { clock, fleet, close }
}

const one = (fleet: Fleet, text: string): Promise<Row | null> =>
  fleet.read((db) => db.one(raw(text)))

const countFired = async (fleet: Fleet): Promise<number> =>
  asNumber((await one(fleet, "SELECT count(*) AS n FROM jobs WHERE trigger_kind = 'schedule'"))?.n)

describe.concurrent.each(['file', 'sqld'] as const)('over %s', (backend) => {
  test('a job runs once, schedules go on, and the jump is on record', {
    timeout: 4 * DEADLINE_MS,
  }, async () => {
    const { clock, fleet, close } = await openTurnable(backend)
    try {
      const node = await fleet.start('start')
      const other = backend === 'sqld' ? await fleet.start('scheduler') : null
      const every = { app_key: 'crash', action_key: 'quick', cron: '@every 1s' }
      expect((await fleet.call(node, 'POST', '/schedules', every)).status).toBe(201)
      await until('the schedule fires', async () => ((await countFired(fleet)) > 0 ? true : null))
      for (const [at, seconds] of [HOUR_S, 0].entries()) {
        const input = { id: 100 + at, ms: JOB_MS }
        const made = await fleet.call(node, 'POST', '/jobs/run/crash/slow', input)
        expect(made.status).toBe(201)
        const slow = "SELECT * FROM jobs WHERE action = 'slow' ORDER BY id DESC"
        await until('the job runs', async () =>
          (await one(fleet, slow))?.status === 'running' ? true : null,
        )
        clock.turn(seconds)
        const jumps = 'SELECT count(*) AS n FROM clock_jumps'
        await until('the jump is seen', async () =>
          asNumber((await one(fleet, jumps))?.n) === at + 1 ? true : null,
        )
        const fired = await countFired(fleet)
        const row = await until('the job ends', async () => {
          const job = await one(fleet, slow)
          return job?.completed_at === null ? null : job
        })
        expect(row).toMatchObject({ status: 'success', attempt: 1, crash_count: 0 })
        await until('the schedule goes on', async () =>
          (await countFired(fleet)) > fired + 1 ? true : null,
        )
        const ran = asNumber(row?.completed_at) - asNumber(row?.started_at)
        expect(ran).toBeLessThan(DEADLINE_MS)
      }
      const rows = await fleet.read((db) => db.all(sql`SELECT by_ms FROM clock_jumps`))
      expect(rows.map(({ by_ms }) => Math.round(asNumber(by_ms) / 60_000))).toEqual([60, -60])
      const said = node.process.said() + (other?.process.said() ?? '')
      expect(said.match(/The clock of the database jumped/g)).toHaveLength(2)
    } finally {
      await close()
    }
  })
})
