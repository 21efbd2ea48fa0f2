/**
 * State that survives a reload. It is kept only for this tab and person, and is lost when the tab closes or the person signs out.
 * Never use it for secrets.
 */
import { useEffect, useState } from 'react'
import { useIdentity } from '../session/session.ts'

const PREFIX = 'svc.draft.'
const keyOf = (name: string): string => `${PREFIX}${name}`

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

/** Forgets all texts of this tab, so that the next person who signs in does not have them. */
export const forgetKeptStates = (): void => {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
    }
  } catch {
    // without storage, nothing was kept
  }
}

const keptOf = (text: string, isKept: boolean | ((text: string) => string)): string | null => {
  if (typeof isKept === 'function') return isKept(text)
  return isKept ? text : null
}

/**
 * @param isKept false if the text may contain a secret: it does not survive then. Or a function that returns the text without its
 * secrets, which survives
 * @returns the text, its setter, and a function that forgets the draft once it was sent
 */
export const useKeptState = (
  subject: string,
  initial: string,
  isKept: boolean | ((text: string) => string) = true,
): readonly [string, (text: string) => void, () => void] => {
  const name = `${useIdentity() ?? ''} ${subject}`
  const [known, setKnown] = useState(() => ({ name, text: read(name) ?? initial }))
  // a page that shows another subject without being mounted again has another text
  const text = known.name === name ? known.text : (read(name) ?? initial)
  const kept = keptOf(text, isKept)
  useEffect(() => keep(name, kept === initial ? null : kept), [name, kept, initial])
  return [text, (next) => setKnown({ name, text: next }), () => keep(name, null)]
}
