/** Whether the window is as narrow as a phone, by the same width as in the style sheets. */
import { useSyncExternalStore } from 'react'

const query = matchMedia('(max-width: 40rem)')

const subscribe = (listener: () => void): (() => void) => {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => query.matches)
