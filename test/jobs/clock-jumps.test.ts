/** The database's clock jumps by an hour, forward or back (invariant I14): no job runs twice, and nothing stays stuck. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { sendEvent } from '#service/events/send-event.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { type ClockWatch, createClockWatch, type HandledJump } from '#service/nodes/watch-clock.ts'
import { createClaimMemory } from '#service/queue/claim-jobs.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { createQueueGate } from '#service/queue/queue-gate.ts'
import { renewLeases } from '#service/queue/renew-leases.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { fireDueSchedules } from '#service/schedules/fire-schedules.ts'
import { createSchedule } from '#service/schedules/manage-schedule.ts'
import { takeEarlierEvent } from '#store/events/events.ts'
import { beginStep, insertJobWait, markBegan } from '#store/jobs/steps.ts'
import { suspendJob } from '#store/jobs/suspend.ts'
import { findSchedule } from '#store/schedules/schedules.ts'
import { sql } from '#store/sql.ts'
import { dropFence, raiseFence } from '#store/workspaces/fence.ts'
import { releaseWorkspace } from '#store/workspaces/held.ts'
import { holdForMove } from '#store/workspaces/moved.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { completeJob } from '../support/complete-job.ts'
import { BY, openQueue, QUEUE_BACKENDS, type Queue, WS } from '../support/open-queue.ts'
import { type ShiftedClock, shiftClock } from '../support/shifted-clock.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const RETRY = { maxAttempts: 3, delayMs: 600_000, backoffFactor: 1 }

describe.each(QUEUE_BACKENDS)('a jump of the clock on %s', (_, openDatabase) => {
  let clock: ShiftedClock
  let queue: Queue
  let jumps: HandledJump[]
  /** Milliseconds added to a steady clock, as real time that passes. */
  let passed: number
  beforeAll(async () => {
    const opened = await openDatabase()
    clock = shiftClock(opened.db)
    queue = await openQueue(clock.db)
    await queue.deploy(
      { key: 'greet', retry: RETRY },
      { key: 'paced', rate: { limit: 1, perS: 10, key: 'all' } },
      { key: 'quiet', debounce: { key: 'all', quietS: 10, maxS: 20 } },
      { key: 'push', startTimeoutS: 60 },
      { key: 'keyed', concurrency: { limit: 1, key: 'all' } },
    )
    return opened.close
  })
  beforeEach(async () => {
    passed = 0
    jumps = []
    await queue.db.write([
      sql`DELETE FROM jobs WHERE completed_at IS NULL`,
      sql`DELETE FROM schedules`,
      sql`DELETE FROM schedule_slots`,
      sql`DELETE FROM clock_jumps`,
    ])
  })

  const watch = (deps: AllDeps = queue.deps): ClockWatch =>
    createClockWatch(deps, {
      steadyNow: () => performance.now() + passed,
      node: 'here',
      onJump: (jump) => jumps.push(jump),
    })
  const leaseMs = () => queue.deps.limits.jobLeaseMs
  /** Lets real time pass, on the steady clock and on the database's. */
  const wait = (ms: number): void => {
    passed += ms
    clock.jump(ms)
  }
  /** A node that has watched the clock for long enough. */
  const settled = async (): Promise<ClockWatch> => {
    const watching = watch()
    await watching.check()
    wait(leaseMs())
    expect(await watching.check()).toMatchObject({ mayTakeJobs: true })
    return watching
  }
  const rescue = async (watching: ClockWatch) => {
    const { now, mayTakeJobs } = await watching.check()
    return mayTakeJobs ? rescueJobs(queue.deps, now) : []
  }
  const claimOne = async (ofMs = leaseMs(), memory = createClaimMemory()) => {
    const options = { worker: 'w', tags: ['default'], limit: 1, leaseMs: ofMs, memory }
    const [job] = await claimJobs(queue.deps, options)
    if (job === undefined) throw new Error('Nothing was claimed.')
    return job
  }
  const leftMs = async (id: string): Promise<number> =>
    Number((await queue.row(id)).lease_until) - (await queue.db.now())
  const makeSchedule = (cron: string) =>
    createSchedule(queue.deps, {
      ws: WS,
      actor: CLI_ACTOR,
      request: {
        app: 'hello',
        action: 'greet',
        flow: null,
        cron,
        timezone: 'UTC',
        input: {},
        enabled: true,
        overlap: 'allow',
      },
    })
  const nextInMs = async (id: string): Promise<number> =>
    ((await findSchedule(queue.db, WS, id))?.nextFireAt ?? 0) - (await queue.db.now())
  const slotsOf = async (id: string): Promise<readonly unknown[]> =>
    (
      await queue.db.all(
        sql`SELECT outcome FROM schedule_slots WHERE schedule_id = ${id} ORDER BY slot`,
      )
    ).map(({ outcome }) => outcome)
  const recorded = () =>
    queue.db.all(sql`SELECT target FROM audit_log WHERE action = 'clock.jumped'`)

  it.each(['greet', 'keyed'])(
    'back leaves jobs that waited before those that come later: %s',
    async (action) => {
      const watching = await settled()
      const holder = await queue.enqueue({ action })
      const first = await queue.enqueue({ action })
      await queue.enqueue({ action })
      const job = await claimOne()
      expect(job.id).toBe(holder)
      // of a key, the claim finds that the others must wait
      if (action === 'keyed') await expect(claimOne()).rejects.toThrow('Nothing')
      clock.jump(-HOUR)
      await watching.check()
      await queue.enqueue({ action })
      const outcome = { kind: 'success', resultJson: '1' } as const
      await completeJob(queue.deps, { job, outcome, retry: null, logs: [] })
      expect((await claimOne()).id).toBe(first)
    },
  )

  it('forward makes no job late that a worker claims before the jump is corrected', async () => {
    const memory = createClaimMemory(() => performance.now() + passed)
    const claim = () => claimOne(leaseMs(), memory)
    await queue.enqueue()
    await claim()
    await queue.enqueue({ action: 'push' })
    clock.jump(HOUR)
    expect((await claim()).isCanceled).toBe(false)
    // the new time holds once a scheduler must have corrected the jump
    wait(2 * MINUTE)
    await queue.enqueue()
    await claim()
    await queue.enqueue({ action: 'push' })
    wait(2 * MINUTE)
    expect((await claim()).isCanceled).toBe(true)
  })

  it.each([HOUR, -HOUR, 24 * HOUR])(
    'of %i ms takes no job from a worker that lives, and gives a dead one’s back within a lease',
    async (byMs) => {
      const watching = await settled()
      await queue.enqueue()
      await queue.enqueue()
      const [living, dead] = [await claimOne(), await claimOne()]
      clock.jump(byMs)
      expect(await rescue(watching)).toEqual([])
      for (const { id } of [living, dead]) {
        expect(await leftMs(id)).toBeLessThanOrEqual(leaseMs())
        expect(await leftMs(id)).toBeGreaterThan(leaseMs() / 2)
      }
      wait(leaseMs() / 2)
      expect((await renewLeases(queue.db, [living], leaseMs())).renewed).toEqual([living])
      wait(leaseMs() / 2 + 1_000)
      expect(await rescue(watching)).toEqual([{ id: dead.id, status: 'queued' }])
      expect(await queue.row(living.id)).toMatchObject({ status: 'running', attempt: 1 })
      expect(jumps).toMatchObject([{ leases: 2 }])
      expect(Math.abs((jumps[0]?.byMs ?? 0) - byMs)).toBeLessThan(1_000)
    },
  )

  it.each([HOUR, -HOUR])('of %i ms charges a job for the time that it ran', async (byMs) => {
    const watching = await settled()
    const id = await queue.enqueue()
    const job = await claimOne()
    wait(5_000)
    await watching.check()
    clock.jump(byMs)
    await watching.check()
    const outcome = { kind: 'success', resultJson: '1' } as const
    await completeJob(queue.deps, { job, outcome, retry: null, logs: [] })
    const [row] = await queue.ledger(id)
    expect(Number(row?.duration_ms)).toBeGreaterThan(4_000)
    expect(Number(row?.duration_ms)).toBeLessThan(15_000)
  })

  it('is dealt with once, by one of many nodes, and is on record', async () => {
    const nodes = Array.from({ length: 5 }, () => watch())
    await Promise.all(nodes.map((node) => node.check()))
    const before = (await recorded()).length
    clock.jump(HOUR)
    await Promise.all(nodes.map((node) => node.check()))
    await Promise.all(nodes.map((node) => node.check()))
    expect(jumps).toHaveLength(1)
    expect(await queue.db.all(sql`SELECT epoch, node FROM clock_jumps`)).toEqual([
      { epoch: 1, node: 'here' },
    ])
    const targets = (await recorded()).slice(before).map(({ target }) => String(target))
    expect(targets).toEqual([expect.stringMatching(/^forward 3[56]\d{5} ms$/)])
    clock.jump(-HOUR)
    await Promise.all(nodes.map((node) => node.check()))
    expect(jumps).toHaveLength(2)
  })

  it('is not what a pause of the node looks like', async () => {
    const watching = await settled()
    wait(HOUR)
    await watching.check()
    expect(jumps).toEqual([])
  })

  it('back leaves no schedule silent, and fires no time twice', async () => {
    const watching = await settled()
    const every = await makeSchedule('@every 30s')
    const minutely = await makeSchedule('* * * * *')
    const fire = () =>
      fireDueSchedules({ ...queue.deps, gate: createQueueGate(queue.deps) }, { graceMs: 0 })
    clock.jump(-HOUR)
    await watching.check()
    expect(await nextInMs(every.id)).toBeLessThanOrEqual(30_000)
    expect(await nextInMs(minutely.id)).toBeLessThanOrEqual(60_000)
    wait(61_000)
    expect((await fire()).map(({ outcome }) => outcome)).toEqual(['fired', 'fired'])
    // the same minute a second time
    clock.jump(-61_000)
    await watching.check()
    wait(61_000)
    const outcomes = (await fire()).map(({ schedule, outcome }) => [schedule.id, outcome])
    expect(outcomes).toContainEqual([every.id, 'fired'])
    expect(outcomes).toContainEqual([minutely.id, 'late'])
  })

  it('forward and back fires what was skipped only by the wrong clock, and what fired not again', async () => {
    const watching = await settled()
    const { id } = await makeSchedule('0 * * * *')
    const fire = async () => {
      const fired = await fireDueSchedules(
        { ...queue.deps, gate: createQueueGate(queue.deps) },
        { graceMs: 0 },
      )
      return fired.map(({ outcome }) => outcome)
    }
    clock.jump(24 * HOUR)
    await watching.check()
    expect(await fire()).toEqual(['fired'])
    clock.jump(-24 * HOUR)
    await watching.check()
    expect(await slotsOf(id)).toEqual(['fired'])
    wait((await nextInMs(id)) + 1_000)
    await watching.check()
    expect(await fire()).toEqual(['late'])
    for (let hour = 0; hour < 3; hour += 1) {
      wait(HOUR)
      await watching.check()
      expect(await fire()).toEqual(['fired'])
    }
    expect(await slotsOf(id)).toEqual(['fired', 'fired', 'fired', 'fired'])
  })

  it('forward fires @every no sooner', async () => {
    const watching = await settled()
    const { id } = await makeSchedule('@every 2h')
    clock.jump(HOUR)
    await watching.check()
    expect(await nextInMs(id)).toBeGreaterThan(1.9 * HOUR)
  })

  it('back keeps the delay of a retry, and the time of day that a caller requested', async () => {
    const watching = await settled()
    const retried = await queue.enqueue()
    const outcome = {
      kind: 'failure',
      error: { name: 'Oops', message: 'no' },
    } as const
    await completeJob(queue.deps, { job: await claimOne(), outcome, retry: RETRY, logs: [] })
    const at = (await queue.db.now()) + 2 * HOUR
    const later = await queue.enqueue({ scheduledFor: at })
    clock.jump(-HOUR)
    await watching.check()
    const waits = Number((await queue.row(retried)).run_at) - (await queue.db.now())
    expect(waits).toBeGreaterThan(RETRY.delayMs / 2)
    expect(waits).toBeLessThanOrEqual(RETRY.delayMs + 1_000)
    expect(await queue.row(later)).toMatchObject({ run_at: at })
  })

  it('back keeps the wait of a rate and of a debounce', async () => {
    const watching = await settled()
    await queue.enqueue({ action: 'paced' })
    await claimOne()
    const ids = [await queue.enqueue({ action: 'paced' }), await queue.enqueue({ action: 'quiet' })]
    clock.jump(-HOUR)
    await watching.check()
    ids.push(await queue.enqueue({ action: 'paced' }))
    expect(await queue.enqueue({ action: 'quiet' })).toBe(ids[1])
    for (const id of ids) {
      const waits = Number((await queue.row(id)).run_at) - (await queue.db.now())
      expect(waits).toBeLessThanOrEqual(20_000)
    }
  })

  it.each(['suspended', 'running'])(
    'back keeps the sleep of a durable job that is %s',
    async (state) => {
      const watching = await settled()
      const id = await queue.enqueue()
      const job = await claimOne()
      const sleep = {
        name: 'rest',
        position: 0,
        kind: 'sleep',
        ms: 600_000,
        child: null,
      } as const
      await queue.db.write([beginStep(job, sleep)])
      if (state === 'suspended') await queue.db.write([suspendJob(job, ['rest'])])
      clock.jump(-HOUR)
      await watching.check()
      const now = await queue.db.now()
      const row = await queue.db.one(sql`SELECT due_at FROM job_steps WHERE job_id = ${id}`)
      const { run_at, suspended_until } = await queue.row(id)
      const ends = state === 'suspended' ? [row?.due_at, run_at, suspended_until] : [row?.due_at]
      for (const at of ends) {
        expect(Number(at) - now).toBeGreaterThan(500_000)
        expect(Number(at) - now).toBeLessThanOrEqual(600_000)
      }
    },
  )

  it('back loses no event that comes before a job waits for it, and brings none from before it began', async () => {
    const { deps, db } = queue
    const send = (name: string) =>
      sendEvent(
        { ...deps, ...enqueueDepsOf(deps) },
        { ws: WS, name, key: null, data: 1, id: null, sentBy: BY },
      )
    const watching = await settled()
    await send('before')
    wait(1_000)
    await queue.enqueue()
    const job = await claimOne()
    await db.write([markBegan(job)])
    clock.jump(-HOUR)
    await watching.check()
    await send('after')
    const take = async (event: string) => {
      const [id, name] = [deps.newId(), event]
      const step = { name, position: 1, kind: 'event', ms: HOUR, child: null } as const
      const open = insertJobWait(job, { id, name, event, key: null })
      await db.write([beginStep(job, step), open, takeEarlierEvent(id, HOUR)])
      return db.one(sql`SELECT status FROM event_waits WHERE id = ${id}`)
    }
    expect(await take('after')).toEqual({ status: 'received' })
    expect(await take('before')).toEqual({ status: 'open' })
  })

  it('is handled while a workspace moves, whose rows a fence protects', async () => {
    const watching = await settled()
    const retried = await queue.enqueue()
    const outcome = {
      kind: 'failure',
      error: { name: 'Oops', message: 'no' },
    } as const
    await completeJob(queue.deps, { job: await claimOne(), outcome, retry: RETRY, logs: [] })
    await queue.enqueue()
    const lost = await claimOne()
    await queue.expire(lost.id)
    await makeSchedule('@every 2h')
    await queue.db.write([sql`UPDATE schedules SET waiting_since = ${await queue.db.now()}`])
    const before = [await queue.row(retried), await queue.row(lost.id)]
    await queue.db.write([holdForMove({ ws: WS, fileId: 'move' }), ...raiseFence(WS)])
    try {
      clock.jump(-HOUR)
      await watching.check()
      expect(jumps).toHaveLength(1)
      // it runs again in the other cell
      expect(await renewLeases(queue.db, [lost], leaseMs())).toMatchObject({ lost: [lost] })
      // the other side compares every row with the copy that it has
      expect(await queue.row(retried)).toEqual(before[0])
      expect((await queue.row(lost.id)).started_at).toBe(before[1]?.started_at)
    } finally {
      await queue.db.write([...dropFence(WS), releaseWorkspace({ ws: WS, fileId: 'move' })])
    }
  })

  it('before the start of a node takes no job from a worker that lives', async () => {
    await queue.enqueue()
    const job = await claimOne()
    clock.jump(HOUR)
    const fresh = watch()
    expect(await rescue(fresh)).toEqual([])
    wait(leaseMs() / 3)
    await renewLeases(queue.db, [job], leaseMs())
    wait(leaseMs() / 2)
    expect(await fresh.check()).toMatchObject({ mayTakeJobs: true })
    expect(await rescue(fresh)).toEqual([])
  })

  it('back while no node watched is known by the leases that it left behind', async () => {
    await queue.enqueue()
    const { id } = await claimOne()
    clock.jump(-HOUR)
    await watch().check()
    expect(await leftMs(id)).toBeLessThanOrEqual(leaseMs())
    expect(jumps).toMatchObject([{ leases: 1 }])
  })

  it.each([HOUR, -HOUR])(
    'of %i ms gives a job the lease of its worker, which may be longer than that of the scheduler',
    async (byMs) => {
      const watching = await settled()
      await queue.enqueue()
      const job = await claimOne(10 * leaseMs())
      clock.jump(byMs)
      expect(await rescue(watching)).toEqual([])
      wait(3 * leaseMs())
      expect(await rescue(watching)).toEqual([])
      expect(await renewLeases(queue.db, [job], 10 * leaseMs())).toMatchObject({ lost: [] })
    },
  )

  it('is not seen in a lease that is longer than those of the scheduler', async () => {
    await queue.enqueue()
    const { id } = await claimOne(HOUR)
    await watch().check()
    expect(jumps).toEqual([])
    expect(await leftMs(id)).toBeGreaterThan(HOUR / 2)
  })

  it('finds leases of older nodes, which do not record their length', async () => {
    await queue.enqueue()
    const { id } = await claimOne()
    await queue.db.write([sql`UPDATE jobs SET lease_ms = NULL WHERE id = ${id}`])
    await watch().check()
    expect(jumps).toEqual([])
    clock.jump(-HOUR)
    await watch().check()
    expect(await leftMs(id)).toBeLessThanOrEqual(leaseMs())
    expect(jumps).toMatchObject([{ leases: 1 }])
  })
})
