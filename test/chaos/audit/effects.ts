/** Compares what the witness saw with the database, because double runs do harm by their effects. */
import { STOOD_STILL } from '../fault-log.ts'
import type { Sighting } from '../witness.ts'
import { type Finding, violationsOf } from './finding.ts'
import type { AuditInput } from './input.ts'
import { describeJob, type JobRow, scriptAttempt } from './job-rows.ts'

/** Milliseconds beyond the lease, for a loaded machine. */
const SLACK_MS = 1_500
/**
 * Losses without a known cause that a short run may have. It is part of the test suite, whose machine may be busy with
 * other work, so that a worker may not renew its lease of two seconds in time.
 */
const UNCAUSED_IN_SHORT_RUN = 2
/** A lost lease is reported with the faults from this long before its attempt on, in milliseconds. */
const TOLD_MS = 5_000

const keyOf = ({ job, attempt }: Pick<Sighting, 'job' | 'attempt'>): string => `${job}/${attempt}`

const describe = ({ job, attempt, label, beganAt, closedAt }: Sighting): string =>
  `${label} ${job} attempt ${attempt} from ${new Date(beganAt).toISOString()} for ${(closedAt ?? Date.now()) - beganAt} ms`

/**
 * How long an attempt may go on after the next one has begun. Without a renewal its worker ends it before the lease ends,
 * whether the database answers or not. Only a fault of the worker itself or of the machine prolongs that.
 */
const mayRunUntil = (
  { faults, leaseMs }: Pick<AuditInput, 'faults' | 'leaseMs'>,
  {
    worker,
    from,
    nextAt,
    until,
  }: Readonly<Record<'from' | 'nextAt' | 'until', number>> & Readonly<{ worker: string }>,
): number => {
  const stops = faults
    .hit(worker, from, until)
    .filter(({ who, what }) => who === worker || what === STOOD_STILL)
  return Math.max(nextAt, ...stops.map(({ until: end }) => end)) + leaseMs + SLACK_MS
}

/** Attempts that ran on at the same time as their successors, longer than any fault explains. */
const findStubborn = (input: AuditInput, jobs: ReadonlyMap<string, JobRow>): readonly string[] => {
  const stubborn: string[] = []
  for (const [id, seen] of Map.groupBy(input.sightings, ({ job }) => job)) {
    const ordered = seen.toSorted((a, b) => a.attempt - b.attempt)
    for (const [at, earlier] of ordered.entries()) {
      const next = ordered[at + 1]
      const job = jobs.get(id)
      const record = job?.attempts.find(
        ({ attempt }) => scriptAttempt(job, attempt) === earlier.attempt,
      )
      if (next === undefined || record === undefined) continue
      const until = earlier.closedAt ?? Date.now()
      const latest = mayRunUntil(input, {
        worker: record.worker ?? '',
        from: earlier.beganAt,
        nextAt: next.beganAt,
        until,
      })
      if (until > latest) {
        stubborn.push(`${describe(earlier)} beside attempt ${next.attempt}, on ${record.worker}`)
      }
    }
  }
  return stubborn
}

type Loss = Readonly<{
  id: string
  attempt: number
  worker: string
  from: number
  /** The end of its lease. */
  at: number
}>

const lossesOf = (job: JobRow): readonly Loss[] =>
  job.attempts
    .filter(({ outcome }) => outcome === 'worker_lost')
    .map(({ attempt, worker, started_at: from, ended_at: at }) => ({
      id: job.id,
      attempt: scriptAttempt(job, attempt),
      worker: worker ?? '',
      from,
      at,
    }))

/** A loss with what the witness saw of its script, and the faults around it, in milliseconds before the loss. */
const describeLoss = (
  { faults, witness }: AuditInput,
  { id, attempt, worker, from, at }: Loss,
): string => {
  const seen = witness.sightings.find((each) => each.job === id && each.attempt === attempt)
  const script =
    seen === undefined
      ? 'no script was seen'
      : `its script was seen from ${at - seen.beganAt} to ${at - (seen.closedAt ?? Date.now())}`
  const near = faults.spans.filter((span) => span.until >= from - TOLD_MS && span.from <= at)
  const told = near.map(
    (span) => `${span.who} ${span.what} ${at - span.from} to ${at - span.until}`,
  )
  return `${id} attempt ${attempt} on ${worker}, lost ${at - from} ms after its start, ${script}; ${told.join(', ')}`
}

/** The lost leases, and those among them whose worker, database and machine were well. */
const findLosses = (input: AuditInput, jobs: readonly JobRow[]) => {
  const { faults, leaseMs } = input
  const losses = jobs.flatMap(lossesOf)
  // the last renewal took effect one lease before the end, and may have been sent up to one lease before that: a worker
  // counts from when it sends, and ends its job even if a late renewal took effect
  const uncaused = losses.filter(
    ({ worker, at }) => faults.hit(worker, at - 2 * leaseMs, at).length === 0,
  )
  return {
    count: losses.length,
    uncaused: uncaused.map((loss) => describeLoss(input, loss)),
  }
}

/** Seconds in which the machine was too busy, which excuse losses. They show how much the check could detect. */
const busySeconds = ({ faults }: AuditInput): number => {
  const busy = faults.spans.filter(({ who }) => who === 'machine')
  return Math.round(busy.reduce((sum, { from, until }) => sum + until - from, 0) / 1_000)
}

/**
 * A share of the time from the first to the last sighting. If the machine was busy
 * for longer, a short run reports lost leases without judging them.
 */
const MAX_BUSY_SHARE = 0.2

const isTooBusy = (input: AuditInput): boolean => {
  const times = input.sightings.map(({ beganAt }) => beganAt)
  const seconds = (Math.max(...times) - Math.min(...times)) / 1_000
  return input.isShort && busySeconds(input) > seconds * MAX_BUSY_SHARE
}

/** Whether the witness could see the job. `walled` hides its scripts, and of `durable` jobs it sees the steps. */
const isWitnessed = ({ action }: JobRow): boolean => !['walled', 'durable'].includes(action)

export const auditEffects = (input: AuditInput, jobs: readonly JobRow[]): readonly Finding[] => {
  const { sightings, leaseMs } = input
  const byId = new Map(jobs.map((job) => [job.id, job]))
  // everything seen by now, because the database was read a moment ago
  const byAttempt = Map.groupBy(input.witness.sightings, keyOf)
  const losses = findLosses(input, jobs)
  const allowed = input.isShort ? UNCAUSED_IN_SHORT_RUN : 0
  const isJudged = !isTooBusy(input)
  return [
    {
      invariant: 'I1',
      what: `${sightings.length} executions of scripts seen by the witness: no attempt was executed twice`,
      violations: violationsOf(
        byAttempt.values(),
        (seen) => seen.length === 1,
        (seen) => seen.map(describe).join(' and '),
      ),
    },
    {
      invariant: 'I13',
      what: 'every job that the witness saw is in the database',
      violations: violationsOf(sightings, ({ job }) => byId.has(job), describe),
    },
    {
      invariant: 'I1',
      what: 'each success has an execution of the same attempt that reached its last line',
      violations: violationsOf(
        jobs.filter((job) => job.status === 'success' && isWitnessed(job)),
        (job) =>
          byAttempt
            .get(keyOf({ job: job.id, attempt: scriptAttempt(job, job.attempt) }))
            ?.some(({ endedAt }) => endedAt !== null) ?? false,
        describeJob,
      ),
    },
    {
      invariant: 'I14',
      what: `no attempt went on beside its successor for longer than the lease (${leaseMs} ms) explains`,
      violations: findStubborn(input, byId),
    },
    {
      invariant: 'I8',
      what: `of ${losses.count} lost leases ${losses.uncaused.length} had no cause (${busySeconds(input)} s of a machine too busy${isJudged ? '' : ': not judged'})`,
      violations: losses.uncaused.length > allowed && isJudged ? losses.uncaused : [],
    },
  ]
}
