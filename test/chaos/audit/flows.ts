/** Flow runs and their approvals. */
import { z } from 'zod'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { NEEDED_APPROVALS, SIGN_INDEX } from '../app.ts'
import { type Finding, violationsOf } from './finding.ts'
import type { AuditInput } from './input.ts'
import type { JobRow } from './job-rows.ts'

const runRow = z.object({
  id: z.string(),
  flow: z.enum(['signed', 'called']),
  /** The durable job that called it. */
  canceled_with: z.string().nullable(),
  status: z.string(),
  step_index: z.number(),
  completed_at: z.number().nullable(),
  steps: z.string().transform((text) => steps.parse(JSON.parse(text))),
  answers: z.string().transform((text) => answers.parse(JSON.parse(text))),
  open_children: z.number(),
})
export type RunRow = z.infer<typeof runRow>

const steps = z.array(
  z.object({ at: z.number(), status: z.string(), completed_at: z.number().nullable() }),
)
const answers = z.array(
  z.object({ approver: z.string(), decision: z.enum(['approve', 'reject']), at: z.number() }),
)

const STEPS = { signed: 4, called: 1 } as const

/** Reads in one statement, so that a run and its children are from the same moment. */
export const readRunRows = async (db: Database): Promise<readonly RunRow[]> =>
  z.array(runRow).parse(
    await db.all(
      sql`SELECT id, flow, canceled_with, status, step_index, completed_at,
           (SELECT json_group_array(json_object('at', step_index, 'status', status, 'completed_at', completed_at))
            FROM flow_steps s WHERE s.run_id = r.id) AS steps,
           (SELECT json_group_array(json_object('approver', approver, 'decision', decision, 'at', at))
            FROM approvals a WHERE a.run_id = r.id) AS answers,
           (SELECT count(*) FROM jobs j WHERE j.flow_run_id = r.id AND j.completed_at IS NULL) AS open_children
         FROM flow_runs r`,
    ),
  )

const describeRun = ({ id, status, step_index: at, answers: given, open_children: open }: RunRow) =>
  `${id} ${status} at step ${at}, ${open} open jobs, answers ${JSON.stringify(given)}`

const count = ({ answers: given }: RunRow, decision: string): number =>
  given.filter((each) => each.decision === decision).length

const signOf = (run: RunRow): string =>
  run.steps.find(({ at }) => at === SIGN_INDEX)?.status ?? 'not reached'

/** Whether the rows of the approvals match the status of the step. */
const approvalsFit = (run: RunRow): boolean => {
  const [approvals, rejections] = [count(run, 'approve'), count(run, 'reject')]
  switch (signOf(run)) {
    case 'success':
      return approvals === NEEDED_APPROVALS && rejections === 0
    case 'rejected':
      return approvals < NEEDED_APPROVALS && rejections === 1
    case 'waiting_approval':
      return approvals < NEEDED_APPROVALS && rejections === 0
    default:
      return run.answers.length === 0
  }
}

/** A run that waits for its time or for a slot has not begun: its step is -1. */
const isUnderWay = ({ status, step_index: at }: RunRow): boolean => status === 'running' && at >= 0

const childrenFit = (run: RunRow): boolean => isUnderWay(run) === run.open_children > 0

const stepsFit = (run: RunRow): boolean => {
  if (run.completed_at === null) return true
  const areEnded = run.steps.every(({ completed_at: at }) => at !== null)
  const isWhole =
    run.steps.length === STEPS[run.flow] && run.steps.every(({ status }) => status === 'success')
  return areEnded && (run.status !== 'completed' || isWhole)
}

const slotOf = ({ flow_run_id, flow_index, flow_slot }: JobRow): string =>
  `${flow_run_id} step ${flow_index} item ${flow_slot}`

const secondApprovalAt = ({ answers: given }: RunRow): number =>
  given.map(({ at }) => at).toSorted((a, b) => a - b)[NEEDED_APPROVALS - 1] ??
  Number.POSITIVE_INFINITY

export const auditFlows = (
  { ledgers, sightings }: AuditInput,
  jobs: readonly JobRow[],
  runs: readonly RunRow[],
): readonly Finding[] => {
  const byId = new Map(runs.map((run) => [run.id, run]))
  const children = jobs.filter((job) => job.flow_run_id !== null)
  const successes = children.filter(({ status }) => status === 'success')
  const runOf = new Map(children.map((job) => [job.id, byId.get(job.flow_run_id ?? '')]))
  const finishes = sightings.filter(({ label }) => label === 'finish')
  return [
    {
      invariant: 'I13',
      what: `${ledgers.flows.started.size} acknowledged flow runs are there`,
      violations: violationsOf(
        ledgers.flows.started.values(),
        (id) => byId.has(id),
        (id) => id,
      ),
    },
    {
      invariant: 'I13',
      what: `${ledgers.flows.answers.length} acknowledged answers to approvals are on record, once each`,
      violations: violationsOf(
        Map.groupBy(ledgers.flows.answers, ({ run, approver }) => `${run} ${approver}`).values(),
        ([first, ...more]) =>
          more.length === 0 &&
          (byId
            .get(first?.run ?? '')
            ?.answers.some(
              ({ approver, decision }) =>
                approver === first?.approver && decision === first.decision,
            ) ??
            false),
        (given) => JSON.stringify(given),
      ),
    },
    {
      invariant: 'I2',
      what: 'a run that is under way has a job; one that has not begun, waits for people or has ended has none',
      violations: violationsOf(runs, childrenFit, describeRun),
    },
    {
      invariant: 'I2',
      what: `${successes.length} parts of steps were done once each, and ended runs have no open step`,
      violations: [
        ...violationsOf(
          Map.groupBy(successes, slotOf),
          ([, done]) => done.length === 1,
          ([slot, done]) => `${slot}: ${done.map(({ id }) => id)}`,
        ),
        ...violationsOf(
          Map.groupBy(children, (job) => `${slotOf(job)} attempt ${job.flow_attempt}`),
          ([, tries]) => tries.length === 1,
          ([slot, tries]) => `${slot}: ${tries.map(({ id }) => id)}`,
        ),
        ...violationsOf(runs, stepsFit, describeRun),
      ],
    },
    {
      invariant: 'I7',
      what: `an approval step is over with ${NEEDED_APPROVALS} people's approvals or one rejection, not sooner, not later`,
      violations: violationsOf(runs, approvalsFit, describeRun),
    },
    {
      invariant: 'I7',
      what: `${finishes.length} effects behind an approval came after it`,
      violations: violationsOf(
        finishes.filter(({ job }) => runOf.get(job) !== undefined),
        ({ job, beganAt }) => {
          const run = runOf.get(job)
          return run !== undefined && signOf(run) === 'success' && secondApprovalAt(run) <= beganAt
        },
        ({ job }) => `${job}: ${describeRunOf(runOf.get(job))}`,
      ),
    },
  ]
}

const describeRunOf = (run: RunRow | undefined): string => (run ? describeRun(run) : 'no run')

export const auditEndedFlows = (runs: readonly RunRow[]): readonly Finding[] => [
  {
    invariant: 'I3',
    what: `${runs.length} flow runs have ended: completed, or failed by a rejection`,
    violations: violationsOf(
      runs,
      (run) =>
        run.status === 'completed' || (run.status === 'failed' && signOf(run) === 'rejected'),
      describeRun,
    ),
  },
]
