/** Runs another flow of the same app as a separate run; its result is that of its last step [flows 2.6]. */
import { key } from '../../manifest/fields.ts'
import { checkTarget } from '../../manifest/targets.ts'
import { oneSlot, required } from './opening.ts'
import { type StepCheck, stepKind, targetIn } from './step-kind.ts'

const fields = { subflow: key }

/** Checks that a field `subflow` names a flow that may be a subflow. */
export const checkSubflow: StepCheck<typeof fields> = ({ subflow }, { flows, asksPeople }) => {
  if (subflow === undefined) return []
  const path = ['subflow']
  if (!flows.has(subflow)) return checkTarget({ kind: 'flow', key: subflow }, path, flows)
  return asksPeople(subflow)
    ? [{ path, message: `the flow "${subflow}" has an approval step, so it can be no subflow` }]
    : []
}

export const subflow = stepKind({
  name: 'subflow',
  fields,
  descriptions: { subflow: 'Key of the flow that the step, or each item of a loop, runs.' },
  checks: { subflow: checkSubflow },
  targets: (step) => targetIn('flow', step.subflow),
  open: (step, data) => {
    const target = { kind: 'flow', key: required(step.subflow, 'subflow') } as const
    return oneSlot(step, { target, template: step.input }, data)
  },
  retries: false,
  shape: ['[(', ')]'],
})
