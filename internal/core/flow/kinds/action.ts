/** Runs an action once; its result is the step's [flows 2.1]. */
import { key } from '../../manifest/fields.ts'
import { oneSlot, required } from './opening.ts'
import { checkAction, stepKind, targetIn } from './step-kind.ts'

export const action = stepKind({
  name: 'action',
  fields: { action: key },
  descriptions: { action: 'Key of the action that the step, or each item of a loop, runs.' },
  checks: { action: (step, app) => checkAction(step.action, ['action'], app) },
  targets: (step) => targetIn('action', step.action),
  open: (step, data) => {
    const target = { kind: 'action', key: required(step.action, 'action') } as const
    return oneSlot(step, { target, template: step.input }, data)
  },
  retries: true,
  shape: ['[', ']'],
})
