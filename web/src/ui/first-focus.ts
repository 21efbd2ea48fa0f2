/**
 * Where the focus of a dialog begins, and where it returns. It begins in the first field, else on the control that FIRST_FOCUS
 * marks, else on the dialog itself, whose title a screen reader then reads. The page behind is inert while a dialog is open, also
 * for a Tab that comes before the focus has moved.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { createPageValue } from '../browser/page-value.ts'

/** Marks the control that has the focus first in a dialog without fields. */
export const FIRST_FOCUS = { 'data-first-focus': '' } as const

const FIELD =
  ':is(input:not([type=hidden]), select, textarea):enabled, [contenteditable=true]:not([aria-readonly=true])'
const MARKED = '[data-first-focus]:enabled'

/** Number of open dialogs. */
const dialogs = createPageValue(0)

/** Whether a dialog covers the page. */
export const useIsBehindDialog = (): boolean => dialogs.use() > 0

/** What had the focus before a dialog that closes in this turn; another dialog may replace it. */
let replaced: Element | null = null

/**
 * Covers the page before the browser shows the dialog, so that no key reaches the page behind it.
 * @returns what Base UI calls when the dialog closes, to learn where the focus returns
 */
const useCoveredPage = (isOpen: boolean): (() => true | HTMLElement) => {
  const opener = useRef<Element>(null)
  useLayoutEffect(() => {
    if (!isOpen) return
    const { activeElement, body } = document
    opener.current = activeElement === body ? replaced : activeElement
    dialogs.set(dialogs.get() + 1)
    return () => {
      dialogs.set(dialogs.get() - 1)
      replaced = opener.current
      queueMicrotask(() => {
        replaced = null
      })
    }
  }, [isOpen])
  return useCallback(() => {
    const { current } = opener
    return current instanceof HTMLElement && current.isConnected ? current : true
  }, [])
}

/** @returns whether the focus is in a field now, so that it stays there */
const focusFirst = (popup: HTMLElement, body: HTMLElement | null): boolean => {
  const field = body?.querySelector<HTMLElement>(FIELD) ?? null
  const target = field ?? popup.querySelector<HTMLElement>(MARKED) ?? popup
  target.focus({ preventScroll: target === popup })
  return field !== null
}

/** Fields may come later, such as a code editor. They get the focus too, but only before the first key or click. */
const focusLateField = (
  popup: HTMLElement,
  body: RefObject<HTMLElement | null>,
  signal: AbortSignal,
): void => {
  const observer = new MutationObserver(() => {
    if (focusFirst(popup, body.current)) observer.disconnect()
  })
  observer.observe(popup, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'contenteditable'],
  })
  const stop = (): void => observer.disconnect()
  for (const type of ['keydown', 'pointerdown']) {
    document.addEventListener(type, stop, { capture: true, once: true, signal })
  }
  signal.addEventListener('abort', stop)
}

/**
 * @param body the part of the dialog that has the fields
 * @returns a reference for the dialog, and what Base UI calls when it has opened and when it closes. Base UI itself would move the
 *   focus at the next frame, which comes late on a busy machine, and would not find the opener of a dialog that this one replaces.
 */
export const useFirstFocus = (isOpen: boolean, body: RefObject<HTMLElement | null>) => {
  const popup = useRef<HTMLDivElement>(null)
  const late = useRef<AbortController>(null)
  const finalFocus = useCoveredPage(isOpen)
  useEffect(() => {
    if (!isOpen) return
    return () => late.current?.abort()
  }, [isOpen])
  const initialFocus = useCallback(
    (by: string): false => {
      const { current } = popup
      // a field with autoFocus has it already
      if (current === null || current.contains(document.activeElement)) return false
      if (by === 'touch') {
        // in a field, the keyboard of the screen would cover the form
        current.focus({ preventScroll: true })
      } else if (!focusFirst(current, body.current)) {
        late.current = new AbortController()
        focusLateField(current, body, late.current.signal)
      }
      return false
    },
    [body],
  )
  return { popup, initialFocus, finalFocus }
}
