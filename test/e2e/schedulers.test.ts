/**
 * Four schedulers with wrong clocks over one sqld are killed and paused, and sqld is restarted. Each fire time of twenty
 * schedules that fire every second is fired once, and none is left out [schedules 5.1].
 */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createChance } from '../chaos/random.ts'
import { runs } from '../support/runs.ts'
import { skewedClock } from '../support/skewed-clock.ts'
import type { Node } from './durable-node.ts'
import { auditSlots, openFleet } from './fleet.ts'

const SKEWS_S = [0, -5, 5, 3_600]
const SCHEDULES = 20
/** A fire waits at most for sqld to come back, on a busy machine. */
const MOST_SILENT_MS = 10_000
const FOR_MS = 1_000 * runs({ short: 12, long: Number(process.env.SCHEDULER_SECONDS ?? 30) })

test('each slot is fired once, and none is left out', { timeout: FOR_MS + 90_000 }, async () => {
  const seed = Date.now() % 1_000_000
  process.stdout.write(`schedulers: seed ${seed}\n`)
  const chance = createChance(seed)
  const fleet = await openFleet('sqld')
  try {
    const server = await fleet.start('server')
    const start = (at: number): Promise<Node> =>
      fleet.start('scheduler', { env: skewedClock(SKEWS_S[at] ?? 0) })
    const schedulers = await Promise.all(SKEWS_S.map((_, at) => start(at)))
    for (let at = 0; at < SCHEDULES; at += 1) {
      const options = { app_key: 'crash', action_key: 'quick', cron: '@every 1s' }
      expect((await fleet.call(server, 'POST', '/schedules', options)).status).toBe(201)
    }
    const counts = { kills: 0, pauses: 0, restarts: 0 }
    const end = performance.now() + FOR_MS
    while (performance.now() < end) {
      await sleep(chance.between(300, 1_500))
      // one at a time, so that one scheduler always works
      const at = chance.below(SKEWS_S.length)
      const fault = chance.below(3)
      const child = schedulers[at]?.process.child
      if (fault === 0) {
        counts.kills += 1
        child?.kill('SIGKILL')
        schedulers[at] = await start(at)
      } else if (fault === 1) {
        counts.pauses += 1
        child?.kill('SIGSTOP')
        await sleep(chance.between(500, 3_000))
        child?.kill('SIGCONT')
      } else {
        counts.restarts += 1
        await fleet.sqld?.restart()
      }
    }
    for (const { process: each } of schedulers) each.child.kill('SIGKILL')
    await Promise.all(schedulers.map(({ process: each }) => each.ended))
    const { fired, skipped, jobs, tooSoon, longestGapMs } = await fleet.read((db) =>
      auditSlots(db, 1_000),
    )
    process.stdout.write(`${JSON.stringify({ ...counts, fired, skipped, jobs, longestGapMs })}\n`)
    expect(jobs).toBe(fired)
    expect({ skipped, tooSoon }).toEqual({ skipped: 0, tooSoon: 0 })
    // one scheduler always works, and does not wait for the others
    expect(longestGapMs).toBeLessThan(MOST_SILENT_MS)
    expect(fired).toBeGreaterThan((SCHEDULES * FOR_MS) / 1_000 / 2)
  } finally {
    await fleet.close()
  }
})
