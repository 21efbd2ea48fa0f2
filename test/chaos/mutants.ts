/**
 * Faults that are planted into a copy of the source, one at a time, to show that the chaos run finds them. A place is a
 * short text that occurs once in its file. If it no longer does, planting fails and names the fault to repair.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Edit = Readonly<{
  /** Relative to the root of the source. */
  file: string
  /** The beginning of the declaration that contains the place, if `find` occurs several times in the file. */
  after?: string
  find: string
  replace: string
}>

export type Mutant = Readonly<{
  name: string
  /** What svc no longer does. */
  what: string
  edits: readonly Edit[]
  /** Whether it shows only if a workspace is moved between cells. */
  needsCells?: boolean
}>

const END = 'internal/store/jobs/end.ts'
const LEASE = 'internal/store/jobs/lease.ts'
const RESCUE = 'internal/store/jobs/rescue.ts'
const FIRE_TIMES = 'internal/store/schedules/fire-times.ts'
const FLOW_RUNS = 'internal/store/flows/runs.ts'
const SUSPEND = 'internal/store/jobs/suspend.ts'
const MOVE = 'internal/service/cells/move-workspace.ts'
const SWEEPS = 'internal/store/sweeps.ts'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'unfenced-end',
    what: 'completeJobs asks for the attempt that ends the job',
    edits: [
      {
        file: END,
        after: 'export const completeJobs',
        find: ' AND jobs.attempt = ends.attempt',
        replace: '',
      },
      {
        file: END,
        after: 'const COMPLETE_ONE',
        find: ' AND jobs.attempt = ?3',
        replace: ' AND ?3 IS NOT NULL',
      },
    ],
  },
  {
    name: 'unguarded-fire-time',
    what: 'a schedule is fired only while it is due and unfired',
    edits: [
      {
        file: FIRE_TIMES,
        after: 'export const isFireTimeDue',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        find: 's.id = ${id} AND s.version = ${version} AND s.enabled = 1',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        replace: '1 OR s.id = ${id}',
      },
      {
        file: FIRE_TIMES,
        after: 'export const isFireTimeDue',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        find: 'AND NOT EXISTS (SELECT 1 FROM schedule_slots WHERE schedule_id = ${id} AND slot = ${fireTime})',
        replace: '',
      },
    ],
  },
  {
    name: 'unchecked-lease',
    what: 'a job is taken back only when its lease has run out',
    edits: [
      {
        file: RESCUE,
        after: 'export const listLostJobs',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        find: 'min(COALESCE(${asOf}, ${SQL_NOW}), ${SQL_NOW}) - 1',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        replace: '${SQL_NOW} + 1000000000000',
      },
      {
        file: 'internal/store/jobs/guards.ts',
        after: 'export const isLostRow',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        find: 'lease_until < ${SQL_NOW}',
        replace: 'lease_until IS NOT NULL',
      },
    ],
  },
  {
    name: 'no-idempotency',
    what: 'of requests with one idempotency key only the first makes a job',
    edits: [
      {
        file: 'internal/service/queue/enqueue-job.ts',
        find: 'allOf(\n    holdsKey,\n    grantOf(request),',
        replace: 'allOf(\n    grantOf(request),',
      },
    ],
  },
  {
    name: 'early-ack',
    what: 'a job is acknowledged when it is durable',
    edits: [
      {
        file: 'internal/service/queue/enqueue-job.ts',
        after: "deps.passFault('enqueue_before_commit')",
        find: 'const { job } = await deps.db.write(batch, { retry: true, ...along })',
        replace: `if (request.idempotency === undefined) {
    void deps.db.write(batch, { retry: true }).catch(() => undefined)
    return { jobId, replayed: false }
  }
  const { job } = await deps.db.write(batch, { retry: true, ...along })`,
      },
    ],
  },
  {
    name: 'unfenced-retry',
    what: 'only the attempt that holds a job queues it again',
    edits: [
      {
        file: END,
        after: 'export const retryJob',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        find: '${isAttempt(claim)}',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        replace: 'jobs.ws = ${claim.ws} AND jobs.id = ${claim.id}',
      },
    ],
  },
  {
    name: 'approved-twice',
    what: 'one person counts once at an approval',
    edits: [
      {
        file: 'internal/core/flow/approval/decide.ts',
        find: 'if (given.some(',
        replace: 'if (given.length > 99 && given.some(',
      },
    ],
  },
  {
    name: 'unguarded-next-fire',
    what: 'the next fire time is moved on only from the one that was fired',
    edits: [
      {
        file: FIRE_TIMES,
        after: 'export const recordFired',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        find: 'WHERE id = ${id} AND next_fire_at = ${fireTime} AND changes() = 1`',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        replace: 'WHERE id = ${id}`',
      },
    ],
  },
  {
    name: 'hasty-schedule',
    what: 'an interval lies between the last fire of @every and the next',
    edits: [
      {
        file: FIRE_TIMES,
        after: 'export const recordFired',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        find: 'COALESCE(${SQL_NOW} + ${everyMs}, ${nextFireAt})',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        replace: 'COALESCE(${SQL_NOW} + ${everyMs} - 400, ${nextFireAt})',
      },
    ],
  },
  {
    name: 'unversioned-flow',
    what: 'a transition is written only onto the version that was read',
    edits: [
      {
        file: FLOW_RUNS,
        after: 'export const updateFlowRun',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        find: 'AND version = ${run.version} AND',
        replace: 'AND',
      },
    ],
  },
  {
    name: 'stubborn-lease',
    what: 'only the claim that holds a job renews its lease',
    edits: [
      {
        file: LEASE,
        after: 'export const renewLeases',
        find: ' AND jobs.claim_id = claims.claim_id',
        replace: '',
      },
      {
        file: LEASE,
        after: 'export const renewLeases',
        find: 'RETURNING jobs.id, jobs.claim_id,',
        replace: 'RETURNING jobs.id, claims.claim_id,',
      },
    ],
  },
  {
    name: 'late-heartbeat',
    what: 'a lease is renewed before it runs out',
    edits: [{ file: 'internal/core/job/lease.ts', find: 'leaseMs / 3', replace: 'leaseMs * 2' }],
  },
  {
    name: 'greedy-retention',
    what: 'retention deletes only jobs that have ended',
    edits: [
      {
        file: SWEEPS,
        after: 'export const listEndedJobs =',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        find: 'completed_at < ${endedBefore}',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        replace: 'COALESCE(completed_at, 0) < ${endedBefore}',
      },
      {
        file: SWEEPS,
        after: 'export const deleteEndedJobs',
        find: ' AND completed_at IS NOT NULL',
        replace: '',
      },
    ],
  },
  {
    name: 'forgotten-steps',
    what: 'a later attempt reads back the steps that have ended',
    edits: [
      {
        file: 'internal/service/durable/open-durable.ts',
        find: 'const isFirst = !mayHaveJournal(job)',
        replace: 'const isFirst = job.attempt > 0',
      },
    ],
  },
  {
    name: 'unended-call',
    what: 'the end of a called flow run ends the step that waits for it',
    edits: [
      {
        file: 'internal/service/flows/effects-to-statements.ts',
        find: 'return [endStepOfRun(called, null, guard), wakeCallerOfRun(called, guard)]',
        replace: 'return [wakeCallerOfRun(called, guard)]',
      },
    ],
  },
  {
    name: 'missed-wake-up',
    what: 'a job goes on when what it waits for came before it was suspended',
    edits: [
      {
        file: SUSPEND,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        find: 'ready: sql`CASE WHEN ${isOver} THEN 1 ELSE 0 END`',
        replace: "ready: raw('0')",
      },
      {
        file: SUSPEND,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        find: 'CASE WHEN ${isOver} THEN ${SQL_NOW} ELSE COALESCE(',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a place in the source
        replace: 'CASE WHEN 0 THEN ${SQL_NOW} ELSE COALESCE(',
      },
    ],
  },
  {
    name: 'unfenced-step',
    what: 'only the attempt that holds a job records its steps',
    edits: [
      {
        file: 'internal/store/jobs/steps.ts',
        after: 'export const mayRecord',
        find: 'EXISTS (SELECT 1 FROM jobs j WHERE',
        replace: '1 OR EXISTS (SELECT 1 FROM jobs j WHERE',
      },
    ],
  },
  {
    name: 'split-transition',
    what: 'the step of a flow ends in the batch that begins the next one',
    edits: [
      {
        file: 'internal/service/flows/write-plan.ts',
        after: 'export const writePlan',
        find: 'const results = await deps.db.write(statements, { retry: true, ...along })',
        replace: `const head = await deps.db.write(statements.slice(0, mainAt + 1), { retry: true })
  const rest = await deps.db.write(statements.slice(mainAt + 1), { retry: true, ...along })
  const results = [...head, ...rest]`,
      },
    ],
  },
  {
    name: 'left-rows',
    what: 'a move removes the rows of the workspace from the cell that it leaves',
    needsCells: true,
    edits: [
      {
        file: MOVE,
        after: 'const cleanUp',
        find: '  await removeFrom(source, held)',
        replace: '',
      },
    ],
  },
  {
    name: 'unheld-move',
    what: 'a workspace that is moved is held where it leaves, and its rows are fenced',
    needsCells: true,
    edits: [
      {
        file: MOVE,
        after: 'const copyAcross',
        find: '  await sides.source.write([holdForMove(held)], { retry: true })',
        replace: '',
      },
      {
        file: MOVE,
        after: 'const copyAcross',
        find: '  if (holder?.fileId !== held.fileId) throw moveEnded(move.ws)',
        replace: '',
      },
      {
        file: MOVE,
        after: 'const copyAcross',
        find: '  await sides.source.write(raiseFence(move.ws), { retry: true })',
        replace: '',
      },
    ],
  },
]

/** @throws {Error} the place is missing or not unique */
const place = (text: string, { file, after, find }: Edit): number => {
  const from = after === undefined ? 0 : text.indexOf(after)
  const next = after === undefined ? -1 : text.indexOf('\nexport ', from + after.length)
  const end = next < 0 ? text.length : next
  const found = from < 0 ? -1 : text.indexOf(find, from)
  const at = found < end ? found : -1
  const isOnly = after !== undefined || text.indexOf(find, at + 1) < 0
  if (at >= 0 && isOnly) return at
  const where = after === undefined ? '' : ` behind ${JSON.stringify(after)}`
  const fault = at < 0 ? 'is not in' : 'stands more than once in'
  throw new Error(
    `The place of a mutant ${fault} ${file}: ${JSON.stringify(find)}${where}. Repair test/chaos/mutants.ts.`,
  )
}

/** The text of a file with the fault in it. */
const plantOne = (text: string, edit: Edit): string => {
  const at = place(text, edit)
  return text.slice(0, at) + edit.replace + text.slice(at + edit.find.length)
}

/**
 * Plants a fault into the source below `root`.
 * @returns a function that removes it again
 * @throws {Error} a place is missing
 */
export const plant = (root: string, { edits }: Mutant): (() => void) => {
  const files = new Map<string, Readonly<{ before: string; after: string }>>()
  for (const edit of edits) {
    const before = files.get(edit.file)?.before ?? readFileSync(join(root, edit.file), 'utf8')
    const text = files.get(edit.file)?.after ?? before
    files.set(edit.file, { before, after: plantOne(text, edit) })
  }
  for (const [file, { after }] of files) writeFileSync(join(root, file), after)
  return () => {
    for (const [file, { before }] of files) writeFileSync(join(root, file), before)
  }
}
