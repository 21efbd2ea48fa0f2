/** What must be true of the database and of the witness's ledger, whatever was killed at whatever time (targets, invariants). */
import type { Database } from '#store/database.ts'
import { auditDurable } from './durable.ts'
import { auditEffects } from './effects.ts'
import type { Finding } from './finding.ts'
import { auditEndedFlows, auditFlows, readRunRows } from './flows.ts'
import type { AuditInput } from './input.ts'
import { readJobRows } from './job-rows.ts'
import { auditEndedJobs, auditJobs } from './jobs.ts'
import { auditProgress, type ProgressInput } from './progress.ts'
import { auditSchedules } from './schedules.ts'
import { auditStarts } from './starts.ts'
import { auditFile, auditRestingState, auditState } from './state.ts'

/** What callers were promised before the database is read, and must therefore be in it. */
const before = (input: AuditInput): AuditInput => {
  const { jobs, flows, functions, durable } = input.ledgers
  return {
    ...input,
    sightings: [...input.witness.sightings],
    steps: [...input.witness.steps],
    ledgers: {
      jobs: {
        acknowledged: new Map(jobs.acknowledged),
        keyed: new Set(jobs.keyed),
        heard: new Map(jobs.heard),
      },
      flows: { started: new Map(flows.started), answers: [...flows.answers] },
      functions: { kept: new Set(functions.kept) },
      durable: {
        requested: durable.requested,
        acknowledged: new Map(durable.acknowledged),
        sent: new Set(durable.sent),
      },
    },
  }
}

/** The invariants that hold at any moment of the run. */
export const auditNow = async (db: Database, now: AuditInput): Promise<readonly Finding[]> => {
  const input = before(now)
  const jobs = await readJobRows(db)
  // jobs of a run may be created between the two reads; these are ignored
  const runs = await readRunRows(db)
  return [
    ...auditJobs(input, jobs),
    ...auditEffects(input, jobs),
    ...auditFlows(input, jobs, runs),
    ...(await auditDurable(input, { jobs, runs }, db)),
    ...(await auditSchedules(db)),
    ...(await auditState(input, db)),
    {
      invariant: '–',
      what: 'callers received only responses of the contract',
      violations: input.answers.faults,
    },
    {
      invariant: 'I9',
      what: 'no node ended by itself, and each that was stopped exited with 0',
      violations: input.badEnds,
    },
  ]
}

/** The invariants that hold once everything has come to rest. */
export const auditAtRest = async (
  db: Database,
  input: AuditInput,
  progress: ProgressInput,
): Promise<readonly Finding[]> => {
  const jobs = await readJobRows(db)
  return [
    ...(await auditNow(db, input)),
    ...auditEndedJobs(input, jobs),
    ...auditEndedFlows(await readRunRows(db)),
    ...(await auditRestingState(input, db)),
    ...(await auditFile(db)),
    auditStarts(input),
    ...auditProgress(before(input), jobs, progress),
  ]
}
