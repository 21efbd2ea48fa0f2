/**
 * The API key that the parser's playground calls with: the API takes no session there (contract, Auth and people). Held in
 * this page's memory alone, and gone with a reload or the sign-out's.
 */
import { useSyncExternalStore } from 'react'

let held = ''
const listeners = new Set<() => void>()

export const holdApiKey = (key: string): void => {
  held = key
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useHeldApiKey = (): string => useSyncExternalStore(subscribe, () => held)
