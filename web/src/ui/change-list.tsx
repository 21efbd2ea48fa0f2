/** The additions, changes and removals of a planned deployment. */
import type { Schemas } from '#sdk/client.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import styles from './change-list.module.css'
import { reachableScroller } from './reachable-scroller.ts'

const messages = defineMessages({
  action: { en: 'action', ko: '액션' },
  flow: { en: 'flow', ko: '플로우' },
  webhook: { en: 'webhook', ko: '웹훅' },
  schedule: { en: 'schedule', ko: '일정' },
  event: { en: 'event', ko: '이벤트' },
  function: { en: 'function', ko: '함수' },
  added: { en: 'added', ko: '추가' },
  changed: { en: 'changed', ko: '변경' },
  removed: { en: 'removed', ko: '삭제' },
  title: { en: 'Changes', ko: '변경 내용' },
  nothing: {
    en: 'No changes to actions, flows, webhooks, schedules, events or functions.',
    ko: '액션, 플로우, 웹훅, 일정, 이벤트, 함수에 달라지는 점이 없습니다.',
  },
  warning: {
    en: 'Removed items can no longer be called. Their schedules are turned off until the items are deployed again.',
    ko: '삭제되는 항목은 더 이상 호출할 수 없고, 연결된 일정도 항목을 다시 배포할 때까지 꺼집니다.',
  },
})

const HOWS = ['removed', 'added', 'changed'] as const

export const ChangeList = ({ changes }: Readonly<{ changes: Schemas['DeploymentChanges'] }>) => {
  const t = useMessages(messages)
  const rows = HOWS.flatMap((how) => changes[how].map((part) => ({ ...part, how })))
  if (rows.length === 0) return <p>{t.nothing}</p>
  return (
    <section className={styles.changes} aria-label={t.title}>
      <h3>{t.title}</h3>
      <ul ref={reachableScroller}>
        {rows.map(({ kind, key, how }) => (
          <li key={`${kind} ${key}`}>
            <span className="quiet">{t[kind]}</span> <strong>{key}</strong>{' '}
            <span data-how={how}>{t[how]}</span>
          </li>
        ))}
      </ul>
      {changes.removed.length === 0 ? null : <p className="bad">{t.warning}</p>}
    </section>
  )
}
