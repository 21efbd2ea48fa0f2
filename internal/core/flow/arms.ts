/** What became of each arm of a branch, as far as the run has come [flows 2.2, 2.3]. */
import type { JobStatus } from '../job.ts'
import type { FlowData } from './data.ts'
import type { StepStatus } from './run.ts'
import { chooseArm } from './steps/branch-one.ts'
import type { FlowStep } from './steps/opening.ts'

/** `skipped`: the run went another way. */
export type ArmState = Readonly<{ key: string; status: StepStatus }>

export type BranchState = Readonly<{
  status: StepStatus
  /** Of the arms of `branchall`: the last try of each slot. */
  jobs: ReadonlyMap<number, JobStatus>
  /** As the step saw it when the run came there: results of the steps before it. */
  data: FlowData
}>

/** Null: the step has no arms. */
export const armStates = (step: FlowStep, state: BranchState): readonly ArmState[] | null => {
  const { kind, branches = [] } = step
  if (kind !== 'branchone' && kind !== 'branchall') return null
  const { status } = state
  if (status === 'pending' || status === 'skipped') {
    return branches.map(({ key }) => ({ key, status }))
  }
  return kind === 'branchone' ? chosenArms(step, state) : jointArms(step, state)
}

/** Which arm was taken is written nowhere: results never change, so the conditions say it again. */
const chosenArms = (step: FlowStep, { status, data }: BranchState): readonly ArmState[] => {
  const { arm } = chooseArm(step, data)
  return (step.branches ?? []).map((each) => ({
    key: each.key,
    status: each === arm ? status : 'skipped',
  }))
}

const jointArms = (
  { branches = [] }: FlowStep,
  { status, jobs }: BranchState,
): readonly ArmState[] =>
  branches.map(({ key }, slot) => ({ key, status: armStatus(jobs.get(slot), status) }))

/** An arm without a job was taken over from an earlier run with its step, or its step failed before it began. */
const armStatus = (job: JobStatus | undefined, step: StepStatus): StepStatus => {
  if (job === 'queued') return 'pending'
  if (job !== undefined) return job
  return step === 'success' ? 'success' : 'skipped'
}
