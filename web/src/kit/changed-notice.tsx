/** Shows in a form that what it changes was changed meanwhile. What was typed stays, and saving it overwrites that change. */
import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { defineMessages, useMessages } from '../language/messages.ts'
import { type Fact, Facts } from '../ui/facts.tsx'
import styles from './changed-notice.module.css'

const messages = defineMessages({
  title: { en: 'Changed since you opened it', ko: '그 사이 변경되었습니다' },
  overwrites: {
    en: 'Your entries are still here. Saving overwrites that change.',
    ko: '입력한 내용은 그대로 있습니다. 저장하면 변경된 내용을 덮어씁니다.',
  },
  gone: { en: 'Deleted since you opened it', ko: '그 사이 삭제되었습니다' },
  creates: {
    en: 'Your entries are still here. Saving creates it again.',
    ko: '입력한 내용은 그대로 있습니다. 저장하면 다시 만들어집니다.',
  },
})

export type ChangedNoticeProps = Readonly<{
  /** How it is now; null if it was deleted. */
  now: readonly Fact[] | null
}>

export const ChangedNotice = ({ now }: ChangedNoticeProps) => {
  const t = useMessages(messages)
  const title = useId()
  return (
    <section className={styles.notice} role="alert" aria-labelledby={title}>
      <h3 id={title}>
        <TriangleAlert size={16} aria-hidden="true" />
        {now === null ? t.gone : t.title}
      </h3>
      {now === null ? null : <Facts facts={now} />}
      <p>{now === null ? t.creates : t.overwrites}</p>
    </section>
  )
}
