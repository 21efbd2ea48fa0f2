/**
 * What a run does between its failure or cancel and its end [flows 11, 15]: the undo actions of the steps that succeeded, the
 * last one first, then the failure module. Their inputs may also name the error and the step that failed.
 */
import type { JobError } from '../job/job-error.ts'
import type { JsonValue } from '../json/value.ts'
import { type FlowData, type Found, found } from './data.ts'
import { inputTooLarge, jsonBytes, MAX_INPUT_BYTES } from './data-size.ts'
import type { FlowDefinition } from './definition.ts'
import { flowsOf } from './kinds.ts'
import { failureModuleIndex, stepAt, undoIndex } from './position.ts'
import type { Ending, RunState } from './run-state.ts'
import { resolveTemplate } from './template.ts'

/** Whether a cancel of the flow's runs may start anything: undo actions, or its failure module. */
export const unwindsOnCancel = ({ steps, failureModule }: FlowDefinition): boolean =>
  failureModule?.onCancel === true || steps.some(({ undo }) => undo !== undefined)

/**
 * Keys of the flows whose runs a cancel may not end at once, because they, or flows below them, have to undo something first.
 */
export const unwindingFlows = (flows: ReadonlyMap<string, FlowDefinition>): ReadonlySet<string> => {
  const unwinding = new Set<string>()
  const startsUnwinding = ({ steps }: FlowDefinition): boolean =>
    steps.some((step) => flowsOf(step).some((key) => unwinding.has(key)))
  for (let known = -1; known < unwinding.size; ) {
    known = unwinding.size
    for (const [key, flow] of flows) {
      if (unwindsOnCancel(flow) || startsUnwinding(flow)) unwinding.add(key)
    }
  }
  return unwinding
}

/** Whether the failure module runs before a run ends like this. */
export const runsFailureModule = ({ failureModule }: FlowDefinition, { status }: Ending): boolean =>
  failureModule !== undefined && (status === 'failed' || failureModule.onCancel === true)

const errorOf = ({ name, message }: JobError): JsonValue => ({ name, message })

/**
 * What undo actions and failure module may refer to. A missing value is null, so that a reference does
 * not keep them from running.
 */
const dataOf = ({ input, results }: RunState, { error, failedStep }: Ending): FlowData => ({
  input,
  results,
  ending: { error: errorOf(error), failedStep },
})

/** Returns the input of the failure module [flows 11.1], or of the undo action of a step [flows 15.3]. */
export const endingInput = (run: RunState, ending: Ending): Found => {
  const input = templateInput(run, ending)
  if (input.error !== null || jsonBytes(input.value, MAX_INPUT_BYTES) <= MAX_INPUT_BYTES) {
    return input
  }
  const { key } = stepAt(run.definition, run.index)
  return { value: null, error: inputTooLarge(key) }
}

const templateInput = (run: RunState, ending: Ending): Found => {
  const { key, input } = stepAt(run.definition, run.index)
  if (input !== undefined) return resolveTemplate(input, dataOf(run, ending))
  if (run.index !== failureModuleIndex(run.definition)) return found(run.results.get(key) ?? null)
  return found({ failedStep: ending.failedStep, error: errorOf(ending.error) })
}

/** Whether a step that just succeeded is to be undone when the run fails later. */
export const isUndoable = (definition: FlowDefinition, index: number): boolean =>
  definition.steps[index]?.undo !== undefined

/** Whether the undo of a step is still to come after what is at `index`. */
export const isLeft = (definition: FlowDefinition, step: number, index: number): boolean => {
  const last = failureModuleIndex(definition)
  return index < last || (index > last && index < undoIndex(definition, step))
}

/** Whether the action at an index runs only because the run fails or is canceled. */
export const isEndingIndex = ({ steps }: FlowDefinition, index: number): boolean =>
  index >= steps.length
