/**
 * Runs the duties of the scheduler role, each on its own clock. A duty is idempotent and safe on several nodes at once;
 * one that fails is logged and tried again at its next turn.
 */
import type { Logger } from '#log/logger.ts'

export type Duty = Readonly<{
  name: string
  everyMs: number
  /** One pass; tests call it directly. A long one ends soon after `signal` is aborted. */
  runOnce: (signal: AbortSignal) => Promise<void>
}>

export interface Scheduler {
  start(): Promise<void>
  stop(): Promise<void>
}

export const createScheduler = (log: Logger, duties: readonly Duty[]): Scheduler => {
  const timers: ReturnType<typeof setInterval>[] = []
  const stopping = new AbortController()
  const underWay = new Map<string, Promise<void>>()

  const pass = (duty: Duty): void => {
    if (underWay.has(duty.name)) return
    const run = duty
      .runOnce(stopping.signal)
      .catch((error: unknown) => log.warn(`The duty ${duty.name} failed.`, { error }))
      .finally(() => underWay.delete(duty.name))
    underWay.set(duty.name, run)
  }

  return {
    start: async () => {
      for (const duty of duties) {
        pass(duty)
        timers.push(setInterval(() => pass(duty), duty.everyMs))
      }
    },
    stop: async () => {
      stopping.abort()
      for (const timer of timers.splice(0)) clearInterval(timer)
      await Promise.all(underWay.values())
    },
  }
}
