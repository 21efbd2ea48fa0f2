/** A secret that the server returns only once, to be copied and not kept. A click outside does not close the dialog. */
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { defineMessages, useMessages } from '../language/messages.ts'
import { Button } from './button.tsx'
import { CommandLine } from './command-line.tsx'
import { Dialog } from './dialog.tsx'
import styles from './shown-once.module.css'

const messages = defineMessages({
  warning: {
    en: 'Copy it now. It will not be shown again.',
    ko: '지금 복사해 두세요. 다시 표시되지 않습니다.',
  },
  done: { en: 'I have copied it', ko: '복사했습니다' },
})

export type ShownOnceProps = Readonly<{
  title: string
  secret: string
  onClose: () => void
  /** How to use the secret, below it. */
  children?: ReactNode
}>

export const ShownOnce = ({ title, secret, onClose, children }: ShownOnceProps) => {
  const t = useMessages(messages)
  return (
    <Dialog
      isOpen
      isHeld
      onClose={onClose}
      title={title}
      foot={
        <Button look="primary" onClick={onClose}>
          {t.done}
        </Button>
      }
    >
      <div className="stack-3">
        <p className={styles.warning}>
          <TriangleAlert size={16} aria-hidden="true" />
          {t.warning}
        </p>
        <CommandLine command={secret} />
        {children}
      </div>
    </Dialog>
  )
}
