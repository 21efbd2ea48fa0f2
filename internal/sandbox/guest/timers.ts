/**
 * Timers know the job that set them: a timer of a finished job never fires again, and what a timer throws fails the job
 * that set it, no other. Timers that a module sets while it loads belong to the process.
 */
export type TimerOwner = Readonly<{ ended: boolean }>

export type TimerHooks<T extends TimerOwner> = Readonly<{
  owner: () => T | undefined
  onThrow: (owner: T | undefined, error: unknown) => void
}>

const TIMERS = ['setTimeout', 'setInterval', 'setImmediate'] as const

/** Replaces the global timers, so that a timer of a job that has ended does not fire. */
export const ownTimers = <T extends TimerOwner>({ owner, onThrow }: TimerHooks<T>): void => {
  const { clearInterval } = globalThis
  for (const name of TIMERS) {
    const native: unknown = Reflect.get(globalThis, name)
    if (typeof native !== 'function') continue
    const replaced = (callback: unknown, ...rest: unknown[]): unknown => {
      if (typeof callback !== 'function')
        return Reflect.apply(native, globalThis, [callback, ...rest])
      const job = owner()
      const guarded = function (this: unknown, ...values: unknown[]): void {
        if (job?.ended === true) {
          if (name === 'setInterval') Reflect.apply(clearInterval, globalThis, [id])
          return
        }
        try {
          Reflect.apply(callback, this, values)
        } catch (error) {
          onThrow(job, error)
        }
      }
      const id: unknown = Reflect.apply(native, globalThis, [guarded, ...rest])
      return id
    }
    // util.promisify finds its own version of a timer as a property of the function
    Object.defineProperties(replaced, Object.getOwnPropertyDescriptors(native))
    Object.defineProperty(globalThis, name, { value: replaced, writable: true, configurable: true })
  }
}
