/** Fields below one another. Enter sends it; the browser checks what it can before. */
import type { ReactNode } from 'react'

export type FormColumnProps = Readonly<{
  /** A button outside of it names it by `form`. */
  id?: string
  onSubmit: () => void
  /** The server checks the fields, not the browser. @default false */
  noValidate?: boolean
  children: ReactNode
}>

export const FormColumn = ({ id, onSubmit, noValidate = false, children }: FormColumnProps) => (
  <form
    {...(id === undefined ? {} : { id })}
    className="stack"
    noValidate={noValidate}
    onSubmit={(event) => {
      event.preventDefault()
      // for React the dialog is inside another form, which must not get this event
      event.stopPropagation()
      onSubmit()
    }}
  >
    {children}
  </form>
)
