/** Fields below one another. Enter sends it; the browser checks what it can before. */
import type { ReactNode } from 'react'
import styles from './form-column.module.css'

export type FormColumnProps = Readonly<{
  /** A button outside of it names it by `form`. */
  id?: string
  onSubmit: () => void
  children: ReactNode
}>

export const FormColumn = ({ id, onSubmit, children }: FormColumnProps) => (
  <form
    {...(id === undefined ? {} : { id })}
    className={styles.column}
    onSubmit={(event) => {
      event.preventDefault()
      // a dialog stands in the page of another form, as React sees it
      event.stopPropagation()
      onSubmit()
    }}
  >
    {children}
  </form>
)
