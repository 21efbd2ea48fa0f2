/** Values in the memory of the page, outside the tree of components. */
import { useSyncExternalStore } from 'react'

export type PageValue<T> = Readonly<{
  get: () => T
  set: (next: T) => void
  /** Renders the component again when the value changes. */
  use: () => T
}>

export const createPageValue = <T>(initial: T): PageValue<T> => {
  let value = initial
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const get = (): T => value
  return {
    get,
    set: (next) => {
      value = next
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}
