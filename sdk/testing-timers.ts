/**
 * Counts the timers and requests of an action under test, so that it is not suspended while one of them is open. Its uncaught errors
 * fail the run, as they fail a job, and not the process of the test.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import process from 'node:process'
import type { GuestJob } from '../internal/sandbox/guest/job.ts'
import { ownFetch } from '../internal/sandbox/guest/own-fetch.ts'
import { ownTimers } from '../internal/sandbox/guest/timers.ts'

const NAMES = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
  'queueMicrotask',
  'fetch',
] as const

const scope = new AsyncLocalStorage<GuestJob>()
/** @returns whether the error belongs to a job. After the end of the job nothing reads it. */
const failOwner = (error: unknown): boolean => {
  const job = scope.getStore()
  job?.fail(error)
  return job !== undefined
}

/** Takes the errors on Node before the listeners of a test runner. */
const takeErrorsOfNode = (): void => {
  const { emit } = process
  const emitOthers = (event: string | symbol, ...values: readonly unknown[]): boolean =>
    ((event === 'unhandledRejection' || event === 'uncaughtException') && failOwner(values[0])) ||
    Reflect.apply(emit, process, [event, ...values])
  Object.assign(process, { emit: emitOthers })
}

/** Takes the errors on Deno, whose global scope has events. */
const takeErrorsOfDeno = (listen: typeof EventTarget.prototype.addEventListener): void => {
  const take = (event: Event): void => {
    const error: unknown = 'reason' in event ? event.reason : Reflect.get(event, 'error')
    if (!failOwner(error)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  listen('unhandledrejection', take)
  listen('error', take)
}

/** Takes them for the life of the process, because errors may come after the end of a job. */
const takeErrors = (): void => {
  if ('deno' in process.versions) takeErrorsOfDeno(Reflect.get(globalThis, 'addEventListener'))
  else takeErrorsOfNode()
}
let takesErrors = false

/** On Node 20 an uncaught error of a microtask has lost the job that queued it. */
const ownMicrotasks = (): void => {
  const { queueMicrotask: native } = globalThis
  globalThis.queueMicrotask = (callback) => {
    const job = scope.getStore()
    const guarded = (): void => {
      try {
        callback()
      } catch (error) {
        job?.fail(error)
      }
    }
    native(job === undefined || typeof callback !== 'function' ? callback : guarded)
  }
}

/** Executions that use the replaced globals. */
let users = 0
let restore = (): void => undefined

/** Replaces the globals. @returns a function that restores those which nothing has replaced since */
const replaceGlobals = (): (() => void) => {
  const before = NAMES.map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  )
  ownTimers<GuestJob>({
    owner: () => scope.getStore(),
    onThrow: (job, error) => {
      // without a job it is the error of the test's own timer
      if (job === undefined) throw error
      job.fail(error)
    },
  })
  ownMicrotasks()
  ownFetch(() => scope.getStore())
  const replaced = NAMES.map((name) => Reflect.get(globalThis, name))
  return () => {
    for (const [at, [name, descriptor]] of before.entries()) {
      const isOurs = Reflect.get(globalThis, name) === replaced[at]
      if (isOurs && descriptor !== undefined) Object.defineProperty(globalThis, name, descriptor)
    }
  }
}

/** Runs `act` as the job. @returns a function to call at the end of the job */
export const countTimers = (job: GuestJob, act: () => void): (() => void) => {
  if (!takesErrors) takeErrors()
  takesErrors = true
  if (users === 0) restore = replaceGlobals()
  users += 1
  scope.run(job, act)
  return () => {
    users -= 1
    if (users === 0) restore()
  }
}
