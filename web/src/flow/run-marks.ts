/** Marks the parts of a flow's graph that a run went through, and those that it did not. Pure. */
import type { Schemas } from '#sdk/client.ts'
import type { Status } from '../ui/status-badge.tsx'
import { STEP_KINDS } from './step-kinds.ts'

/** `not_taken`: another arm of the branch was taken; `not_reached`: the run ended before. */
export type Aside = 'skipped' | 'not_taken' | 'not_reached'

export type Mark = Readonly<{
  status: Status
  /** Null if the run went through it, or still may. */
  aside: Aside | null
}>

type Step = Schemas['FlowRunDetail']['steps'][number]

export const markOf = ({ status }: Pick<Step, 'status'>, isOver: boolean): Mark => {
  if (status === 'skipped') return { status, aside: 'skipped' }
  return { status, aside: status === 'pending' && isOver ? 'not_reached' : null }
}

/** The marks by arm key. Empty if the step is not a branch. */
export const armMarks = (
  { status, arms = [] }: Pick<Step, 'status' | 'arms'>,
  isOver: boolean,
): ReadonlyMap<string, Mark> => {
  const step = markOf({ status }, isOver)
  return new Map(
    arms.map((arm): readonly [string, Mark] => {
      const own = markOf(arm, isOver)
      // an arm of a skipped step has the mark of its step
      const aside = step.aside ?? (own.aside === 'skipped' ? 'not_taken' : own.aside)
      return [arm.key, { status: arm.status, aside }]
    }),
  )
}

/** The arm that a `branchone` step took, or null if there is none yet. */
export const takenArm = ({ kind, arms = [] }: Pick<Step, 'kind' | 'arms'>): string | null => {
  if (STEP_KINDS[kind].choosesArm !== true) return null
  return arms.find(({ status }) => status !== 'skipped' && status !== 'pending')?.key ?? null
}
