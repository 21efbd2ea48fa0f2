/** Jobs: what was promised, how they ended, and the records of each attempt. */
import { z } from 'zod'
import { type Finding, violationsOf } from './finding.ts'
import type { AuditInput } from './input.ts'
import { describeJob, type JobRow } from './job-rows.ts'

const TERMINAL = ['success', 'failure', 'canceled']
const hasEnded = ({ status }: JobRow): boolean => TERMINAL.includes(status)
const result = z.object({ id: z.number(), attempt: z.number() })
const failure = z.object({ name: z.string(), message: z.string() })

const nameOfFailure = ({ result: text }: JobRow): string =>
  failure.safeParse(JSON.parse(text ?? 'null')).data?.name ?? ''

/** Whether the result names the attempt that wrote it. The result of a flow's child is encrypted. */
const tellsAttempt = ({ status, flow_run_id: run }: JobRow): boolean =>
  status === 'success' && run === null

const isWrittenByItsAttempt = (job: JobRow): boolean => {
  const written = result.safeParse(JSON.parse(job.result ?? 'null')).data
  return written?.attempt === job.attempt && written.id === job.number
}

/** Whether every attempt but the last is recorded. The job itself contains the last. */
const hasEarlierAttempts = ({ attempt, attempts }: JobRow): boolean => {
  const recorded = new Set(attempts.map((each) => each.attempt))
  return Array.from({ length: Math.max(attempt - 1, 0) }, (_, at) => at + 1).every((each) =>
    recorded.has(each),
  )
}

const countsFit = ({
  attempts,
  crash_count: crashes,
  failure_count: failures,
}: JobRow): boolean => {
  const count = (outcome: string) => attempts.filter((each) => each.outcome === outcome).length
  return count('worker_lost') === crashes && count('failure') === failures
}

/** Whether the job failed by its own error. A guest that was killed or paused fails its own job, and no other. */
const failedOfItself = (job: JobRow): boolean =>
  ['flaky', 'stumble'].includes(job.action) && /always|stumbled/.test(job.result ?? '')

/** The invariants that hold at any moment. */
export const auditJobs = (
  { ledgers, guestFaults }: AuditInput,
  jobs: readonly JobRow[],
): readonly Finding[] => {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const byNumber = Map.groupBy(jobs, ({ number }) => number)
  const failures = jobs.filter(
    (job) => job.status === 'failure' && job.flow_run_id === null && !failedOfItself(job),
  )
  const ofGuests = failures.filter((job) => nameOfFailure(job) === 'SandboxCrashed')
  return [
    {
      invariant: 'I13',
      what: `${ledgers.jobs.acknowledged.size} acknowledged jobs are there`,
      violations: violationsOf(
        ledgers.jobs.acknowledged.values(),
        (id) => byId.has(id),
        (id) => id,
      ),
    },
    {
      invariant: 'I13',
      what: `${ledgers.jobs.keyed.size} idempotency keys, each sent twice at once, made one job each`,
      violations: violationsOf(
        ledgers.jobs.keyed,
        (number) => (byNumber.get(number)?.length ?? 0) <= 1,
        (number) => `number ${number}: ${byNumber.get(number)?.map(({ id }) => id)}`,
      ),
    },
    {
      invariant: 'I1',
      what: 'each ended job was billed once, by the outcome that it has; no other was',
      violations: violationsOf(
        jobs,
        (job) => (hasEnded(job) ? job.bills === 1 && job.outcome === job.status : job.bills === 0),
        describeJob,
      ),
    },
    {
      invariant: 'I1',
      what: `${ledgers.jobs.heard.size} ends that callers received equal those in the database`,
      violations: violationsOf(
        ledgers.jobs.heard,
        ([id, { status, result: text }]) => {
          const job = byId.get(id)
          return job?.status === status && JSON.stringify(JSON.parse(job.result ?? 'null')) === text
        },
        ([id, heard]) => `${id} was received as ${JSON.stringify(heard)}`,
      ),
    },
    {
      invariant: 'I1',
      what: 'a success was written by the attempt that the job counts, never by an earlier one',
      violations: violationsOf(jobs.filter(tellsAttempt), isWrittenByItsAttempt, describeJob),
    },
    {
      invariant: 'I3',
      what: 'each attempt before the last is on record with how it ended, and the counts fit',
      violations: violationsOf(
        jobs,
        (job) => hasEarlierAttempts(job) && countsFit(job),
        (job) => `${describeJob(job)} with ${JSON.stringify(job.attempts)}`,
      ),
    },
    {
      invariant: 'I9',
      what: `no job failed of anything but its script, or its own guest (${ofGuests.length} of ${guestFaults})`,
      violations: [
        ...failures.filter((job) => !ofGuests.includes(job)).map(describeJob),
        ...(ofGuests.length > guestFaults ? ofGuests.map(describeJob) : []),
      ],
    },
  ]
}

/** The invariants that hold once everything has come to rest. */
export const auditEndedJobs = (
  { ledgers }: AuditInput,
  jobs: readonly JobRow[],
): readonly Finding[] => {
  const byNumber = Map.groupBy(jobs, ({ number }) => number)
  return [
    {
      invariant: 'I3',
      what: `${jobs.length} jobs have ended, none was left behind`,
      violations: violationsOf(jobs, hasEnded, describeJob),
    },
    {
      invariant: 'I13',
      what: 'each acknowledged idempotency key has its job',
      violations: violationsOf(
        ledgers.jobs.keyed,
        (number) => !ledgers.jobs.acknowledged.has(number) || byNumber.get(number)?.length === 1,
        String,
      ),
    },
  ]
}
