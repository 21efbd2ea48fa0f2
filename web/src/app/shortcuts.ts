/**
 * Keys that work while no field has the focus: a single key (`?`), or `g` and another key (`g
 * j`). Pages add theirs by useShortcut, and the list behind `?` shows them all. People who
 * need single keys for something else can turn them off there.
 */
import { useEffect, useEffectEvent } from 'react'
import { isComposing, latinKey } from '../browser/keys.ts'
import { createPageValue } from '../browser/page-value.ts'
import { readSetting } from '../browser/settings.ts'

export type Shortcut = Readonly<{ keys: string; label: string; run: () => void }>

const PREFIX_MS = 1_500

const shortcuts = createPageValue<readonly Shortcut[]>([])

export const useShortcutList = shortcuts.use

/** Adds a shortcut while the component is mounted. Null adds none. */
export const useShortcut = (keys: string | null, label: string, run: () => void): void => {
  const act = useEffectEvent(run)
  useEffect(() => {
    if (keys === null) return
    const own: Shortcut = { keys, label, run: () => act() }
    shortcuts.set([...shortcuts.get(), own])
    return () => shortcuts.set(shortcuts.get().filter((each) => each !== own))
  }, [keys, label])
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select'))

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"], [role="menu"]') !== null

let prefix: Readonly<{ key: string; at: number }> | null = null

const onKeyDown = (event: KeyboardEvent): void => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  if (isComposing(event)) return
  if (isTyping(event.target) || isInDialog(event.target) || readSetting('shortcuts') === 'off')
    return
  const before = prefix !== null && event.timeStamp - prefix.at < PREFIX_MS ? `${prefix.key} ` : ''
  prefix = null
  const key = latinKey(event)
  const typed = `${before}${key}`
  // the newest one counts, so a page's shortcut comes before the shell's
  const found = shortcuts.get().findLast(({ keys }) => keys === typed)
  if (found !== undefined) {
    event.preventDefault()
    found.run()
  } else if (shortcuts.get().some(({ keys }) => keys.startsWith(`${key} `))) {
    prefix = { key, at: event.timeStamp }
  }
}

/** @returns a function that stops listening */
export const listenForShortcuts = (): (() => void) => {
  addEventListener('keydown', onKeyDown)
  return () => removeEventListener('keydown', onKeyDown)
}
