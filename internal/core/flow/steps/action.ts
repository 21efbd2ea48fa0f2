/** One action, run once; its result is the step's. */
import { type FlowStep, type Opening, oneSlot, required, type StepData } from './opening.ts'

export const openAction = (step: FlowStep, data: StepData): Opening =>
  oneSlot(
    step,
    {
      target: { kind: 'action', key: required(step.action, 'action') },
      template: step.input,
    },
    data,
  )
