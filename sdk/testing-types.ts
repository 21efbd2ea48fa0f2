/** What a test of a durable action gives and sees. */
import type { Json } from './mod.ts'

/** A function that stands for another action. */
export type TestAction = (input: Readonly<Record<string, unknown>>) => unknown

export type TestDurableOptions = Readonly<{
  input?: unknown
  /** What `ctx.call` runs, by its target as the code names it. A missing one is refused as an unknown action is. */
  actions?: Readonly<Record<string, TestAction>>
  variables?: Readonly<Record<string, string>>
  resources?: Readonly<Record<string, Json>>
  state?: Readonly<Record<string, Json>>
  /** What `ctx.fetch` calls. @default the global one */
  fetch?: typeof globalThis.fetch
  /** What the clock shows at first. @default 2026-01-01T00:00:00Z */
  startAt?: Date
  /** Attempts after a failure, as `retry.maxAttempts` of the manifest; they follow at once. @default 1 */
  maxAttempts?: number
  /** The worker is lost right after each of these steps is recorded, once. */
  crashAfter?: readonly string[]
}>

/** A durable step as far as it has come. */
export type TestedStep = Readonly<{
  name: string
  kind: 'step' | 'sleep' | 'event' | 'job'
  status: 'running' | 'success' | 'failure'
  /** How often its function ran. */
  tries: number
  value: unknown
  error: Readonly<{ name: string; message: string }> | null
}>

/** What a run that waits is waiting for. */
export type TestedWait = Readonly<{
  name: string
  kind: 'step' | 'sleep' | 'event' | 'job'
  /** Null unless it waits for an event. */
  event: Readonly<{ name: string; key: string | null }> | null
  /** When it is over at the latest. */
  until: Date | null
}>

/** A call of `ctx.run`, `ctx.startFlow` or `ctx.sendEvent`. */
export type TestedStart = Readonly<{
  kind: 'action' | 'flow' | 'event'
  target: string
  data: unknown
}>
