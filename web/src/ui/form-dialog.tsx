/** A dialog that asks for fields and sends them. A refusal is shown above them, and they keep what was typed. */
import { type ReactNode, useId } from 'react'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { FormColumn } from './form-column.tsx'
import { ErrorState } from './notice.tsx'

export type FormDialogProps = Omit<DialogProps, 'isOpen' | 'foot'> &
  Readonly<{
    /** The action itself, on the button. */
    send: string
    onSend: () => void
    /** It is under way, or not complete. */
    isDisabled: boolean
    error: Error | null
    /** Shown above the server's sentence. */
    failed: string
    /** Another button, before the one that sends. */
    extra?: ReactNode
    /** The server checks the fields, not the browser. @default false */
    noValidate?: boolean
    /** It deletes something. @default false */
    isDangerous?: boolean
  }>

export const FormDialog = (props: FormDialogProps) => {
  const { send, onSend, isDisabled, error, failed, extra, isDangerous = false, children } = props
  const { title, onClose, isWide = false, isHeld = false, noValidate = false } = props
  const form = useId()
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      isWide={isWide}
      isHeld={isHeld}
      foot={
        <>
          {extra}
          <Button
            type="submit"
            form={form}
            look={isDangerous ? 'danger' : 'primary'}
            disabled={isDisabled}
          >
            {send}
          </Button>
        </>
      }
    >
      <FormColumn id={form} onSubmit={onSend} noValidate={noValidate}>
        {error === null ? null : <ErrorState error={error} title={failed} />}
        {children}
      </FormColumn>
    </Dialog>
  )
}
