/** Short messages that disappear on their own: `announce({ title: t.saved })`. An action may undo what was done. */
import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { defineMessages, useMessages } from '../language/messages.ts'
import { buttonClass } from './button.tsx'
import styles from './toast.module.css'

const messages = defineMessages({
  news: { en: 'Notifications', ko: '알림' },
})

const manager = Toast.createToastManager()

export type News = Readonly<{
  title: string
  text?: string
  /** @default plain */
  tone?: 'plain' | 'bad'
  action?: Readonly<{ label: string; run: () => void }>
}>

export const announce = ({ title, text, tone = 'plain', action }: News): void => {
  manager.add({
    title,
    type: tone,
    priority: tone === 'bad' ? 'high' : 'low',
    ...(text === undefined ? {} : { description: text }),
    ...(action === undefined
      ? {}
      : { actionProps: { children: action.label, onClick: action.run } }),
  })
}

const Toasts = () => {
  const t = useMessages(messages)
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <div className={styles.text}>
        <Toast.Title className={styles.title} />
        <Toast.Description />
      </div>
      {toast.actionProps === undefined ? null : <Toast.Action className={buttonClass()} />}
      <Toast.Close className={buttonClass('quiet', true)} aria-label={t.close}>
        <X size={15} />
      </Toast.Close>
    </Toast.Root>
  ))
}

/** Mount it once, around the page. */
export const ToastRegion = () => {
  const t = useMessages(messages)
  return (
    <Toast.Provider toastManager={manager} timeout={6_000}>
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport} aria-label={t.news}>
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}
