/** Small settings of this browser: theme, language, the last workspace. They contain nothing about jobs, and never a secret. */
import { useSyncExternalStore } from 'react'

export type SettingName =
  | 'theme'
  | 'language'
  | 'workspace'
  | 'shortcuts'
  | 'sidebar'
  /** Per workspace: whether the checklist of first steps was shown or is over, and whether a log was opened. */
  | `first-steps ${string}`
  | `log-seen ${string}`
  /** Per workspace: the most recent targets of the palette. */
  | `recent ${string}`

const listeners = new Set<() => void>()
/** Used if there is no storage, for example in a browser that forbids it. */
const unkept = new Map<SettingName, string>()

const keyOf = (name: SettingName): string => `svc.${name}`

export const readSetting = (name: SettingName): string | null => {
  try {
    return localStorage.getItem(keyOf(name))
  } catch {
    return unkept.get(name) ?? null
  }
}

/** Stores a setting. Null removes it. */
export const keepSetting = (name: SettingName, value: string | null): void => {
  try {
    if (value === null) localStorage.removeItem(keyOf(name))
    else localStorage.setItem(keyOf(name), value)
  } catch {
    if (value === null) unkept.delete(name)
    else unkept.set(name, value)
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  // changes by another tab of this browser
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

export const useSetting = (name: SettingName): string | null =>
  useSyncExternalStore(subscribe, () => readSetting(name))
