/** Records durable steps with the host. */
import type { AnswerMessage } from '../protocol/messages.ts'
import type { Page } from './journal.ts'
import { checkTarget, copyOptions, inputText } from './start-calls.ts'
import type { Begun, DurableHost, StepBegin } from './step-records.ts'

type Call = (
  request: Readonly<{
    operation: 'recordStep' | 'recordHistory' | 'beginStep' | 'readSteps'
    head: object
    valueJson?: string
  }>,
) => Promise<AnswerMessage>

type Asked = Readonly<{ head: object; valueJson?: string }>

const requestOf = (step: StepBegin, maxInputBytes: number): Asked => {
  if (step.kind !== 'job') return { head: step }
  const { input, target, options, ...head } = step
  return {
    head: { ...head, target: checkTarget(target), options: copyOptions(options) },
    valueJson: inputText(input, maxInputBytes),
  }
}

/** @param maxInputBytes maximum size of a called job's input, as JSON */
export const durableHostOf = (call: Call, maxInputBytes: number): DurableHost => ({
  page: async (after) => {
    const { value } = await call({ operation: 'readSteps', head: after })
    // the host is trusted: its responses have the shapes of durable-access.ts
    return value as Page
  },
  record: async ({ valueJson = 'null', ...head }) => {
    await call({ operation: 'recordStep', head, valueJson })
  },
  recordHistory: async (history) => {
    await call({ operation: 'recordHistory', head: { history } })
  },
  begin: async (step) => {
    const { value } = await call({ operation: 'beginStep', ...requestOf(step, maxInputBytes) })
    return value as Begun
  },
})
