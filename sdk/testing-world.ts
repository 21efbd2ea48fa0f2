/** The surroundings of an action under test besides its durable steps: input, state, log, and what it starts. */
import { format } from 'node:util'
import type { DurableCalls } from '../internal/sandbox/guest/durable.ts'
import type { ActionContext, Json } from './mod.ts'
import type { TestDurableOptions, TestedStart } from './testing-types.ts'

/** The value after a round trip through JSON. */
export const asJson = (value: unknown): unknown =>
  value === undefined ? null : JSON.parse(JSON.stringify(value) ?? 'null')

const stateOf = (state: Map<string, Json>): ActionContext['state'] => ({
  get: async (key) => state.get(key) ?? null,
  set: async (key, value) => void state.set(key, value),
  update: async (key, change) => {
    const value = await change(state.get(key) ?? null)
    state.set(key, value)
    return value
  },
  delete: async (key) => void state.delete(key),
  list: async (prefix = '') => [...state.keys()].filter((key) => key.startsWith(prefix)).toSorted(),
})

export const createTestWorld = (options: TestDurableOptions) => {
  const { input = {}, variables = {}, resources = {} } = options
  const log: string[] = []
  const started: TestedStart[] = []
  const state = new Map<string, Json>(Object.entries(options.state ?? {}))

  const note = (kind: TestedStart['kind'], target: string, data: unknown): string => {
    started.push({ kind, target, data: asJson(data) })
    return `${kind}-${started.length}`
  }

  /** The context of one execution of `main`. */
  const contextOf = <Input>(durable: DurableCalls, attempt: number): ActionContext<Input> => {
    const context: unknown = {
      ...durable,
      input: asJson(input),
      trigger: { kind: 'api' },
      variables,
      resources,
      job: { id: 'test', app: 'test', action: 'test', commit: 'test', attempt },
      flow: {},
      signal: new AbortController().signal,
      fetch: options.fetch ?? globalThis.fetch,
      approval: { getResumeUrls: () => Promise.reject(new Error('It is not a step of a flow.')) },
      progress: async () => undefined,
      log: (...values: unknown[]) => void log.push(format(...values)),
      run: async (target: string, data?: unknown) => ({ jobId: note('action', target, data) }),
      startFlow: async (target: string, data?: unknown) => ({
        flowRunId: note('flow', target, data),
      }),
      sendEvent: async (name: string, data?: unknown) => ({ eventId: note('event', name, data) }),
      state: stateOf(state),
    }
    // the durable calls accept unknown arguments and check them
    return context as ActionContext<Input>
  }
  return { contextOf, log, started, state }
}
