/** Runs all arms at once; the result is an object keyed by arm, in the order of the manifest [flows 2.3]. */
import type { JobStatus } from '../../job/transitions.ts'
import { orderedObject } from '../../json/kept-text.ts'
import { isJsonObject, type JsonValue } from '../../json/value.ts'
import { continueOnError } from '../fields.ts'
import type { Slot, StepStatus } from '../run.ts'
import {
  armChecks,
  armDescriptions,
  armFields,
  armReferences,
  armTargets,
  targetOfArm,
} from './arms.ts'
import { createInputBudget, inputOf } from './opening.ts'
import {
  type BranchState,
  type Opening,
  type StepData,
  type StepOf,
  stepKind,
} from './step-kind.ts'

const fields = { ...armFields, continueOnError }

const open = (step: StepOf<typeof fields>, data: StepData): Opening => {
  const slots: Slot[] = []
  const budget = createInputBudget(step)
  for (const arm of step.branches ?? []) {
    const { value, error } = inputOf(arm.input, data)
    if (error !== null && step.continueOnError === true) {
      slots.push({ target: targetOfArm(arm), input: null, fault: error })
      continue
    }
    const fault = error ?? budget.add(value)
    if (fault !== null) return { kind: 'fail', error: fault }
    slots.push({ target: targetOfArm(arm), input: value })
  }
  return { kind: 'slots', slots, start: slots.length }
}

/** Returns how an arm ended by the result of its step that succeeded. */
const endInResult = (key: string, result: JsonValue): StepStatus => {
  const item = isJsonObject(result) ? result[key] : undefined
  return isJsonObject(item) && item.ok === false ? 'failure' : 'success'
}

/**
 * An arm has no job before there is room for it, if a restart took the step over from an earlier run, after retention has
 * deleted its job, or if the step failed before the arm began. How an arm of a failed step ended is not known without its job.
 * @returns null if it is not known
 */
const armStatus = (
  step: StepOf<typeof fields>,
  { status, result }: BranchState,
  { key, job }: Readonly<{ key: string; job: JobStatus | undefined }>,
): StepStatus | null => {
  if (job === 'queued') return 'pending'
  if (job !== undefined) return job
  if (status === 'running') return 'pending'
  if (status !== 'success') return null
  return step.continueOnError === true ? endInResult(key, result) : 'success'
}

export const branchall = stepKind({
  name: 'branchall',
  fields,
  descriptions: armDescriptions,
  checks: armChecks,
  targets: armTargets,
  targetOf: (step, slot) => armTargets(step)[slot],
  open,
  check: ({ branches = [] }) =>
    branches.flatMap(({ condition }, at) =>
      condition === undefined
        ? []
        : [
            {
              path: ['branches', at, 'condition'],
              message: 'an arm of a branchall step takes no `condition`: all arms run',
            },
          ],
    ),
  join: ({ branches = [] }, results) =>
    orderedObject(branches.map(({ key }, slot) => [key, results.get(slot) ?? null])),
  resultFields: ({ branches = [] }) => branches.map(({ key }) => key),
  atOnce: ({ branches = [] }) => branches.length,
  retries: true,
  references: armReferences,
  arms: {
    otherwise: null,
    states: (step, state) =>
      (step.branches ?? []).flatMap(({ key }, slot) => {
        const status = armStatus(step, state, { key, job: state.jobs.get(slot) })
        return status === null ? [] : [{ key, status }]
      }),
  },
  shape: ['[/', '\\]'],
})
