/**
 * Places of a run: its steps by index, then the failure module [flows 11], then the undo of steps [flows 15]. A run that starts
 * later is before its first step.
 */
import type { FlowDefinition } from './definition.ts'
import { DEFAULT_KIND, type FlowStep, type StepKindName } from './kinds.ts'

/** Index of a run that starts at a later time, until then. */
export const BEFORE_FIRST_STEP = -1

/** Index of the failure module, which runs as a step of the default kind. */
export const failureModuleIndex = ({ steps }: FlowDefinition): number => steps.length

/** Index of the undo of a step. Undo of later steps comes first, as it runs; all of it comes after the failure module. */
export const undoIndex = ({ steps }: FlowDefinition, index: number): number =>
  2 * steps.length - index

/** Index of the step that is undone at an index. */
const undoneAt = undoIndex

/** @returns null if the flow has no such step */
export const findStep = (definition: FlowDefinition, index: number): FlowStep | null => {
  const { steps, failureModule } = definition
  const last = failureModuleIndex(definition)
  if (index < last) return steps[index] ?? null
  if (index === last) return failureModule === undefined ? null : asStep(failureModule)
  const undone = steps[undoneAt(definition, index)]
  return undone?.undo === undefined ? null : asStep({ key: undone.key, ...undone.undo })
}

/** Returns a failure module or an undo as the step that it runs as. */
const asStep = ({
  key,
  action,
  input,
  retry,
}: Pick<FlowStep, 'key' | 'action' | 'input' | 'retry'>): FlowStep => ({
  key,
  action,
  kind: DEFAULT_KIND,
  ...(input === undefined ? {} : { input }),
  ...(retry === undefined ? {} : { retry }),
})

export type PlaceKind = StepKindName | 'undo' | 'failure_module'

/** The kind of what is at an index, as a run shows it [flows 7.2]. */
export const kindAt = (definition: FlowDefinition, index: number): PlaceKind => {
  const last = failureModuleIndex(definition)
  if (index === last) return 'failure_module'
  return index > last ? 'undo' : (definition.steps[index]?.kind ?? DEFAULT_KIND)
}

/** @throws {Error} the flow has no such step */
export const stepAt = (definition: FlowDefinition, index: number): FlowStep => {
  const step = findStep(definition, index)
  if (step === null) throw new Error(`The flow ${definition.key} has no step ${index}.`)
  return step
}
