/**
 * Whether the server is reachable. If a request does not reach it and /healthz does not answer either, the connection is
 * lost. Then /healthz is polled until it answers, and listeners read their data again. Meanwhile pages stay as they are.
 */
import { createPageValue } from './page-value.ts'

export type Connection = 'open' | 'lost'

const FIRST_WAIT_MS = 500
const MOST_WAIT_MS = 5_000
const ANSWER_MS = 5_000

const connection = createPageValue<Connection>('open')
const returnListeners = new Set<() => void>()

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    addEventListener('online', done)
  })

const isThere = async (): Promise<boolean> => {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS)
    return (await fetch('/healthz', { cache: 'no-store', signal })).ok
  } catch {
    return false
  }
}

/** A hidden page does not poll. */
const untilVisible = (): Promise<void> =>
  new Promise((resolve) => {
    const check = (): void => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', check)
      resolve()
    }
    document.addEventListener('visibilitychange', check)
    check()
  })

const waitForReturn = async (): Promise<void> => {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MOST_WAIT_MS)) {
    await pause(wait)
    await untilVisible()
    if (await isThere()) break
  }
  connection.set('open')
  for (const listener of returnListeners) listener()
}

let check: Promise<void> | null = null

const checkReturn = async (): Promise<void> => {
  if (await isThere()) return
  connection.set('lost')
  await waitForReturn()
}

/**
 * Call it when a request could not reach the server. A server that answers /healthz is not lost: it refuses this request
 * only, for example while it moves the workspace, and reading everything again would get the same refusal in a loop.
 * @returns resolves once the server answers
 */
export const reportLost = (): Promise<void> => {
  check ??= checkReturn().finally(() => {
    check = null
  })
  return check
}

/** @returns a function that removes the listener */
export const onReturn = (listener: () => void): (() => void) => {
  returnListeners.add(listener)
  return () => void returnListeners.delete(listener)
}

export const useConnection = connection.use
