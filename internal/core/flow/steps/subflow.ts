/** Another flow of the same app, as a run of its own; its result is that of its last step. */
import { type FlowStep, type Opening, oneSlot, required, type StepData } from './opening.ts'

export const openSubflow = (step: FlowStep, data: StepData): Opening =>
  oneSlot(
    step,
    {
      target: { kind: 'subflow', key: required(step.subflow, 'subflow') },
      template: step.input,
    },
    data,
  )
