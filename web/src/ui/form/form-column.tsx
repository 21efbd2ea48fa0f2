/** A form with fields in one column. Enter submits it, after the browser has validated the fields. */
import type { ReactNode } from 'react'

export type FormColumnProps = Readonly<{
  /** The id by which a button outside of the form refers to it in `form`. */
  id?: string
  onSubmit: () => void
  /** Called with each character that is typed, and each choice. */
  onInput?: () => void
  /** Whether only the server validates the fields, not the browser. @default false */
  noValidate?: boolean
  children: ReactNode
}>

export const FormColumn = (props: FormColumnProps) => {
  const { id, onSubmit, onInput, noValidate = false, children } = props
  return (
    <form
      {...(id === undefined ? {} : { id })}
      className="stack"
      noValidate={noValidate}
      onInput={() => onInput?.()}
      onSubmit={(event) => {
        event.preventDefault()
        // in React, the dialog is inside another form, which must not receive this event
        event.stopPropagation()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}
