/** Compares two runs of a flow step by step: which took another path, took longer, or gave another result. Pure. */
import type { Schemas } from '#sdk/client.ts'
import type { Json } from '#sdk/mod.ts'
import { diffLines, type Hunk, toHunks } from '../ui/code/diff-lines.ts'

type Run = Schemas['FlowRunDetail']
type Step = Run['steps'][number]

/** A step in one of the runs. */
export type StepIn = Readonly<{
  status: Step['status']
  /** Milliseconds. Null if the step has not ended or was skipped. */
  ms: number | null
}>

export type ComparedStep = Readonly<{
  key: string
  /** Null if the run has no such step. */
  left: StepIn | null
  right: StepIn | null
  /** The differing lines of its result or error; null if they are equal. */
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

/** The lines in which two values differ. @returns null if they are equal */
export const diffValues = (left: Json, right: Json): readonly Hunk[] | null => {
  const hunks = toHunks(diffLines(linesOf(left), linesOf(right)))
  return hunks.length === 0 ? null : hunks
}

const gaveOf = (step: Step | undefined): Json => step?.error ?? step?.result ?? null

/** The steps of both runs: those of the first in order, then those that only the second has. */
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

/** Whether a step ended differently or gave another result. A different duration alone does not count. */
export const isDifferent = ({ left, right, hunks }: ComparedStep): boolean =>
  left?.status !== right?.status || hunks !== null
