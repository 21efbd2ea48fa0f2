/**
 * The API key that the parser's playground calls with: the API takes no session there [access 2.5]. Held in
 * this page's memory alone: a reload forgets it, and the next person who signs in, or another workspace, does not find it.
 */
import { useSyncExternalStore } from 'react'
import { useWorkspace } from './api.ts'
import { useIdentity } from './session.ts'

type Held = Readonly<{ key: string; owner: string }>

let held: Held = { key: '', owner: '' }
const listeners = new Set<() => void>()

const hold = (next: Held): void => {
  held = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** @returns the key, empty when none is held, and what holds another */
export const useHeldApiKey = (): readonly [string, (key: string) => void] => {
  const owner = `${useIdentity() ?? ''} ${useWorkspace()}`
  const { key, owner: holder } = useSyncExternalStore(subscribe, () => held)
  return [holder === owner ? key : '', (next) => hold({ key: next, owner })]
}
