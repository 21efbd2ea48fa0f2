/** A key with which a repeated request gets the answer to the first, so that a lost answer starts nothing twice [wire 5]. */
import { useMemo } from 'react'

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
