/**
 * Moves the focus to the page's heading when the element that has it disappears, for example the form of an approval that
 * was answered. Otherwise the keyboard would start again at the top, and a screen reader would read nothing.
 */
import { useEffect } from 'react'

/** A dialog that closes returns the focus itself, after its end. */
const OTHERS_FIRST_MS = 100

export const useKeptFocus = (): void => {
  useEffect(() => {
    let last: Element | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const remember = (): void => {
      const { activeElement, body } = document
      last = activeElement === body ? null : activeElement
    }
    const isLost = (): boolean =>
      last !== null && !last.isConnected && document.activeElement === document.body
    const restore = (): void => {
      timer = undefined
      if (!isLost()) return
      document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(() => {
      if (timer === undefined && isLost()) timer = setTimeout(restore, OTHERS_FIRST_MS)
    })
    document.addEventListener('focusin', remember)
    // a click outside of all controls clears the focus; capture reads it before the click removes its own button
    document.addEventListener('click', remember, true)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
      clearTimeout(timer)
      document.removeEventListener('focusin', remember)
      document.removeEventListener('click', remember, true)
    }
  }, [])
}
