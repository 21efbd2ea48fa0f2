/**
 * Durable jobs: a finished step never runs again, and a wake-up is never lost (invariant I17). The witness saw each run of a
 * step in every attempt, and the database contains the sleeping jobs.
 */
import { z } from 'zod'
import type { Database } from '#store/database.ts'
import { SQL_NOW, sql } from '#store/sql.ts'
import { DURABLE_STEPS, FIRST_CALLED_NUMBER, FIRST_FLOWED_NUMBER } from '../app.ts'
import { mustHear } from '../load/durable.ts'
import type { Sighting, Witness } from '../witness.ts'
import { type Finding, violationsOf } from './finding.ts'
import type { RunRow } from './flows.ts'
import type { AuditInput } from './input.ts'
import { describeJob, type JobRow } from './job-rows.ts'

const rankOf = ({ step }: Sighting): number => (step === null ? -1 : DURABLE_STEPS.indexOf(step))

const describe = ({ job, step, attempt, beganAt }: Sighting): string =>
  `${job} step ${step} in attempt ${attempt} at ${new Date(beganAt).toISOString()}`

/** A mark is code between steps, which runs again on each start. */
const isStep = ({ step }: Sighting): boolean => step !== 'mark'

/**
 * Runs of steps that had already finished. If a later step had begun, this one was recorded by an attempt that held the
 * job. Every later attempt, and this one from then on, must read the record.
 */
const findRunAgain = (seen: readonly Sighting[]): readonly string[] =>
  seen.filter(isStep).flatMap((run) => {
    const later = seen.find(
      (other) =>
        rankOf(other) > rankOf(run) &&
        (other.attempt < run.attempt ||
          (other.attempt === run.attempt && other.beganAt < run.beganAt)),
    )
    return later === undefined ? [] : [`${describe(run)} after ${describe(later)}`]
  })

/**
 * Attempts that went on after a step although their successor had begun before
 * the step ended. The record of the step must have been refused.
 */
const findUnfenced = (seen: readonly Sighting[]): readonly string[] =>
  seen.filter(isStep).flatMap(({ attempt, endedAt, ...run }) => {
    if (endedAt === null) return []
    const successor = seen.find((other) => other.attempt > attempt && other.beganAt < endedAt)
    const next = seen.find(
      (other) => other.attempt === attempt && rankOf(other) > rankOf({ attempt, endedAt, ...run }),
    )
    if (successor === undefined || next === undefined) return []
    return [`${describe(next)} though ${describe(successor)} had begun`]
  })

const result = z.object({
  heard: z.number().nullable(),
  called: z.number().nullable(),
  flowed: z.number(),
  steps: z.array(z.object({ step: z.string(), attempt: z.number() })),
})
const resultOf = (job: JobRow) => result.parse(JSON.parse(job.result ?? 'null'))

const STEPS = DURABLE_STEPS.filter((step) => step !== 'mark')

const didAll = (job: JobRow, seen: readonly Sighting[]): boolean => {
  const { steps } = resultOf(job)
  return STEPS.every((name, at) => {
    const [kept] = steps.slice(at)
    const isKept = (run: Sighting): boolean =>
      run.step === name && run.endedAt !== null && run.attempt === kept?.attempt
    return kept?.step === name && seen.some(isKept)
  })
}

/**
 * Steps that a later attempt ran too, because there was no record when it began, but whose stored result is that of the
 * earlier attempt: its late record was not refused.
 */
const findRecordedLate = (job: JobRow, seen: readonly Sighting[]): readonly string[] =>
  resultOf(job).steps.flatMap((kept) =>
    seen
      .filter(({ step, attempt }) => step === kept.step && attempt > kept.attempt)
      .map((run) => `${describe(run)} has the result of attempt ${kept.attempt}`),
  )

/** Milliseconds from the end of the step before the nap to the beginning of the step after it. */
const napOf = (seen: readonly Sighting[]): number => {
  const ends = seen.filter(({ step }) => step === 'one').flatMap(({ endedAt }) => endedAt ?? [])
  const starts = seen.filter(({ step }) => step === 'two').map(({ beganAt }) => beganAt)
  return Math.min(...starts) - Math.min(...ends)
}

/** Jobs that sleep although their event was delivered, found in one read. A wait whose time is over takes no event. */
const listAsleep = (db: Database) =>
  db.all(sql`SELECT j.id, w.status, w.event_id FROM jobs j
    JOIN event_waits w ON w.owner_id = j.id
    JOIN events e ON e.ws = w.ws AND e.name = w.name AND e.key = w.key AND e.pending = 0
    WHERE j.status = 'queued' AND j.ready = 0 AND j.suspended_kind = 'event'
      AND (w.status = 'received' OR (w.status = 'open' AND (w.timeout_at IS NULL OR w.timeout_at > ${SQL_NOW})))`)

/** Ids of jobs whose wait received an event. */
const listTaken = async (db: Database): Promise<ReadonlySet<string>> => {
  const rows = await db.all(sql`SELECT owner_id FROM event_waits WHERE status = 'received'`)
  return new Set(rows.map(({ owner_id: id }) => String(id)))
}

type DurableInput = Pick<AuditInput, 'steps'> &
  Readonly<{ ledgers: Pick<AuditInput['ledgers'], 'durable'>; witness: Pick<Witness, 'steps'> }>

export const auditDurable = async (
  { ledgers: { durable }, steps, witness }: DurableInput,
  { jobs, runs }: Readonly<{ jobs: readonly JobRow[]; runs: readonly RunRow[] }>,
  db: Database,
): Promise<readonly Finding[]> => {
  const seenOf = Map.groupBy(steps, ({ job }) => job)
  // everything seen by now, because the database was read a moment ago
  const seenByNow = Map.groupBy(witness.steps, ({ job }) => job)
  const ids = new Set(jobs.map(({ id }) => id))
  const ended = jobs.filter(({ action, status }) => action === 'durable' && status === 'success')
  const taken = await listTaken(db)
  const called = jobs.filter(({ number }) => (number ?? 0) >= FIRST_CALLED_NUMBER)
  const flowed = runs.filter(({ flow }) => flow === 'called')
  const all = [...seenOf.values()]
  return [
    {
      invariant: 'I13',
      what: `${durable.acknowledged.size} acknowledged durable jobs are there`,
      violations: violationsOf(durable.acknowledged.values(), (id) => ids.has(id), String),
    },
    {
      invariant: 'I17',
      what: `${steps.filter(isStep).length} executions of durable steps seen by the witness: none that had finished ran again`,
      violations: all.flatMap(findRunAgain),
    },
    {
      invariant: 'I17',
      what: 'no attempt went on behind a step that it ended after its successor had begun',
      violations: all.flatMap(findUnfenced),
    },
    {
      invariant: 'I17',
      what: `behind each step of ${ended.length} durable jobs that succeeded is a run that came to its end`,
      violations: violationsOf(
        ended,
        (job) => didAll(job, seenByNow.get(job.id) ?? []),
        describeJob,
      ),
    },
    {
      invariant: 'I17',
      what: 'no result of a step was recorded by an attempt after its successor had begun',
      violations: ended.flatMap((job) => findRecordedLate(job, seenByNow.get(job.id) ?? [])),
    },
    {
      invariant: 'I17',
      what: 'no sleeping job woke before its time',
      violations: violationsOf(
        ended,
        (job) =>
          napOf(seenByNow.get(job.id) ?? []) >=
          (durable.requested.get(job.number ?? 0)?.napMs ?? 0),
        describeJob,
      ),
    },
    {
      invariant: 'I17',
      what: `of ${durable.sent.size} events none left a job asleep that waits for it`,
      violations: (await listAsleep(db)).map((row) => JSON.stringify(row)),
    },
    {
      invariant: 'I17',
      what: 'a script received the event that its wait took, and no other; with an hour for it, it received one',
      violations: violationsOf(
        ended,
        (job) => {
          const { heard } = resultOf(job)
          const requested = durable.requested.get(job.number ?? 0)
          const isTaken = taken.has(job.id)
          const isWanted = requested !== undefined && mustHear(requested.kind)
          return heard === (isTaken ? job.number : null) && (isTaken || !isWanted)
        },
        describeJob,
      ),
    },
    {
      invariant: 'I17',
      what: `${called.length} jobs that durable ones called were started once each`,
      violations: violationsOf(
        Map.groupBy(called, ({ number }) => number),
        ([, same]) => same.length === 1,
        ([number, same]) => `number ${number}: ${same.map(({ id }) => id)}`,
      ),
    },
    {
      invariant: 'I17',
      what: `${flowed.length} flow runs that durable jobs called were started once for each job`,
      violations: violationsOf(
        Map.groupBy(flowed, ({ canceled_with: job }) => job),
        ([, same]) => same.length === 1,
        ([job, same]) => `job ${job}: ${same.map(({ id }) => id)}`,
      ),
    },
    {
      invariant: 'I17',
      what: 'a script received the result of the flow run that it called',
      violations: violationsOf(
        ended,
        (job) => resultOf(job).flowed === FIRST_FLOWED_NUMBER + (job.number ?? 0),
        describeJob,
      ),
    },
  ]
}
