/**
 * Cancels what a step has under way. Few subflow runs end in the same write. Many would occupy the database for seconds, so they
 * are marked, and each is ended by a transition of its own.
 */
import type { FlowEffect } from '#core/flow/run-state.ts'
import type { Statement } from '#store/database.ts'
import {
  type CancelChildren,
  cancelStepJobs,
  cancelSubflows,
  listOpenBelow,
  listOpenRunJobs,
  listOpenStepJobs,
  listRunSlotSizes,
  markSubflows,
} from '#store/flows/cancel-children.ts'
import { weighing } from '#store/sql.ts'
import type { Deps } from '../deps.ts'
import { findCalledJobs } from '../queue/called-jobs.ts'
import { guardOf, type Plan, type PlannedRun } from './planned-run.ts'
import { deleteSlots } from './stored-slots.ts'

/** Subflow runs that one write ends, with up to so many items that have not begun. */
const FEW = 20
/** Their jobs and the bytes of their items, each of which takes about 10 ms. */
const FEW_JOBS = 250
const FEW_BYTES = 1_048_576
/** Rows that one statement changes while another writes a row on its own. */
const ROWS_PER_WEIGHT = 2

/** States that each statement changes so many rows, so that a write that ends children of many runs is divided. */
const weighingRows = (rows: number, statements: readonly Statement[]): readonly Statement[] =>
  statements.map((statement) =>
    weighing(Math.max(statement.weight ?? 1, rows / ROWS_PER_WEIGHT), statement),
  )

/** @returns the runs and their open jobs; null if the runs below the step, their jobs or their items are many */
const findFewBelow = async (
  { db }: Pick<Deps, 'db'>,
  step: CancelChildren,
): Promise<Readonly<{ runs: readonly string[]; jobs: readonly string[] }> | null> => {
  const runs = await listOpenBelow(db, step, FEW + 1)
  if (runs.length > FEW) return null
  const sizes = await listRunSlotSizes(db, runs, FEW + 1)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (sizes.length > FEW || bytes > FEW_BYTES) return null
  const jobs = await listOpenRunJobs(db, { ws: step.ws, runs, limit: FEW_JOBS + 1 })
  return jobs.length > FEW_JOBS ? null : { runs, jobs }
}

const endSubflows = async (
  deps: Pick<Deps, 'db'>,
  cancel: CancelChildren,
  guard: Statement,
): Promise<readonly Statement[]> => {
  const few = await findFewBelow(deps, cancel)
  if (few === null) return [markSubflows(cancel, guard)]
  const { runs, jobs } = few
  const known = await findCalledJobs(deps, cancel.ws, jobs)
  return weighingRows(runs.length + jobs.length, cancelSubflows(cancel, known, guard))
}

export const cancelChildren = async (
  deps: Pick<Deps, 'db'>,
  plan: Plan,
  { ws, id: runId }: PlannedRun,
  { index, below }: Extract<FlowEffect, { kind: 'cancel_children' }>,
): Promise<readonly Statement[]> => {
  const guard = guardOf(plan)
  const why = { by: `flow:${runId}`, reason: 'The flow run needs it no more.' }
  const cancel = { ws, runId, index, ...why }
  const jobs = await listOpenStepJobs(deps.db, cancel)
  const known = await findCalledJobs(deps, ws, jobs)
  return [
    ...weighingRows(jobs.length, cancelStepJobs(cancel, known, guard)),
    ...(await deleteSlots(deps, cancel, guard)),
    ...(below === 'end' ? await endSubflows(deps, cancel, guard) : []),
    ...(below === 'unwind' ? [markSubflows(cancel, guard)] : []),
  ]
}
