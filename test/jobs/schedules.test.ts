/** How schedules fire [schedules 5], one scene per rule, on a file and on sqld. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { deleteApp } from '#service/apps/manage-app.ts'
import type { FlowDeps } from '#service/flows/engine.ts'
import { createQueueGate } from '#service/queue/queue-gate.ts'
import { fireDueSchedules, fireWaitingSchedules } from '#service/schedules/fire-schedules.ts'
import { createFireTasks, type Firing } from '#service/schedules/fire-tasks.ts'
import {
  changeSchedule,
  createSchedule,
  type ScheduleRequest,
} from '#service/schedules/manage-schedule.ts'
import { type Database, DatabaseError } from '#store/database.ts'
import { findNextDueMs, listScheduleSlots, type ScheduleSlot } from '#store/schedules/fire-times.ts'
import { findSchedule, type Schedule } from '#store/schedules/schedules.ts'
import { raw, sql } from '#store/sql.ts'
import { completeJob } from '../support/complete-job.ts'
import { openQueue, QUEUE_BACKENDS, type Queue, WS } from '../support/open-queue.ts'

const MINUTE = 60_000
const ACTOR = { ...CLI_ACTOR, identity: 'ada@example.com' }

const firedOfWaiting = async (deps: FlowDeps): Promise<readonly Firing[]> => {
  const tasks = createFireTasks()
  await fireWaitingSchedules(deps, { afterWs: '', tasks })
  return tasks.take()
}

const WAITS_FOR_TURN = 'The former run has ended: it fires next, once the queue has room.'

describe.each(QUEUE_BACKENDS)('schedules on %s', (_, openDatabase) => {
  let queue: Queue
  beforeAll(async () => {
    const opened = await openDatabase()
    queue = await openQueue(opened.db)
    return opened.close
  })
  beforeEach(async () => {
    await queue.db.write([
      sql`DELETE FROM schedules`,
      sql`DELETE FROM schedule_slots`,
      sql`DELETE FROM jobs WHERE status = 'queued'`,
    ])
    await queue.deploy({ key: 'greet' })
  })

  const make = (options: Partial<ScheduleRequest> = {}): Promise<Schedule> =>
    createSchedule(queue.deps, {
      ws: WS,
      actor: ACTOR,
      request: {
        app: 'hello',
        action: 'greet',
        flow: null,
        cron: '* * * * *',
        timezone: 'UTC',
        input: { name: 'Ada' },
        enabled: true,
        overlap: 'allow',
        ...options,
      },
    })
  /** Makes the schedule due, with a slot that lies this many milliseconds in the past. @returns the slot */
  const makeDue = async (id: string, agoMs = 0): Promise<number> => {
    const slot = Math.floor(((await queue.db.now()) - agoMs) / MINUTE) * MINUTE
    await queue.db.write([sql`UPDATE schedules SET next_fire_at = ${slot} WHERE id = ${id}`])
    return slot
  }
  const fire = (graceMs = 0): Promise<readonly Firing[]> =>
    fireDueSchedules({ ...queue.deps, gate: createQueueGate(queue.deps) }, { graceMs })
  const outcomes = async () => (await fire()).map(({ outcome }) => outcome)
  const read = async (id: string): Promise<Schedule> => {
    const schedule = await findSchedule(queue.db, WS, id)
    if (schedule === null) throw new Error('The schedule is gone.')
    return schedule
  }
  const slots = (id: string): Promise<readonly ScheduleSlot[]> =>
    listScheduleSlots(queue.db, id, { before: null, limit: 100 })
  const jobsOf = (id: string) =>
    queue.db.all(sql`SELECT * FROM jobs WHERE created_by = ${`schedule:${id}`}`)

  it('queue a job of their own making, with the input and the identity of their creator', async () => {
    const { id } = await make()
    expect(await fire()).toEqual([])
    const slot = await makeDue(id)
    const woken: string[] = []
    const unsubscribe = queue.deps.hints.jobQueued.subscribe((tag) => woken.push(tag))
    expect(await outcomes()).toEqual(['fired'])
    unsubscribe()
    const [job, ...more] = await jobsOf(id)
    expect(more).toEqual([])
    expect(job).toMatchObject({
      trigger_kind: 'schedule',
      created_by: `schedule:${id}`,
      permissioned_as: 'ada@example.com',
      status: 'queued',
    })
    expect(woken).toEqual(['default'])
    const [claimed] = await queue.claim(1)
    expect(claimed).toMatchObject({
      id: job?.id,
      inputJson: '{"name":"Ada"}',
      triggerKind: 'schedule',
    })
    const now = await read(id)
    expect(now).toMatchObject({ lastJobId: job?.id, enabled: true })
    expect(now.nextFireAt).toBeGreaterThan(slot)
    expect(await slots(id)).toMatchObject([{ slot, outcome: 'fired', jobId: job?.id }])
  })

  const endOne = async (): Promise<void> => {
    const [job] = await queue.claim(1)
    if (job === undefined) throw new Error('Nothing was claimed.')
    const outcome = { kind: 'success', resultJson: 'null' } as const
    await completeJob(queue.deps, { job, outcome, retry: null, logs: [] })
  }
  const fireWaiting = async () => {
    const deps = { ...queue.deps, gate: createQueueGate(queue.deps) }
    return (await firedOfWaiting(deps)).map(({ outcome }) => outcome)
  }

  it('pass a fire time over while the former run has not ended, with overlap skip', async () => {
    const { id } = await make({ overlap: 'skip' })
    await makeDue(id, 2 * MINUTE)
    expect(await outcomes()).toEqual(['fired'])
    const slot = await makeDue(id)
    expect(await outcomes()).toEqual(['skipped'])
    expect(await slots(id)).toMatchObject([
      { slot, outcome: 'skipped', reason: 'The former run has not ended.' },
      {},
      { outcome: 'fired' },
    ])
    await endOne()
    await queue.db.write([sql`DELETE FROM schedule_slots`])
    await makeDue(id)
    expect(await outcomes()).toEqual(['fired'])
    expect(await jobsOf(id)).toHaveLength(2)
  })

  it('let one fire time wait for the end of the former run, with overlap queue', async () => {
    const { id } = await make({ overlap: 'queue' })
    await makeDue(id, 5 * MINUTE)
    expect(await outcomes()).toEqual(['fired'])
    await queue.db.write([sql`DELETE FROM schedule_slots`])
    const slot = await makeDue(id, 3 * MINUTE)
    expect(await outcomes()).toEqual(['postponed'])
    expect(await outcomes()).toEqual([])
    expect(await fireWaiting()).toEqual([])
    expect(await slots(id)).toMatchObject([
      { slot, outcome: 'queued', reason: 'The former run has not ended: it waits for the end.' },
    ])
    await endOne()
    expect(await slots(id)).toMatchObject([{ slot, outcome: 'queued', reason: WAITS_FOR_TURN }])
    expect(await fireWaiting()).toEqual(['fired'])
    expect(await fireWaiting()).toEqual([])
    expect(await jobsOf(id)).toHaveLength(2)
    expect(await slots(id)).toMatchObject([
      { outcome: 'skipped', count: 3, reason: 'An earlier fire time was waiting.' },
      { slot, outcome: 'fired' },
    ])
    expect((await read(id)).waitingSince).toBeNull()
  })

  it.each(['skip', 'queue'] as const)(
    'never run twice at once with overlap %s, whatever many nodes do in between',
    async (overlap) => {
      const { id } = await make({ overlap })
      for (let round = 0; round < 12; round += 1) {
        await queue.db.write([sql`DELETE FROM schedule_slots`])
        await makeDue(id, round % 3 === 0 ? MINUTE : 0)
        const acts = [fire(), fireWaiting(), fire(), ...(round % 2 === 1 ? [endAny()] : [])]
        await Promise.all(acts)
        await fireWaiting()
        const open = (await jobsOf(id)).filter((job) => job.completed_at === null)
        expect(open.length).toBeLessThanOrEqual(1)
      }
      await endAny()
      await fireWaiting()
      const { waitingSince } = await read(id)
      // the waiting fire time has fired, and nothing is left behind
      expect(waitingSince).toBeNull()
    },
  )
  const endAny = async (): Promise<void> => {
    for (const job of await queue.claim(5)) {
      const outcome = { kind: 'success', resultJson: 'null' } as const
      await completeJob(queue.deps, { job, outcome, retry: null, logs: [] })
    }
  }

  it('fire a slot once, however many nodes try at once', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => make()))
    for (const { id } of made) await makeDue(id)
    const tries = await Promise.all(Array.from({ length: 6 }, () => fire()))
    const fired = tries.flat().filter(({ outcome }) => outcome === 'fired')
    expect(fired).toHaveLength(10)
    for (const { id } of made) {
      expect(await jobsOf(id)).toHaveLength(1)
      expect(await slots(id)).toHaveLength(1)
    }
  })

  it('run once after a time without schedulers, and say what was skipped', async () => {
    const { id } = await make()
    const slot = await makeDue(id, 10 * MINUTE)
    expect(await outcomes()).toEqual(['fired'])
    expect(await outcomes()).toEqual([])
    expect(await jobsOf(id)).toHaveLength(1)
    expect(await slots(id)).toMatchObject([
      {
        slot: slot + MINUTE,
        lastSlot: slot + 10 * MINUTE,
        count: 10,
        outcome: 'skipped',
        reason: 'No scheduler could fire it in time.',
      },
      { slot, outcome: 'fired' },
    ])
    expect((await read(id)).nextFireAt).toBe(slot + 11 * MINUTE)
  })

  it('leave to others for a moment what another node should fire', async () => {
    const { id } = await make()
    await queue.db.write([
      sql`UPDATE schedules SET next_fire_at = ${await queue.db.now()} WHERE id = ${id}`,
    ])
    expect(await fire(5_000)).toEqual([])
    expect(await fire(0)).toHaveLength(1)
  })

  it('are not fired for a slot that an earlier version of them had', async () => {
    const { id } = await make()
    await makeDue(id)
    const [, second] = await Promise.all([
      changeSchedule(queue.deps, { ws: WS, id, actor: ACTOR }, { cron: '0 0 1 1 *' }),
      fire(),
    ])
    const jobs = await jobsOf(id)
    // whichever came first: the fire time is on record once, as fired if there is a job, and the new time is kept
    expect(jobs).toHaveLength(second.some(({ outcome }) => outcome === 'fired') ? 1 : 0)
    const outcome = jobs.length === 1 ? 'fired' : 'skipped'
    expect((await slots(id)).map((slot) => slot.outcome)).toEqual([outcome])
    expect((await read(id)).cron).toBe('0 0 1 1 *')
    expect(await fire()).toEqual([])
  })

  it('pass over a slot that has its row, as after a jump of the clock', async () => {
    const { id } = await make()
    const slot = await makeDue(id)
    await fire()
    await queue.db.write([sql`UPDATE schedules SET next_fire_at = ${slot} WHERE id = ${id}`])
    expect(await outcomes()).toEqual(['late'])
    expect(await jobsOf(id)).toHaveLength(1)
    expect((await read(id)).nextFireAt).toBeGreaterThan(slot)
    expect(await fire()).toEqual([])
  })

  it.each([
    ["cron = 'never'", 'cron'],
    ["timezone = 'Mars/Olympus'", 'time zone'],
    ["action = 'gone'", 'no longer exists'],
  ])('disable themselves where waiting does not help: %s', async (change, reason) => {
    const { id } = await make()
    await makeDue(id)
    await queue.db.write([sql`UPDATE schedules SET ${raw(change)} WHERE id = ${id}`])
    expect(await fire()).toMatchObject([
      { outcome: 'disabled', reason: expect.stringContaining(reason) },
    ])
    expect(await read(id)).toMatchObject({
      enabled: false,
      nextFireAt: null,
      disabledReason: expect.stringContaining(reason),
    })
    expect(await jobsOf(id)).toEqual([])
    expect(await fire()).toEqual([])
  })

  it('skip a slot whose input does not fit any more, say so, and go on', async () => {
    const { id } = await make()
    const slot = await makeDue(id)
    await queue.deploy({ key: 'greet', inputSchema: { type: 'object', required: ['age'] } })
    expect(await outcomes()).toEqual(['skipped'])
    expect(await slots(id)).toMatchObject([
      { slot, outcome: 'skipped', reason: expect.stringContaining('does not fit') },
    ])
    expect(await read(id)).toMatchObject({ enabled: true })
    expect((await read(id)).nextFireAt).toBeGreaterThan(slot)
  })

  it('stay due while the database fails', async () => {
    const { id } = await make()
    const slot = await makeDue(id)
    const away = {
      ...queue.db,
      write: () =>
        Promise.reject(new DatabaseError('Away.', { kind: 'unavailable', outcome: 'none' })),
    }
    const deps = { ...queue.deps, db: away, gate: createQueueGate(queue.deps) }
    await expect(fireDueSchedules(deps, { graceMs: 0 })).rejects.toThrow('Away.')
    expect(await read(id)).toMatchObject({ nextFireAt: slot, lastJobId: null })
    expect(await outcomes()).toEqual(['fired'])
  })

  it('with @every count from the last fire, however late that was', async () => {
    const { id } = await make({ cron: '@every 10m' })
    const slot = await makeDue(id, 25 * MINUTE)
    expect(await outcomes()).toEqual(['fired'])
    const { lastFireAt, nextFireAt } = await read(id)
    expect(nextFireAt).toBe((lastFireAt ?? 0) + 10 * MINUTE)
    // no other fire time was skipped: the next one counts from this one
    expect(await slots(id)).toMatchObject([{ slot, outcome: 'fired' }])
    expect(await fire()).toEqual([])
  })

  describe('of a workspace whose queue is full', () => {
    const fullDeps = () => {
      const full = { ...queue.deps, limits: { ...queue.deps.limits, queueMax: 0 } }
      return { ...full, gate: createQueueGate(full) }
    }
    const outcomesOf = (firings: readonly Firing[]) => firings.map(({ outcome }) => outcome)

    it('wait for room on record, are not looked at as due, and fire when there is room', async () => {
      const { id } = await make()
      const slot = await makeDue(id)
      expect(outcomesOf(await fireDueSchedules(fullDeps(), { graceMs: 0 }))).toEqual(['postponed'])
      expect(await fireDueSchedules(fullDeps(), { graceMs: 0 })).toEqual([])
      expect(await findNextDueMs(queue.db)).toBeNull()
      const waiting = { slot, outcome: 'queued', reason: expect.stringContaining('full') }
      expect(await slots(id)).toMatchObject([waiting])
      expect((await read(id)).waitingSince).not.toBeNull()
      expect(outcomesOf(await firedOfWaiting(fullDeps()))).toEqual(['waiting'])
      const room = { ...queue.deps, gate: createQueueGate(queue.deps) }
      expect(outcomesOf(await firedOfWaiting(room))).toEqual(['fired'])
      expect(await jobsOf(id)).toHaveLength(1)
      const record = { slot, outcome: 'fired', reason: expect.stringMatching(/waited \d+ s/) }
      expect((await slots(id)).at(-1)).toMatchObject(record)
      expect(await read(id)).toMatchObject({ waitingSince: null })
    })

    it('wait for no other that fails', async () => {
      const [damaged, other] = [await make(), await make()]
      for (const { id } of [damaged, other]) await makeDue(id)
      await fireDueSchedules(fullDeps(), { graceMs: 0 })
      await queue.db.write([sql`UPDATE schedules SET input = '{' WHERE id = ${damaged.id}`])
      const room = { ...queue.deps, gate: createQueueGate(queue.deps) }
      const tasks = createFireTasks()
      expect(await fireWaitingSchedules(room, { afterWs: '', tasks })).toBe('')
      expect(() => tasks.take()).toThrow(SyntaxError)
      expect(tasks.take()).toMatchObject([{ schedule: { id: other.id }, outcome: 'fired' }])
    })

    it('cost one look at the queue, however many of them wait', async () => {
      for (let at = 0; at < 20; at += 1) await makeDue((await make()).id)
      await fireDueSchedules(fullDeps(), { graceMs: 0 })
      expect(outcomesOf(await firedOfWaiting(fullDeps()))).toEqual(['waiting'])
    })

    it('begin to wait once, however many nodes look', async () => {
      await makeDue((await make()).id)
      const looks = Array.from({ length: 5 }, () => fireDueSchedules(fullDeps(), { graceMs: 0 }))
      const all = outcomesOf((await Promise.all(looks)).flat())
      expect(all.filter((outcome) => outcome === 'postponed')).toHaveLength(1)
    })

    it('wait no longer when they are changed', async () => {
      const { id } = await make()
      await makeDue(id)
      await fireDueSchedules(fullDeps(), { graceMs: 0 })
      await changeSchedule(queue.deps, { ws: WS, id, actor: ACTOR }, { cron: '0 0 1 1 *' })
      expect(await read(id)).toMatchObject({ waitingSince: null })
      expect(await firedOfWaiting(fullDeps())).toEqual([])
    })
  })

  it('go with their app, and leave the records of their fire times to retention', async () => {
    const { id } = await make()
    await makeDue(id)
    await fire()
    await deleteApp(queue.deps, { ws: WS, key: 'hello', actor: ACTOR })
    expect(await findSchedule(queue.db, WS, id)).toBeNull()
    expect(await slots(id)).toHaveLength(1)
    expect(await jobsOf(id)).toHaveLength(1)
  })

  it('are written once when the answer to a write was lost', async () => {
    const { id } = await make()
    await makeDue(id)
    const twice: Database = {
      ...queue.db,
      write: async (...args) => {
        await queue.db.write(...args)
        return queue.db.write(...args)
      },
    }
    const deps = { ...queue.deps, db: twice, gate: createQueueGate(queue.deps) }
    expect(await fireDueSchedules(deps, { graceMs: 0 })).toMatchObject([{ outcome: 'fired' }])
    expect(await jobsOf(id)).toHaveLength(1)
    expect(await slots(id)).toHaveLength(1)
  })
})
