/**
 * Whether the server is reachable. A request that does not reach it marks the connection as lost. Then /healthz is polled
 * until it answers, and listeners read their data again. Meanwhile pages stay as they are.
 */
import { useSyncExternalStore } from 'react'

export type Connection = 'open' | 'lost'

const FIRST_WAIT_MS = 500
const MOST_WAIT_MS = 5_000

let connection: Connection = 'open'
const listeners = new Set<() => void>()
const returnListeners = new Set<() => void>()

const become = (next: Connection): void => {
  if (connection === next) return
  connection = next
  for (const listener of listeners) listener()
}

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
    return (await fetch('/healthz', { cache: 'no-store' })).ok
  } catch {
    return false
  }
}

const waitForReturn = async (): Promise<void> => {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MOST_WAIT_MS)) {
    await pause(wait)
    if (await isThere()) break
  }
  become('open')
  for (const listener of returnListeners) listener()
}

/** Call it when a request could not reach the server. */
export const reportLost = (): void => {
  if (connection === 'lost') return
  become('lost')
  void waitForReturn()
}

/** @returns a function that removes the listener */
export const onReturn = (listener: () => void): (() => void) => {
  returnListeners.add(listener)
  return () => void returnListeners.delete(listener)
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection)
