/** The frame of a page: its heading, a sentence, what can be done. The heading names the browser's tab too. */
import { type ReactNode, useEffect } from 'react'
import styles from './page.module.css'

export type PageProps = Readonly<{
  title: string
  /** Before the title: links to the pages above. */
  trail?: ReactNode
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** The page fills the window and something in it scrolls, as a long table does. @default false */
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
