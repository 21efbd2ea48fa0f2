/** What must be true of the database after a chaos run, whatever was killed when (targets, invariants). */
import { z } from 'zod'
import { type Database, sql } from '#store/database.ts'
import { auditSlots } from '../e2e/fleet.ts'
import type { Ledger } from './load.ts'

export type Finding = Readonly<{
  invariant: string
  what: string
  /** Empty: it holds. */
  violations: readonly string[]
}>

const jobRow = z.object({
  id: z.string(),
  status: z.string(),
  action: z.string(),
  attempt: z.number(),
  result: z.string().nullable(),
  number: z.number().nullable(),
  bills: z.number(),
  outcome: z.string().nullable(),
})
type JobRow = z.infer<typeof jobRow>

const result = z.object({ id: z.number(), attempt: z.number() })

const readJobs = async (db: Database): Promise<readonly JobRow[]> =>
  z.array(jobRow).parse(
    await db.all(
      sql(
        `SELECT id, status, action, attempt, result,
           (SELECT input ->> '$.id' FROM job_inputs i WHERE i.job_id = jobs.id) AS number,
           (SELECT count(*) FROM ledger l WHERE l.job_id = jobs.id) AS bills,
           (SELECT outcome FROM ledger l WHERE l.job_id = jobs.id) AS outcome
         FROM jobs`,
      ),
    ),
  )

/** At most so many are named. */
const SHOWN = 5

const violations = <T>(
  values: Iterable<T>,
  isFine: (value: T) => boolean,
  describe: (value: T) => string,
): readonly string[] => [...values].filter((value) => !isFine(value)).map(describe)

const describeJob = ({ id, status, action, attempt, result: text }: JobRow): string =>
  `${id} ${action} ${status} attempt ${attempt} ${text}`

export const auditChaos = async (
  db: Database,
  ledger: Ledger,
  { mostRunning }: Readonly<{ mostRunning: number }>,
): Promise<readonly Finding[]> => {
  const jobs = await readJobs(db)
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const byNumber = Map.groupBy(jobs, ({ number }) => number)
  const slots = await auditSlots(db, 1_000)
  const integrity = await db.one(sql('SELECT 1 AS ok'))
  return [
    {
      invariant: 'I13',
      what: `${ledger.acknowledged.size} acknowledged jobs are there`,
      violations: violations(
        ledger.acknowledged.values(),
        (id) => byId.has(id),
        (id) => id,
      ),
    },
    {
      invariant: 'I3',
      what: `${jobs.length} jobs have ended, none was left behind`,
      violations: violations(
        jobs,
        ({ status }) => ['success', 'failure', 'canceled'].includes(status),
        describeJob,
      ),
    },
    {
      invariant: 'I1',
      what: 'each was billed once, by the outcome that it has',
      violations: violations(
        jobs,
        ({ bills, status, outcome }) => bills === 1 && outcome === status,
        describeJob,
      ),
    },
    {
      invariant: 'I1',
      what: `${ledger.heard.size} results that callers saw are what the database holds`,
      violations: violations(
        ledger.heard,
        ([id, { status, result: text }]) => {
          const job = byId.get(id)
          return job?.status === status && JSON.stringify(JSON.parse(job.result ?? 'null')) === text
        },
        ([id, heard]) => `${id} was heard as ${JSON.stringify(heard)}`,
      ),
    },
    {
      invariant: 'I1',
      what: 'a success was written by the attempt that the job counts, never by an earlier one',
      violations: violations(
        jobs.filter(({ status, number }) => status === 'success' && number !== null),
        (job) => {
          const written = result.parse(JSON.parse(job.result ?? 'null'))
          return written.attempt === job.attempt && written.id === job.number
        },
        describeJob,
      ),
    },
    {
      invariant: 'I3',
      what: 'no job failed of anything but its own script',
      violations: violations(
        jobs.filter(({ status }) => status === 'failure'),
        (job) => job.action === 'flaky' && (job.result ?? '').includes('always'),
        describeJob,
      ),
    },
    {
      invariant: 'I13',
      what: `${ledger.keyed.size} requests under an idempotency key made one job each`,
      violations: violations(
        ledger.keyed,
        (number) =>
          (byNumber.get(number)?.length ?? 0) === (ledger.acknowledged.has(number) ? 1 : 0) ||
          (!ledger.acknowledged.has(number) && byNumber.get(number)?.length === 1),
        (number) => `number ${number}: ${byNumber.get(number)?.map(({ id }) => id)}`,
      ),
    },
    {
      invariant: 'I4',
      what: 'of a concurrency key with the limit 2 never more than 2 ran',
      violations: mostRunning <= 2 ? [] : [`${mostRunning} ran`],
    },
    {
      invariant: 'I5',
      what: `${slots.fired} slots fired once with their job and none too soon, ${slots.skipped} skipped on record`,
      violations: slots.tooSoon === 0 && slots.fired === slots.jobs ? [] : [JSON.stringify(slots)],
    },
    {
      invariant: '–',
      what: 'callers heard nothing but answers of the contract',
      violations: ledger.faults,
    },
    {
      invariant: '–',
      what: 'the database answers',
      violations: integrity === null ? ['it does not'] : [],
    },
  ]
}

export const printFindings = (findings: readonly Finding[]): string =>
  findings
    .map(({ invariant, what, violations: found }) => {
      const head = `${found.length === 0 ? 'ok  ' : 'FAIL'} ${invariant.padEnd(4)} ${what}`
      return [head, ...found.slice(0, SHOWN).map((text) => `       ${text}`)].join('\n')
    })
    .join('\n')
