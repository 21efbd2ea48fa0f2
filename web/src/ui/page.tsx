/** The frame of a page: its heading, a sentence, and its actions. The heading is also the title of the browser tab. */
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import styles from './page.module.css'

export type PageProps = Readonly<{
  title: string
  /** Links to the pages above, before the title. */
  trail?: ReactNode
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** Whether the page fills the window and a part of it scrolls, such as a long table. @default false */
  isFilled?: boolean
}>

/** Whether the page that is being replaced had the focus on its heading. */
let hadFocus = false

/**
 * Moves the focus from the heading that a page has while it loads to the one that replaces it. Otherwise the focus would be
 * lost, and a screen reader would start again at the top.
 */
const useHandedFocus = (heading: RefObject<HTMLElement | null>): void =>
  useLayoutEffect(() => {
    const { current } = heading
    if (hadFocus) current?.focus()
    return () => {
      hadFocus = current !== null && current === document.activeElement
      // the next heading comes at once or not at all
      queueMicrotask(() => {
        hadFocus = false
      })
    }
  }, [heading])

export const Page = ({ title, trail, about, actions, children, isFilled = false }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useHandedFocus(heading)
  useEffect(() => {
    document.title = `${title} · svc`
  }, [title])
  return (
    <div className={`${styles.page} ${isFilled ? '' : styles.scrolls}`}>
      <header className={styles.head}>
        <div className={styles.words}>
          {trail === undefined ? null : <div className={styles.trail}>{trail}</div>}
          <h1 ref={heading} className={styles.title} tabIndex={-1} data-page-title>
            {title}
          </h1>
          {about === undefined ? null : <div className="quiet">{about}</div>}
        </div>
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}
