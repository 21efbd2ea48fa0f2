/** Reads the jobs and subflow runs of a run by step: a loop may have 10,000 items, and a flow a hundred loops. */
import {
  type ChildRun,
  listChildRuns,
  listRunJobs,
  type StepJob,
} from '#store/jobs/flow-children.ts'
import type { Deps } from '../deps.ts'
import { readInPortions } from '../portions/read-portions.ts'

/** Children of one statement, read in up to 3 ms if their results are small. */
const CHILDREN_AT_ONCE = 500

export type StepChildren = Readonly<{
  /** By item and attempt. */
  jobs: readonly StepJob[]
  /** By item. */
  runs: readonly ChildRun[]
}>

/** @returns the children of a step, by its index */
export const readStepChildren = async (
  { db }: Pick<Deps, 'db'>,
  { ws, id: runId }: Readonly<{ ws: string; id: string }>,
): Promise<(index: number) => StepChildren> => {
  const jobs = await readInPortions<StepJob>(db, CHILDREN_AT_ONCE, (after, limit) =>
    listRunJobs(db, { ws, runId, after, limit }),
  )
  const runs = await readInPortions<ChildRun>(db, CHILDREN_AT_ONCE, (after, limit) =>
    listChildRuns(db, { ws, runId, after, limit }),
  )
  const jobsOf = byStep(jobs)
  const runsOf = byStep(runs)
  return (index) => ({
    jobs: (jobsOf.get(index) ?? []).toSorted((a, b) => a.slot - b.slot || a.attempt - b.attempt),
    runs: (runsOf.get(index) ?? []).toSorted((a, b) => a.slot - b.slot),
  })
}

const byStep = <Child extends Readonly<{ index: number }>>(children: readonly Child[]) =>
  Map.groupBy(children, ({ index }) => index)
