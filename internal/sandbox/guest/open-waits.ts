/**
 * What an attempt waits for: sleeps, events, called jobs, and delays of
 * steps. When nothing else is active, the attempt is suspended.
 */
import { mustSuspend } from '#core/durable/step.ts'
import type { Activity } from './activity.ts'
import type { Place } from './journal.ts'

export type OpenWaits = Readonly<{
  /** Resolves when the step is due, if the attempt lasts that long. Never resolves for a step without a due time. */
  until: (place: Place, dueInMs: number | null) => Promise<void>
  /** The attempt has ended: nothing resolves any more. */
  close: () => void
}>

// saved before user code can replace them
const { setTimeout, clearTimeout } = globalThis
/** Longer delays overflow a timer. The job is suspended long before. */
const MAX_TIMER_MS = 2_147_483_647

/** @param onSuspend called once, with the names of the steps in their order */
export const createOpenWaits = (
  activity: Activity,
  onSuspend: (steps: readonly string[]) => void,
): OpenWaits => {
  const waiting = new Map<string, Readonly<{ position: number; cancel: () => void }>>()

  const close = (): void => {
    activity.onIdle = null
    for (const { cancel } of waiting.values()) cancel()
  }

  const onIdle = (): void => {
    if (!mustSuspend({ waiting: waiting.size, active: activity.active })) return
    close()
    const open = [...waiting].toSorted(([, a], [, b]) => a.position - b.position)
    onSuspend(open.map(([name]) => name))
  }

  return {
    close,
    until: ({ name, position }, dueInMs) =>
      new Promise((resolve) => {
        const end = (): void => {
          waiting.delete(name)
          if (waiting.size === 0) activity.onIdle = null
          resolve()
          activity.check()
        }
        const isTimed = dueInMs !== null && dueInMs <= MAX_TIMER_MS
        const timer = isTimed ? setTimeout(end, Math.max(0, dueInMs)) : undefined
        activity.onIdle = onIdle
        waiting.set(name, { position, cancel: () => clearTimeout(timer) })
        activity.check()
      }),
  }
}
