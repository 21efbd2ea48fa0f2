/** A clock that is set far ahead by mistake must not make svc delete at once all that it keeps [jobs 13.1]. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSweepDuty } from '#scheduler/duties/sweep-retention.ts'
import { createClockWatch } from '#service/nodes/watch-clock.ts'
import { asNumber } from '#store/column.ts'
import { sql } from '#store/sql.ts'
import { completeJob } from '../support/complete-job.ts'
import { openQueue, QUEUE_BACKENDS, type Queue } from '../support/open-queue.ts'
import { type ShiftedClock, shiftClock } from '../support/shifted-clock.ts'

const DAY = 86_400_000
const YEAR = 365 * DAY

describe.each(QUEUE_BACKENDS)('retention on %s', (_, openDatabase) => {
  let clock: ShiftedClock
  let queue: Queue
  let passed = 0
  beforeAll(async () => {
    const opened = await openDatabase()
    clock = shiftClock(opened.db)
    queue = await openQueue(clock.db)
    await queue.deploy({ key: 'greet' })
    return opened.close
  })
  beforeEach(async () => {
    passed = 0
    await queue.db.write([sql`DELETE FROM clock_jumps`, sql`DELETE FROM jobs`])
    await queue.enqueue()
    const [job] = await queue.claim(1)
    if (job === undefined) throw new Error('Nothing was claimed.')
    const outcome = { kind: 'success', resultJson: '1' } as const
    await completeJob(queue.deps, { job, outcome, retry: null, logs: [] })
  })

  const silent = () => undefined
  const duty = () =>
    createSweepDuty({
      ...queue.deps,
      log: { debug: silent, info: silent, warn: silent, error: silent },
      leadership: { claim: async () => true, release: async () => undefined },
      retentionDays: 30,
      auditRetentionDays: 365,
    })
  const jobsAfterSweep = async (): Promise<number> => {
    await duty().runOnce(new AbortController().signal)
    return asNumber((await queue.db.one(sql`SELECT count(*) AS n FROM jobs`))?.n)
  }
  const watch = () =>
    createClockWatch(queue.deps, {
      steadyNow: () => performance.now() + passed,
      node: 'here',
      onJump: silent,
    })
  /** Lets real time pass, on the steady clock and on the database's. */
  const wait = (ms: number): void => {
    passed += ms
    clock.jump(ms)
  }

  it('deletes what is old by a clock that has not jumped', async () => {
    const watching = watch()
    await watching.check()
    wait(YEAR)
    await watching.check()
    expect(await jobsAfterSweep()).toBe(0)
  })

  it('waits for a day after a jump forward of more than a day, and then deletes', async () => {
    const watching = watch()
    await watching.check()
    clock.jump(YEAR)
    await watching.check()
    expect(await jobsAfterSweep()).toBe(1)
    wait(DAY - 60_000)
    expect(await jobsAfterSweep()).toBe(1)
    wait(120_000)
    expect(await jobsAfterSweep()).toBe(0)
  })

  it('goes on at once, with what is old then, when the clock is set back', async () => {
    const watching = watch()
    await watching.check()
    clock.jump(YEAR)
    await watching.check()
    clock.jump(-YEAR)
    await watching.check()
    expect(await jobsAfterSweep()).toBe(1)
    wait(31 * DAY)
    expect(await jobsAfterSweep()).toBe(0)
  })

  it('does not wait after the sleep of a machine over night', async () => {
    const watching = watch()
    await watching.check()
    wait(29.75 * DAY)
    await watching.check()
    clock.jump(DAY / 2)
    await watching.check()
    expect(await jobsAfterSweep()).toBe(0)
  })
})
