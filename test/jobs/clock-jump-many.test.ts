/** The database's clock jumps while very many rows wait for a time. All are corrected, in small writes, by whichever node. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClockWatch } from '#service/nodes/watch-clock.ts'
import type { Database } from '#store/database.ts'
import { raw, SQL_NOW, sql } from '#store/sql.ts'
import { findWorkDue } from '#store/work-due.ts'
import { openQueue, QUEUE_BACKENDS, type Queue, WS } from '../support/open-queue.ts'
import { type ShiftedClock, shiftClock } from '../support/shifted-clock.ts'

const HOUR = 3_600_000
/** More than the rows of two writes. */
const MANY = 1_200
/** More than the rows of twenty writes. */
const VERY_MANY = 10_700

describe.each(QUEUE_BACKENDS)('a jump of the clock with many rows on %s', (_, openDatabase) => {
  let clock: ShiftedClock
  let queue: Queue
  let passed: number
  beforeAll(async () => {
    const opened = await openDatabase()
    clock = shiftClock(opened.db)
    queue = await openQueue(clock.db)
    await queue.deploy({ key: 'greet' })
    return opened.close
  })
  beforeEach(async () => {
    passed = 0
    await queue.db.write([
      sql`DELETE FROM jobs`,
      sql`DELETE FROM schedules`,
      sql`DELETE FROM schedule_slots`,
      sql`DELETE FROM meta WHERE key GLOB 'clock_*'`,
    ])
  })

  const watch = (db: Database = queue.db) =>
    createClockWatch(
      { ...queue.deps, db },
      { steadyNow: () => performance.now() + passed, node: 'here', onJump: () => undefined },
    )
  /** Inserts copies of a job, with ids of a letter and a number. It is SQL and may name the number `n`. */
  const insert = async (
    letter: string,
    count: number,
    values: Readonly<Record<string, string>>,
  ) => {
    const id = await queue.enqueue()
    const [{ columns = '' } = {}] = await queue.db.all(
      sql`SELECT group_concat(name) AS columns FROM pragma_table_info('jobs')`,
    )
    const names = String(columns).split(',')
    const given = names.map(
      (name) => values[name]?.replaceAll('NOW', SQL_NOW.sql) ?? `jobs.${name}`,
    )
    const statement = `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})
      INSERT INTO jobs (${names}) SELECT ${given} FROM n, jobs WHERE jobs.id = '${id}'`
    const made = statement.replace('jobs.id,', `'${letter}' || n,`)
    await queue.db.write([raw(made), sql`DELETE FROM jobs WHERE id = ${id}`])
  }
  const insertDelayed = (count = MANY) =>
    insert('d', count, { ready: '0', failure_count: '1', run_at: `NOW + ${HOUR} + n` })
  /** Returns how far ahead the first and the last job of a letter are, in milliseconds, and how many there are. */
  const spread = async (letter: string, column = 'run_at') => {
    const [found] = await queue.db.all(
      sql`SELECT min(${raw(column)} - ${SQL_NOW}) AS first, max(${raw(column)} - ${SQL_NOW}) AS last
        FROM jobs WHERE ws = ${WS} AND id GLOB ${`${letter}*`}`,
    )
    return { first: Number(found?.first), last: Number(found?.last) }
  }
  /** A database that fails at a write. */
  const failing = (at: number): Database => {
    let writes = 0
    return {
      ...queue.db,
      write: (...args) => {
        writes += 1
        if (writes >= at) throw new Error('The process ends.')
        return queue.db.write(...args)
      },
    }
  }
  const SLACK = 120_000

  it('back brings all delays forward by the same time', async () => {
    await insertDelayed(VERY_MANY)
    const watching = watch()
    await watching.check()
    clock.jump(-HOUR)
    await watching.check()
    const { first, last } = await spread('d')
    expect(first).toBeGreaterThan(HOUR - SLACK)
    expect(last).toBeLessThanOrEqual(HOUR + VERY_MANY)
  })

  it('back is corrected by another node after a crash, and no row twice', async () => {
    await insertDelayed()
    const crashing = watch(failing(4))
    await crashing.check()
    clock.jump(-HOUR)
    await expect(crashing.check()).rejects.toThrow('The process ends.')
    expect((await spread('d')).last).toBeGreaterThan(2 * HOUR - SLACK)
    const next = watch()
    await next.check()
    const { first, last } = await spread('d')
    expect(first).toBeGreaterThan(HOUR - SLACK)
    expect(last).toBeLessThanOrEqual(HOUR + MANY)
    await next.check()
    expect((await spread('d')).first).toBeGreaterThan(HOUR - SLACK)
  })

  it('back is corrected once by two nodes that begin at the same time', async () => {
    await insertDelayed()
    const nodes = [watch(), watch()]
    for (const node of nodes) await node.check()
    clock.jump(-HOUR)
    await Promise.all(nodes.map((node) => node.check()))
    const { first, last } = await spread('d')
    expect(first).toBeGreaterThan(HOUR - SLACK)
    expect(last).toBeLessThanOrEqual(HOUR + MANY)
  })

  it('back brings forward all jobs that wait for a worker', async () => {
    await insert('r', MANY, { ready: '1', run_at: 'NOW - n % 1000' })
    const watching = watch()
    await watching.check()
    clock.jump(-HOUR)
    await watching.check()
    expect((await spread('r')).last).toBeLessThanOrEqual(0)
  })

  it.each([HOUR, -HOUR])('keeps the start timeouts of all jobs: %s ms', async (byMs) => {
    await insert('t', MANY, {
      ready: '1',
      run_at: 'NOW - 5000',
      created_at: 'NOW - 5000',
      start_by: `NOW + ${HOUR} + n`,
    })
    const watching = watch()
    await watching.check()
    clock.jump(byMs)
    await watching.check()
    const { first, last } = await spread('t', 'start_by')
    expect(first).toBeGreaterThan(HOUR - SLACK)
    expect(last).toBeLessThanOrEqual(HOUR + MANY)
  })

  it('takes no job from a worker while rows are left to be corrected', async () => {
    let isSlow = true
    // the corrections are lists of statements, and the jump has named ones
    const write: Database['write'] = async (batch: never, options) =>
      isSlow && Array.isArray(batch) ? ([] as never) : queue.db.write(batch, options)
    const watching = watch({ ...queue.db, write })
    await watching.check()
    passed = queue.deps.limits.jobLeaseMs
    clock.jump(queue.deps.limits.jobLeaseMs)
    expect(await watching.check()).toMatchObject({ mayTakeJobs: true })
    clock.jump(-HOUR)
    expect(await watching.check()).toMatchObject({ mayTakeJobs: false })
    isSlow = false
    expect(await watching.check()).toMatchObject({ mayTakeJobs: true })
  })

  describe('corrects the fire times of all schedules', () => {
    /** Inserts schedules that fire every two hours, the first in an hour. A part passes over 200 of them. */
    const insertSchedules = () =>
      queue.db.write([
        sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${MANY})
          INSERT INTO schedules (id, ws, app, action, cron, timezone, input, enabled, next_fire_at, waiting_since,
            created_by, created_at, updated_at)
          SELECT 's' || n, ${WS}, 'hello', 'greet', '@every 2h', 'UTC', '{}', n % 3 > 0,
            CASE WHEN n % 3 > 0 THEN ${SQL_NOW} + ${HOUR} + n END, CASE WHEN n % 3 = 1 THEN ${SQL_NOW} END, 'x', 0, 0 FROM n`,
        sql`INSERT INTO schedule_slots (schedule_id, slot, outcome, last_slot, count, at)
          SELECT id, ${SQL_NOW} - 1000, 'skipped', ${SQL_NOW}, 1, ${SQL_NOW} FROM schedules`,
      ])
    const fireTimes = async () => {
      const [found] = await queue.db.all(
        sql`SELECT min(next_fire_at - ${SQL_NOW}) AS first, max(next_fire_at - ${SQL_NOW}) AS last,
          max(waiting_since - ${SQL_NOW}) AS waiting FROM schedules WHERE enabled = 1`,
      )
      return {
        first: Number(found?.first),
        last: Number(found?.last),
        waiting: Number(found?.waiting),
      }
    }
    const expectCorrected = async (): Promise<void> => {
      const { first, last, waiting } = await fireTimes()
      expect(first).toBeGreaterThan(HOUR - SLACK)
      expect(last).toBeLessThanOrEqual(HOUR + MANY)
      expect(waiting).toBeLessThanOrEqual(0)
      expect(await queue.db.all(sql`SELECT 1 FROM meta WHERE key GLOB 'clock_fires_*'`)).toEqual([])
    }
    /** A database that counts how many schedules each write moves. */
    const counting = () => {
      const counts: number[] = []
      const write: Database['write'] = async (...args) => {
        const before = await queue.db.all(sql`SELECT id, next_fire_at FROM schedules`)
        const written = await queue.db.write(...args)
        const after = await queue.db.all(sql`SELECT id, next_fire_at FROM schedules`)
        counts.push(before.filter((row, at) => row.next_fire_at !== after[at]?.next_fire_at).length)
        return written
      }
      return { counts, db: { ...queue.db, write } }
    }

    it.each([2 * HOUR, -3 * HOUR])('in small writes: %s ms', async (byMs) => {
      await insertSchedules()
      const { counts, db } = counting()
      const watching = watch(db)
      await watching.check()
      clock.jump(byMs)
      expect(await watching.check()).toMatchObject({ mayFire: true })
      await expectCorrected()
      expect(Math.max(...counts)).toBeLessThanOrEqual(200)
      const moved = MANY - MANY / 3
      const jumps = sql`SELECT schedules FROM clock_jumps ORDER BY epoch DESC LIMIT 1`
      expect(await queue.db.all(jumps)).toEqual([{ schedules: moved }])
      const slots = await queue.db.all(sql`SELECT count(*) AS n FROM schedule_slots`)
      expect(slots).toEqual([{ n: byMs < 0 ? 0 : MANY }])
    })

    it.each([2 * HOUR, -3 * HOUR])(
      'by another node after a crash, and fires none before: %s ms',
      async (byMs) => {
        await insertSchedules()
        const crashing = watch(failing(3))
        await crashing.check()
        clock.jump(byMs)
        await expect(crashing.check()).rejects.toThrow('The process ends.')
        const idle = watch({ ...queue.db, write: async () => [] as never })
        expect(await idle.check()).toMatchObject({ mayFire: false })
        expect((await findWorkDue(queue.db)).hasFireTimesToCorrect).toBe(true)
        const others = [watch(), watch()]
        await Promise.all(others.map((node) => node.check()))
        await expectCorrected()
      },
    )

    it('but leaves alone a schedule that was changed meanwhile', async () => {
      await insertSchedules()
      const write: Database['write'] = async (batch: never, options) => {
        await queue.db.write([
          sql`UPDATE schedules SET version = version + 1, next_fire_at = ${SQL_NOW} + 5 WHERE id = 's1'`,
        ])
        return queue.db.write(batch, options)
      }
      const watching = watch({ ...queue.db, write })
      await watching.check()
      clock.jump(2 * HOUR)
      await watching.check()
      expect((await fireTimes()).first).toBeLessThanOrEqual(5)
    })
  })
})
