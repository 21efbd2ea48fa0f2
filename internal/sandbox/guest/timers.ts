/**
 * Ties timers to the job that set them. A timer of a finished job never fires, and an error in a timer fails
 * only the job that set it. Timers that a module sets while it loads belong to the process.
 */
import type { Activity } from './activity.ts'

export type TimerOwner = Readonly<{ ended: boolean; activity: Activity }>

export type TimerHooks<T extends TimerOwner> = Readonly<{
  owner: () => T | undefined
  onThrow: (owner: T | undefined, error: unknown) => void
}>

const TIMERS = ['setTimeout', 'setInterval', 'setImmediate'] as const

const endPending = (pending: Map<unknown, () => void>, id: unknown): void => {
  pending.get(id)?.()
  pending.delete(id)
}

const ownClears = (pending: Map<unknown, () => void>): void => {
  for (const name of ['clearTimeout', 'clearImmediate', 'clearInterval']) {
    const native: unknown = Reflect.get(globalThis, name)
    if (typeof native !== 'function') continue
    const replaced = (id: unknown): void => {
      endPending(pending, id)
      Reflect.apply(native, globalThis, [id])
    }
    Object.defineProperties(replaced, Object.getOwnPropertyDescriptors(native))
    Object.defineProperty(globalThis, name, { value: replaced, writable: true, configurable: true })
  }
}

/** Replaces the global timers, so that a timer of a job that has ended does not fire. */
export const ownTimers = <T extends TimerOwner>({ owner, onThrow }: TimerHooks<T>): void => {
  const { clearInterval } = globalThis
  /** Ends the activity of a pending timer. Intervals are not counted as activity, because they may never end. */
  const pending = new Map<unknown, () => void>()
  ownClears(pending)
  for (const name of TIMERS) {
    const native: unknown = Reflect.get(globalThis, name)
    if (typeof native !== 'function') continue
    const replaced = (callback: unknown, ...rest: unknown[]): unknown => {
      if (typeof callback !== 'function')
        return Reflect.apply(native, globalThis, [callback, ...rest])
      const job = owner()
      const guarded = function (this: unknown, ...values: unknown[]): void {
        if (job?.ended === true) {
          endPending(pending, id)
          if (name === 'setInterval') Reflect.apply(clearInterval, globalThis, [id])
          return
        }
        try {
          Reflect.apply(callback, this, values)
        } catch (error) {
          onThrow(job, error)
        } finally {
          endPending(pending, id)
        }
      }
      const id: unknown = Reflect.apply(native, globalThis, [guarded, ...rest])
      if (name !== 'setInterval' && job !== undefined) pending.set(id, job.activity.begin())
      return id
    }
    // util.promisify finds its own version of a timer as a property of the function
    Object.defineProperties(replaced, Object.getOwnPropertyDescriptors(native))
    Object.defineProperty(globalThis, name, { value: replaced, writable: true, configurable: true })
  }
}
