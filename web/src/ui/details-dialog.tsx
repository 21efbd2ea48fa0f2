/** What a row of a list holds in full, and the one deed that ends it, which is asked for before it is done. */
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { ConfirmDialog, Dialog } from './dialog.tsx'

export type DetailsDialogProps = Readonly<{
  title: string
  onClose: () => void
  deed: Readonly<{
    /** False: it has ended already, or this person may not end it. */
    isOffered: boolean
    label: string
    /** A question: `Revoke this token?` */
    title: string
    text: string
    run: () => void
    isBusy: boolean
  }>
  children: ReactNode
}>

export const DetailsDialog = ({ title, onClose, deed, children }: DetailsDialogProps) => {
  const [isAsked, setAsked] = useState(false)
  if (isAsked && deed.isOffered) {
    return (
      <ConfirmDialog
        isOpen
        onClose={() => setAsked(false)}
        title={deed.title}
        text={deed.text}
        confirm={deed.label}
        onConfirm={deed.run}
        isBusy={deed.isBusy}
      />
    )
  }
  const foot = (
    <Button look="danger" onClick={() => setAsked(true)}>
      {deed.label}
    </Button>
  )
  return (
    <Dialog isOpen onClose={onClose} title={title} {...(deed.isOffered ? { foot } : {})}>
      {children}
    </Dialog>
  )
}
