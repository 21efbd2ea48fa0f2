/** Reads the progress of a run again and again. A run may have a million jobs, so the steps are counted one by one. */
import type { RunStatus, StepStatus } from '#core/flow/run.ts'
import { countStepJobs, findRunStatus, type StepJobs } from '#store/flows/run-progress.ts'
import { type FlowStepStatus, listStepStatuses } from '#store/flows/steps.ts'
import type { Deps } from '../deps.ts'
import { takeTurn } from '../portions/take-turn.ts'

export type StepProgress = FlowStepStatus & StepJobs

export type RunProgress = Readonly<{ status: RunStatus; steps: readonly StepProgress[] }>

const OPEN: ReadonlySet<StepStatus> = new Set(['pending', 'running', 'waiting_approval'])

/** Whether the jobs of the step change no more. A job of a canceled step may still run. */
const isSettled = ({ status, done, total }: StepProgress): boolean =>
  !OPEN.has(status) && done === total

/**
 * Reads the status of a run and of its steps.
 * @param seen what was read before: its settled steps are not counted again
 * @returns null if the workspace has no such run
 */
export const readProgress = async (
  { db }: Pick<Deps, 'db'>,
  { ws, id: runId }: Readonly<{ ws: string; id: string }>,
  seen: RunProgress | null,
): Promise<RunProgress | null> => {
  const status = await findRunStatus(db, ws, runId)
  if (status === null) return null
  const settled = new Map(seen?.steps.filter(isSettled).map((step) => [step.index, step]))
  const steps: StepProgress[] = []
  for (const step of await listStepStatuses(db, runId)) {
    const known = settled.get(step.index)
    if (known === undefined) await takeTurn()
    steps.push(known ?? { ...step, ...(await countStepJobs(db, { runId, index: step.index })) })
  }
  return { status, steps }
}
