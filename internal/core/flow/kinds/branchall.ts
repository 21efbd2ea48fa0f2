/** Runs all arms at once; the result is an object keyed by arm, in the order of the manifest [flows 2.3]. */
import type { JobStatus } from '../../job/transitions.ts'
import { orderedObject } from '../../json/kept-text.ts'
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
import { type Opening, type StepData, type StepOf, stepKind } from './step-kind.ts'

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

/** An arm has no job if a restart took the step over from an earlier run, or if the step failed before the arm began. */
const armStatus = (job: JobStatus | undefined, step: StepStatus): StepStatus => {
  if (job === 'queued') return 'pending'
  if (job !== undefined) return job
  return step === 'success' ? 'success' : 'skipped'
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
    states: ({ branches = [] }, { status, jobs }) =>
      branches.map(({ key }, slot) => ({ key, status: armStatus(jobs.get(slot), status) })),
  },
  shape: ['[/', '\\]'],
})
