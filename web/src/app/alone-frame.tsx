/** The frame of a page outside of a workspace, which has the main landmark but no side bar. */
import type { ReactNode } from 'react'
import styles from './alone-frame.module.css'
import { MAIN_ID } from './app-frame.tsx'

export const AloneFrame = ({ children }: Readonly<{ children: ReactNode }>) => (
  <main id={MAIN_ID} tabIndex={-1} className={styles.alone}>
    {children}
  </main>
)
