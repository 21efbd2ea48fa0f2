/** A dialog. It takes the focus and returns it, Escape closes it, and the page behind it is inert. */
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useCallback, useRef } from 'react'
import { defineMessages, useMessages } from '../language/messages.ts'
import { Button, buttonClass } from './button.tsx'
import styles from './dialog.module.css'
import { FIRST_FOCUS, useFirstFocus } from './first-focus.ts'
import { reachableScroller } from './reachable-scroller.ts'
import { SlowChange } from './slow-change.tsx'

const messages = defineMessages({
  cancel: { en: 'Back', ko: '돌아가기' },
})

export type DialogProps = Readonly<{
  isOpen: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** Buttons at the bottom. */
  foot?: ReactNode
  isWide?: boolean
  /** Whether a click outside leaves it open, because its content would be lost. @default false */
  isHeld?: boolean
  /** Whether a request is in progress. The dialog stays open until its response, which it shows. @default false */
  isBusy?: boolean
}>

export const Dialog = (props: DialogProps) => {
  const { isOpen, onClose, title, children, foot, isWide = false } = props
  const { isHeld = false, isBusy = false } = props
  const t = useMessages(messages)
  const body = useRef<HTMLDivElement>(null)
  const watchBody = useCallback((element: HTMLDivElement | null) => {
    body.current = element
    return reachableScroller(element)
  }, [])
  const { popup, initialFocus, finalFocus } = useFirstFocus(isOpen, body)
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open, { event, reason }) => {
        // the second click on the button that opened it falls outside
        const isSecond = reason === 'outside-press' && 'detail' in event && event.detail > 1
        if (!open && !isSecond && !isBusy) onClose()
      }}
      disablePointerDismissal={isHeld}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          className={`${styles.popup} ${isWide ? styles.wide : ''}`}
          ref={popup}
          aria-busy={isBusy}
          initialFocus={initialFocus}
          finalFocus={finalFocus}
        >
          <div className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close className={buttonClass('quiet', true)} aria-label={t.close}>
              <X size={16} />
            </Base.Close>
          </div>
          <div className={styles.body} ref={watchBody}>
            {isBusy ? <SlowChange /> : null}
            {children}
          </div>
          {foot === undefined ? null : <div className={styles.foot}>{foot}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

export type ConfirmDialogProps = Readonly<{
  isOpen: boolean
  onClose: () => void
  /** A question such as `Cancel this job?` */
  title: string
  /** The consequences, and what cannot be undone. */
  text: string
  /** Below the text. */
  children?: ReactNode
  /** The label of the button: the action itself, never “OK”. */
  confirm: string
  onConfirm: () => void
  isBusy?: boolean
  isDangerous?: boolean
}>

export const ConfirmDialog = ({
  text,
  children,
  confirm,
  onConfirm,
  isBusy = false,
  isDangerous = true,
  ...dialog
}: ConfirmDialogProps) => {
  const t = useMessages(messages)
  return (
    <Dialog
      {...dialog}
      foot={
        <>
          <Button onClick={dialog.onClose} {...FIRST_FOCUS}>
            {t.cancel}
          </Button>
          <Button look={isDangerous ? 'danger' : 'primary'} onClick={onConfirm} disabled={isBusy}>
            {confirm}
          </Button>
        </>
      }
    >
      {isBusy ? <SlowChange /> : null}
      <p>{text}</p>
      {children}
    </Dialog>
  )
}
