/** Two runs of a flow side by side, step by step: what went another way, took longer, or gave another result. Pure. */
import type { Schemas } from '#sdk/client.ts'
import type { Json } from '#sdk/mod.ts'
import { diffLines, type Hunk, toHunks } from '../ui/diff-lines.ts'

type Run = Schemas['FlowRunDetail']
type Step = Run['steps'][number]

/** A step in one of the runs. */
export type StepIn = Readonly<{
  status: Step['status']
  /** Null while it has not ended, and for a step that was passed over. */
  ms: number | null
}>

export type ComparedStep = Readonly<{
  key: string
  /** Null where the run has no such step. */
  left: StepIn | null
  right: StepIn | null
  /** What it gave, result or error, as lines that differ; null: the same. */
  hunks: readonly Hunk[] | null
}>

const timeOf = ({ status, started_at, completed_at }: Step): number | null =>
  started_at === null || completed_at === null || status === 'skipped'
    ? null
    : Math.max(0, Date.parse(completed_at) - Date.parse(started_at))

const stepIn = (step: Step | undefined): StepIn | null =>
  step === undefined ? null : { status: step.status, ms: timeOf(step) }

const linesOf = (value: Json): readonly string[] =>
  value === null ? [] : JSON.stringify(value, null, 2).split('\n')

/** The lines in which two values differ. @returns null if they are the same */
export const diffValues = (left: Json, right: Json): readonly Hunk[] | null => {
  const hunks = toHunks(diffLines(linesOf(left), linesOf(right)))
  return hunks.length === 0 ? null : hunks
}

const gaveOf = (step: Step | undefined): Json => step?.error ?? step?.result ?? null

/** The steps of both runs in the order of the first, then those that only the second has. */
export const compareSteps = (left: Run, right: Run): readonly ComparedStep[] => {
  const find = ({ steps }: Run, key: string): Step | undefined =>
    steps.find((step) => step.key === key)
  const keys = new Set([...left.steps, ...right.steps].map(({ key }) => key))
  return [...keys].map((key) => {
    const [one, other] = [find(left, key), find(right, key)]
    return {
      key,
      left: stepIn(one),
      right: stepIn(other),
      hunks: diffValues(gaveOf(one), gaveOf(other)),
    }
  })
}

/** Whether a step ended in another way or gave another result. Another duration alone does not count. */
export const isDifferent = ({ left, right, hunks }: ComparedStep): boolean =>
  left?.status !== right?.status || hunks !== null
