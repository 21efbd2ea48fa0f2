/**
 * The API key for calls from the parser page, because the API accepts no session there [access 2.5]. It is kept only in the
 * memory of this page: a reload loses it, and it is not available to the next person who signs in, or in another workspace.
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

/** @returns the key, empty if there is none, and a function that sets another */
export const useHeldApiKey = (): readonly [string, (key: string) => void] => {
  const owner = `${useIdentity() ?? ''} ${useWorkspace()}`
  const { key, owner: holder } = useSyncExternalStore(subscribe, () => held)
  return [holder === owner ? key : '', (next) => hold({ key: next, owner })]
}
