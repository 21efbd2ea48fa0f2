/**
 * Workers, rescuers, cancelers and schedulers as small programs whose database calls are interleaved at random, on the real
 * statements. fast-check's scheduler decides which call is next. Leases run out and slots come due at random times.
 */

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { cancelJob } from '#service/queue/cancel-job.ts'
import { handBackJobs } from '#service/queue/hand-back-jobs.ts'
import { createQueueGate } from '#service/queue/queue-gate.ts'
import { renewLeases } from '#service/queue/renew-leases.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { fireDueSchedules } from '#service/schedules/fire-schedules.ts'
import { createSchedule } from '#service/schedules/manage-schedule.ts'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { completeJob } from '../support/complete-job.ts'
import { BY, openQueue, type Queue, WS } from '../support/open-queue.ts'
import { adminSession } from '../support/principals.ts'
import { runs } from '../support/runs.ts'
import { openTemporaryDatabase } from '../support/temporary-database.ts'

let queue: Queue
beforeAll(async () => {
  const opened = await openTemporaryDatabase()
  queue = await openQueue(opened.db)
  await queue.deploy({ key: 'greet' })
  return opened.close
})

const HOUR = 3_600_000

type Turn = (name: string) => Promise<void>

/** A database in which every call waits for its turn. */
const inTurns = (db: Database, turn: Turn): Database => ({
  ...db,
  one: async (statement) => {
    await turn('one')
    return db.one(statement)
  },
  all: async (statement) => {
    await turn('all')
    return db.all(statement)
  },
  write: async (...args) => {
    await turn('write')
    return db.write(...args)
  },
})

const beWorker = async (deps: AllDeps, name: string, fate: number): Promise<void> => {
  const jobs = await claimJobs(deps, { worker: name, tags: ['default'], limit: 2, leaseMs: HOUR })
  for (const [at, job] of jobs.entries()) {
    // a worker that dies reports nothing more
    if (fate === 0) return
    if (fate === 1) await renewLeases(deps.db, [job], HOUR)
    if (fate === 2 && at === 0) {
      await handBackJobs(deps, { jobs: [{ claim: job, started: true }] })
      continue
    }
    const outcome =
      fate === 3
        ? ({ kind: 'failure', error: { name: 'E', message: name }, isFinal: true } as const)
        : ({
            kind: 'success',
            resultJson: JSON.stringify({ by: name, attempt: job.attempt }),
          } as const)
    await completeJob(deps, { job, outcome, retry: null, logs: [] })
  }
}

const loseLeases = (db: Database) =>
  db.write([sql`UPDATE jobs SET lease_until = 1 WHERE status = 'running'`])
const makeDue = (db: Database) =>
  db.write([sql`UPDATE schedules SET next_fire_at = next_fire_at - ${2 * HOUR} WHERE enabled = 1`])

const terminal = async (): Promise<ReadonlyMap<string, string>> => {
  const rows = await queue.db.all(
    sql`SELECT id, status, result, attempt FROM jobs WHERE completed_at IS NOT NULL`,
  )
  return new Map(rows.map((row) => [String(row.id), JSON.stringify(row)]))
}

test('in whatever order things happen, each job ends once and each slot is fired once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.nat(4), { minLength: 3, maxLength: 6 }),
      fc.nat(3),
      async (chance, fates, cancels) => {
        await queue.db.write([
          sql`DELETE FROM schedules`,
          sql`DELETE FROM schedule_slots`,
          sql`DELETE FROM jobs`,
          sql`DELETE FROM ledger`,
        ])
        const made = await Promise.all([1, 2, 3, 4].map(() => queue.enqueue()))
        const request = {
          app: 'hello',
          action: 'greet',
          flow: null,
          cron: '@every 1h',
          timezone: 'UTC',
          input: {},
          enabled: true,
          overlap: 'allow' as const,
        }
        const schedule = await createSchedule(queue.deps, { ws: WS, actor: CLI_ACTOR, request })
        await makeDue(queue.db)

        let seen = new Map<string, string>()
        const db = inTurns(queue.db, async (name) => {
          await chance.schedule(Promise.resolve(), name)
          const now = await terminal()
          // an ended job does not change any more
          for (const [id, row] of seen) expect(now.get(id)).toBe(row)
          seen = new Map(now)
        })
        const deps = { ...queue.deps, db }
        const fire = () =>
          fireDueSchedules({ ...deps, gate: createQueueGate(deps) }, { graceMs: 0 })
        const programs = [
          ...fates.map((fate, at) => beWorker(deps, `w${at}`, fate)),
          rescueJobs(deps),
          rescueJobs(deps),
          fire(),
          fire(),
          fire(),
          loseLeases(db),
          loseLeases(db),
          makeDue(db),
          ...made
            .slice(0, cancels)
            .map((id) => cancelJob(deps, { ws: WS, id, caller: adminSession(BY), reason: null })),
        ]
        await chance.waitFor(Promise.all(programs))

        // if a slot moved while a scheduler fired it, the next scheduler fires it
        const gate = createQueueGate(queue.deps)
        await fireDueSchedules({ ...queue.deps, gate }, { graceMs: 0 })
        // rescue the jobs of dead workers until all jobs have ended
        for (let round = 0; round < 12; round += 1) {
          await loseLeases(queue.db)
          await rescueJobs(queue.deps)
          await beWorker(queue.deps, 'last', 4)
        }
        const jobs = await queue.db.all(
          sql`SELECT id, status, attempt, crash_count, crash_limit, result,
               (SELECT count(*) FROM ledger l WHERE l.job_id = jobs.id AND l.outcome = jobs.status) AS bills
             FROM jobs`,
        )
        for (const job of jobs) {
          expect(['success', 'failure', 'canceled']).toContain(job.status)
          expect(job.bills).toBe(1)
          const result = JSON.parse(String(job.result))
          if (job.status === 'success') expect(result.attempt).toBe(job.attempt)
          if (result.name === 'WorkerLost') expect(job.crash_count).toBe(job.crash_limit)
        }
        expect(jobs.map(({ id }) => id)).toEqual(expect.arrayContaining(made))
        const slots = await queue.db.all(
          sql`SELECT slot, job_id FROM schedule_slots WHERE outcome = 'fired'`,
        )
        const fired = jobs.filter(({ id }) => !made.includes(String(id)))
        expect(slots.map(({ job_id }) => job_id).toSorted()).toEqual(
          fired.map(({ id }) => id).toSorted(),
        )
        expect(slots.length).toBeGreaterThan(0)
        const [row] = await queue.db.all(
          sql`SELECT last_job_id FROM schedules WHERE id = ${schedule.id}`,
        )
        expect(slots.map(({ job_id }) => job_id)).toContain(row?.last_job_id)
      },
    ),
    { numRuns: runs({ short: 200, long: 1_000 }) },
  )
}, 120_000)
