/** `ctx`, as action code sees it (document 1, Action code context; contract, Apps). */
import type { RunMessage } from './protocol.ts'

export type StateAccess = Readonly<{
  get: (key: unknown) => Promise<unknown>
  set: (key: unknown, value: unknown) => Promise<void>
}>

/** Only the step before an approval has links to give. */
const getResumeUrls = async (): Promise<never> => {
  throw new Error(
    'ctx.approval.getResumeUrls() is for the action just before an approval step of a flow.',
  )
}

/**
 * `input` may be replaced (a createApp middleware does) and members added; who runs, what triggered it and the
 * workspace's variables may not be changed by accident.
 */
export const createContext = (
  message: RunMessage,
  { state, log }: Readonly<{ state: StateAccess; log: (...values: unknown[]) => void }>,
): object => {
  const { trigger } = message
  if (trigger.headers !== undefined) Object.freeze(trigger.headers)
  return {
    input: message.input,
    trigger: Object.freeze(trigger),
    variables: Object.freeze(message.variables),
    resources: Object.freeze(message.resources),
    job: Object.freeze(message.job),
    state: Object.freeze(state),
    approval: Object.freeze({ getResumeUrls }),
    flow: Object.freeze({}),
    log,
  }
}
