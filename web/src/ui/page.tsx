/** The frame of a page: its heading, a sentence, and its actions. The heading is also the title of the browser tab. */
import { type ReactNode, useEffect } from 'react'
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

export const Page = ({ title, trail, about, actions, children, isFilled = false }: PageProps) => {
  useEffect(() => {
    document.title = `${title} · svc`
  }, [title])
  return (
    <div className={`${styles.page} ${isFilled ? '' : styles.scrolls}`}>
      <header className={styles.head}>
        <div className={styles.words}>
          {trail === undefined ? null : <div className={styles.trail}>{trail}</div>}
          <h1 className={styles.title} tabIndex={-1} data-page-title>
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
