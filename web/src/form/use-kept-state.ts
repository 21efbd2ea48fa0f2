/** State that survives a reload. It is kept only for this tab, and is lost when the tab closes. Never use it for secrets. */
import { useEffect, useState } from 'react'

const keyOf = (name: string): string => `svc.draft.${name}`

const read = (name: string): string | null => {
  try {
    return sessionStorage.getItem(keyOf(name))
  } catch {
    return null
  }
}

const keep = (name: string, text: string | null): void => {
  try {
    if (text === null) sessionStorage.removeItem(keyOf(name))
    else sessionStorage.setItem(keyOf(name), text)
  } catch {
    // no storage, or it is full: a reload loses the text
  }
}

/** @returns the text, its setter, and a function that forgets the draft once it was sent */
export const useKeptState = (
  name: string,
  initial: string,
): readonly [string, (text: string) => void, () => void] => {
  const [text, setText] = useState(() => read(name) ?? initial)
  useEffect(() => keep(name, text === initial ? null : text), [name, text, initial])
  return [text, setText, () => keep(name, null)]
}
