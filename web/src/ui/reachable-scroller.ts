/**
 * Makes an element that scrolls reachable by Tab, so that the arrow keys scroll it. Not every browser does so itself [WCAG 2.1.1].
 *
 *     <ul className={styles.scrolls} ref={reachableScroller}>
 */
const REACHABLE =
  ':is(a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"])'

const isScrolled = ({ scrollHeight, clientHeight, scrollWidth, clientWidth }: HTMLElement) =>
  scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1

export const reachableScroller = (element: HTMLElement | null): (() => void) | undefined => {
  if (element === null) return
  const update = (): void => {
    // a control in it takes the focus, and the browser scrolls to it
    if (element.querySelector(REACHABLE) === null && isScrolled(element)) element.tabIndex = 0
    else if (document.activeElement !== element) element.removeAttribute('tabindex')
  }
  const sizes = new ResizeObserver(update)
  sizes.observe(element)
  const contents = new MutationObserver(update)
  contents.observe(element, { childList: true, characterData: true, subtree: true })
  return () => {
    sizes.disconnect()
    contents.disconnect()
  }
}
