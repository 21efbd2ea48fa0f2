/** `ctx`, as action code sees it [jobs 4.1]. */
import type { RunMessage } from '../protocol/messages.ts'
import type { DurableCalls } from './durable.ts'
import { tracedFetch } from './traced-fetch.ts'

export type StateAccess = Readonly<{
  get: (key: unknown) => Promise<unknown>
  set: (key: unknown, value: unknown) => Promise<void>
  /** Returns the new value. `change` is called again with a newer value when another job wrote meanwhile. */
  update: (key: unknown, change: unknown) => Promise<unknown>
  delete: (key: unknown) => Promise<void>
  list: (prefix: unknown) => Promise<readonly string[]>
}>

/** The target, the input and the options, as the script gave them. */
export type Start<Answer> = (target: unknown, input: unknown, options: unknown) => Promise<Answer>

/** What reaches the host. */
export type HostAccess = Readonly<{
  state: StateAccess
  run: Start<Readonly<{ jobId: string }>>
  startFlow: Start<Readonly<{ flowRunId: string }>>
  sendEvent: (name: unknown, fields: unknown) => Promise<Readonly<{ eventId: string }>>
  getResumeUrls: (options: unknown) => Promise<unknown>
  progress: (fraction: unknown, note?: unknown) => Promise<void>
}>

/** Functions answer in parts by it; actions have no use for it. */
const PART = Symbol.for('svc.part')

const canceled = (): Error =>
  Object.assign(new Error('The job was canceled.'), { name: 'Canceled' })

/**
 * `input` may be replaced (a createApp middleware does) and members added; who runs, what triggered it and the
 * workspace's variables may not be changed by accident.
 */
export const createContext = (
  message: RunMessage,
  {
    host,
    log,
    part,
    durable,
    watchCancel,
  }: Readonly<{
    host: HostAccess
    log: (...values: unknown[]) => void
    part: (text: string) => void
    durable: DurableCalls
    watchCancel: (onCancel: () => void) => void
  }>,
): object => {
  const { trigger } = message
  if (trigger.headers !== undefined) Object.freeze(trigger.headers)
  let cancel: AbortController | null = null
  return {
    input: message.input,
    // only scripts that use it watch for the cancel
    get signal(): AbortSignal {
      if (cancel === null) {
        const opened = new AbortController()
        cancel = opened
        watchCancel(() => opened.abort(canceled()))
      }
      return cancel.signal
    },
    trigger: Object.freeze(trigger),
    variables: Object.freeze(message.variables),
    resources: Object.freeze(message.resources),
    job: Object.freeze(message.job),
    state: Object.freeze(host.state),
    run: host.run,
    startFlow: host.startFlow,
    sendEvent: host.sendEvent,
    approval: Object.freeze({ getResumeUrls: host.getResumeUrls }),
    progress: host.progress,
    fetch: tracedFetch(message.traceparent),
    flow: Object.freeze(message.flow),
    ...durable,
    log,
    [PART]: part,
  }
}
