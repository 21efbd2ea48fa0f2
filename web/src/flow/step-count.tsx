/** The number of steps of a flow, and whether one of them needs people. */
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../language/messages.ts'
import { readDefinition } from './definition.ts'
import { messages } from './messages.ts'
import { isOnFailure } from './step-kinds.ts'

export const StepCount = ({ flow }: Readonly<{ flow: Schemas['Flow'] }>) => {
  const t = useMessages(messages)
  const steps = readDefinition(flow.definition).steps.filter(({ kind }) => !isOnFailure(kind))
  return (
    <>
      {t.stepCount(steps.length)}
      {flow.has_approval ? <span className="quiet"> · {t.needsApproval}</span> : null}
    </>
  )
}
