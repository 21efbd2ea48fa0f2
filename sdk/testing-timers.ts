/** Counts the timers and requests of an action under test, so that it is not suspended while one of them is open. */
import { AsyncLocalStorage } from 'node:async_hooks'
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
  'fetch',
] as const

const scope = new AsyncLocalStorage<GuestJob>()
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
  if (users === 0) restore = replaceGlobals()
  users += 1
  scope.run(job, act)
  return () => {
    users -= 1
    if (users === 0) restore()
  }
}
