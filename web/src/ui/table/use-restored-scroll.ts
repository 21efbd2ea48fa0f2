/**
 * Scrolls a list back to where it was before a reload. The router restores the place of a list that is drawn at once; here the
 * rows come later, and those of further pages only when the reader is near them. The reader's own scrolling ends it.
 */
import { useElementScrollRestoration } from '@tanstack/react-router'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** A list that was scrolled far down would be loaded in very many pages. */
const MOST_ROWS = 1_000
const OWN_SCROLLING = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

type Scrolled = Readonly<{
  /** The value of `data-scroll-restoration-id` of the element that scrolls. */
  id: string
  rows: number
  isComplete: boolean
}>

export const useRestoredScroll = (
  element: RefObject<HTMLElement | null>,
  { id, rows, isComplete }: Scrolled,
): void => {
  const wanted = useRef(useElementScrollRestoration({ id })?.scrollY ?? 0)
  useEffect(() => {
    const { current } = element
    const give = (): void => {
      wanted.current = 0
    }
    for (const name of OWN_SCROLLING) current?.addEventListener(name, give, { passive: true })
    return () => {
      for (const name of OWN_SCROLLING) current?.removeEventListener(name, give)
    }
  }, [element])
  useLayoutEffect(() => {
    const { current } = element
    if (current === null || wanted.current === 0 || rows === 0) return
    if (current.scrollTop < wanted.current) current.scrollTop = wanted.current
    const isThere = current.scrollTop >= wanted.current - 1
    if (isThere || isComplete || rows >= MOST_ROWS) wanted.current = 0
  }, [element, rows, isComplete])
}
