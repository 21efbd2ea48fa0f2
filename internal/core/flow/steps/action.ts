/** One action, run once; its result is the step's. */
import { type FlowStep, type Opening, oneSlot, required, type StepData } from './opening.ts'

export const openAction = (step: FlowStep, data: StepData): Opening =>
  oneSlot({ kind: 'action', key: required(step.action, 'action') }, step.input, data)
