/** A dialog with fields to send. A refusal is shown above the fields, and they keep their text. */
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../button.tsx'
import { Dialog, type DialogProps } from '../dialog.tsx'
import { FIRST_FOCUS } from '../first-focus.ts'
import { ErrorState } from '../notice.tsx'
import { FormColumn } from './form-column.tsx'

export type FormDialogProps = Omit<DialogProps, 'isOpen' | 'foot'> &
  Readonly<{
    /** The label of the button: the action itself. */
    send: string
    onSend: () => void
    /** Whether the form is incomplete. @default false */
    isDisabled?: boolean
    error: Error | null
    /** Shown above the server's message. */
    failed: string
    /** Another button, before the submit button. */
    extra?: ReactNode
    /** Whether only the server validates the fields, not the browser. @default false */
    noValidate?: boolean
    /** Whether it deletes something. @default false */
    isDangerous?: boolean
  }>

export const FormDialog = (props: FormDialogProps) => {
  const {
    children,
    send,
    onSend,
    error,
    failed,
    extra,
    isDangerous = false,
    isDisabled = false,
  } = props
  const {
    title,
    onClose,
    isWide = false,
    isHeld = false,
    isBusy = false,
    noValidate = false,
  } = props
  const form = useId()
  const [isTyped, setTyped] = useState(false)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      isWide={isWide}
      // a click outside would lose what was typed
      isHeld={isHeld || isTyped}
      isBusy={isBusy}
      foot={
        <>
          {extra}
          <Button
            type="submit"
            form={form}
            look={isDangerous ? 'danger' : 'primary'}
            disabled={isBusy || isDisabled}
            // Enter deletes nothing in a dialog that was only opened
            {...(isDangerous ? {} : FIRST_FOCUS)}
          >
            {send}
          </Button>
        </>
      }
    >
      <FormColumn
        id={form}
        onSubmit={onSend}
        onInput={() => setTyped(true)}
        noValidate={noValidate}
      >
        {error === null ? null : <ErrorState error={error} title={failed} />}
        {children}
      </FormColumn>
    </Dialog>
  )
}
