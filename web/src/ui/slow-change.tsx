/** Shown while a change waits for a response of the server for long. A request that never ends would otherwise hold its form for ever. */
import { stopWaiting, useHasSlowChange } from '../browser/slow-requests.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import { Button } from './button.tsx'
import styles from './slow-change.module.css'

const messages = defineMessages({
  slow: {
    en: 'The server has not responded yet. You can keep waiting or stop. If you stop, the change may still have been made.',
    ko: '아직 서버 응답이 없습니다. 계속 기다리거나 요청을 중단할 수 있습니다. 중단해도 변경이 이미 반영되었을 수 있습니다.',
  },
  stop: { en: 'Stop waiting', ko: '요청 중단' },
})

export const SlowChange = () => {
  const t = useMessages(messages)
  return (
    <div role="status">
      {useHasSlowChange() ? (
        <p className={styles.slow}>
          {t.slow} <Button onClick={stopWaiting}>{t.stop}</Button>
        </p>
      ) : null}
    </div>
  )
}
