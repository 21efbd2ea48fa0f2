/** `ctx`, as action code sees it [jobs 4.1]. */
import type { RunMessage } from '../protocol/messages.ts'
import type { DurableCalls } from './durable.ts'
import { tracedFetch } from './traced-fetch.ts'

export type StateAccess = Readonly<{
  get: (key: unknown) => Promise<unknown>
  set: (key: unknown, value: unknown) => Promise<void>
  /** Returns the new value. `change` is called again with a newer value if another job has written meanwhile. */
  update: (key: unknown, change: unknown) => Promise<unknown>
  delete: (key: unknown) => Promise<void>
  list: (prefix: unknown) => Promise<readonly string[]>
}>

/** Target, input and options, as the script passed them. */
export type Start<Answer> = (target: unknown, input: unknown, options: unknown) => Promise<Answer>

/** The parts of `ctx` that call the host. */
export type HostAccess = Readonly<{
  state: StateAccess
  run: Start<Readonly<{ jobId: string }>>
  startFlow: Start<Readonly<{ flowRunId: string }>>
  sendEvent: (name: unknown, fields: unknown) => Promise<Readonly<{ eventId: string }>>
  cancel: (id: unknown, options: unknown) => Promise<Readonly<{ canceled: boolean }>>
  getResumeUrls: (options: unknown) => Promise<unknown>
  progress: (fraction: unknown, note?: unknown) => Promise<void>
}>

/** The key of the function by which functions send a response in parts. Actions don't use it. */
const PART = Symbol.for('svc.part')

/**
 * Creates `ctx`. Code may replace `input` (a createApp middleware does) and add members. The job, its
 * trigger and the variables of the workspace are frozen, so that nothing changes them by accident.
 */
export const createContext = (
  message: RunMessage,
  {
    host,
    log,
    part,
    durable,
    cancelSignal,
  }: Readonly<{
    host: HostAccess
    log: (...values: unknown[]) => void
    part: (text: string) => void
    durable: DurableCalls
    cancelSignal: () => AbortSignal
  }>,
): object => {
  const { trigger } = message
  Object.freeze(trigger.headers)
  Object.freeze(trigger.event)
  return {
    input: message.input,
    get signal(): AbortSignal {
      return cancelSignal()
    },
    trigger: Object.freeze(trigger),
    variables: Object.freeze(message.variables),
    resources: Object.freeze(message.resources),
    job: Object.freeze(message.job),
    state: Object.freeze(host.state),
    run: host.run,
    startFlow: host.startFlow,
    sendEvent: host.sendEvent,
    cancel: host.cancel,
    approval: Object.freeze({ getResumeUrls: host.getResumeUrls }),
    progress: host.progress,
    fetch: tracedFetch(message.traceparent),
    flow: Object.freeze(message.flow),
    ...durable,
    log,
    [PART]: part,
  }
}
