/** Options and results of a test of a durable action. */
import type { ActionContext, Json, Trigger } from './mod.ts'

/**
 * A function that replaces another action, or a flow. Its input may have the type that the code passes, because the parameter of a
 * method, unlike that of a function, may be of a narrower type.
 */
export type TestAction = { act(input: Readonly<Record<string, unknown>>): unknown }['act']

export type TestDurableOptions = Readonly<{
  input?: unknown
  /** The actions that `ctx.call` runs, by target as written in the code. A missing one is refused like an unknown action. */
  actions?: Readonly<Record<string, TestAction>>
  /** Functions in place of the flows that `ctx.callFlow` runs, by target as written in the code. */
  flows?: Readonly<Record<string, TestAction>>
  /** How the job was started. @default `{ kind: 'api' }` */
  trigger?: Trigger
  /** The flow run and step of the job. With one, `getResumeUrls` resolves to links at `localhost`. @default outside of flows */
  flow?: ActionContext['flow']
  variables?: Readonly<Record<string, string>>
  resources?: Readonly<Record<string, Json>>
  state?: Readonly<Record<string, Json>>
  /** The function behind `ctx.fetch`. @default the global one */
  fetch?: typeof globalThis.fetch
  /** The clock's time at the start. @default 2026-01-01T00:00:00Z */
  startAt?: Date
  /** The number of attempts, like `retry.maxAttempts` in the manifest. A retry follows its failure at once. @default 1 */
  maxAttempts?: number
  /** Names of steps. The worker is lost once right after each of them is recorded. A successful run must have all of them. */
  crashAfter?: readonly string[]
}>

/** The current state of a durable step. */
export type TestedStep = Readonly<{
  name: string
  kind: 'step' | 'sleep' | 'event' | 'job'
  status: 'running' | 'success' | 'failure'
  /** How often its function was called. */
  tries: number
  value: unknown
  error: Readonly<{ name: string; message: string }> | null
}>

/** A step that the run waits for. */
export type TestedWait = Readonly<{
  name: string
  kind: 'step' | 'sleep' | 'event' | 'job'
  /** The awaited event; null if it does not wait for an event. */
  event: Readonly<{ name: string; key: string | null }> | null
  /** When the wait ends at the latest; null if it has no time limit. */
  until: Date | null
}>

/** A call of `ctx.run`, `ctx.startFlow` or `ctx.sendEvent`. */
export type TestedStart = Readonly<{
  kind: 'action' | 'flow' | 'event'
  target: string
  /** The input; of an event `{ key, data, id }` as the action gave them. */
  data: unknown
}>

/** A job or flow run that the action canceled by `ctx.cancel`. */
export type TestedCancel = Readonly<{ id: string; reason: string | null }>
