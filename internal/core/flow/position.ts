/** Places of a run: its steps by index, and the failure module behind the last one [flows 11]. */
import type { JobError } from '../job/job-error.ts'
import type { JsonValue } from '../json.ts'
import type { FlowDefinition } from './definition.ts'
import { DEFAULT_KIND, type FlowStep } from './kinds.ts'

/** Index of the failure module, which runs as a step of the default kind. */
export const failureModuleIndex = ({ steps }: FlowDefinition): number => steps.length

/** @returns null if the flow has no such step */
export const findStep = (definition: FlowDefinition, index: number): FlowStep | null => {
  const { steps, failureModule } = definition
  if (index !== failureModuleIndex(definition)) return steps[index] ?? null
  return failureModule === undefined ? null : { ...failureModule, kind: DEFAULT_KIND }
}

/** @throws {Error} the flow has no such step */
export const stepAt = (definition: FlowDefinition, index: number): FlowStep => {
  const step = findStep(definition, index)
  if (step === null) throw new Error(`The flow ${definition.key} has no step ${index}.`)
  return step
}

/** The input of the failure module [flows 11.1]. */
export const failureInput = (failedStep: string, { name, message }: JobError): JsonValue => ({
  failedStep,
  error: { name, message },
})
