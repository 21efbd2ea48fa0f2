/** A key with which a repeated request gets the answer to the first, so that a lost answer starts nothing twice [wire 5]. */
import { useCallback, useMemo, useRef } from 'react'
import { mayPass } from '../ui/retry.ts'

const BYTES = 16

// randomUUID exists only on pages that were loaded by https or from this machine
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

/** @param content of the request; another content has another key */
export const useRequestKey = (content: string): string =>
  // biome-ignore lint/correctness/useExhaustiveDependencies: another content needs another key
  useMemo(newKey, [content])

type RunWithKey = <Answer>(send: (key: string) => Promise<Answer>) => Promise<Answer>

/**
 * For a button that starts the same thing at each press: a press after a lost answer repeats the request, and one after an
 * answer starts it again.
 */
export const useRunWithKey = (): RunWithKey => {
  const kept = useRef<string>(undefined)
  return useCallback(async (send) => {
    kept.current ??= newKey()
    try {
      const answer = await send(kept.current)
      kept.current = undefined
      return answer
    } catch (error) {
      if (!mayPass(error)) kept.current = undefined
      throw error
    }
  }, [])
}
