/** A dialog that asks for fields and sends them. What is refused is said above them, and they stay as they were typed. */
import { useId } from 'react'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { FormColumn } from './form-column.tsx'
import { ErrorState } from './notice.tsx'

export type FormDialogProps = Omit<DialogProps, 'isOpen' | 'foot'> &
  Readonly<{
    /** The deed itself, on the button. */
    send: string
    onSend: () => void
    /** It is under way, or not complete. */
    isDisabled: boolean
    error: Error | null
    /** Said above the server's sentence. */
    failed: string
  }>

export const FormDialog = (props: FormDialogProps) => {
  const { send, onSend, isDisabled, error, failed, children, ...dialog } = props
  const form = useId()
  return (
    <Dialog
      {...dialog}
      isOpen
      foot={
        <Button type="submit" form={form} look="primary" disabled={isDisabled}>
          {send}
        </Button>
      }
    >
      <FormColumn id={form} onSubmit={onSend}>
        {error === null ? null : <ErrorState error={error} title={failed} />}
        {children}
      </FormColumn>
    </Dialog>
  )
}
