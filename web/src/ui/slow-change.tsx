/** Shown while a change waits for a response of the server for long. A request that never ends would otherwise hold its form for ever. */
import { useEffect, useId } from 'react'
import { createPageValue } from '../browser/page-value.ts'
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

/** Those that are mounted, in the order of their opening: the page's, then those of busy dialogs. */
const places = createPageValue<readonly string[]>([])

/** Only the last place shows the notice, because a busy dialog covers the notice of its page. */
const useIsLast = (): boolean => {
  const id = useId()
  useEffect(() => {
    places.set([...places.get(), id])
    return () => places.set(places.get().filter((each) => each !== id))
  }, [id])
  return places.use().at(-1) === id
}

export const SlowChange = () => {
  const t = useMessages(messages)
  const isLast = useIsLast()
  const hasSlow = useHasSlowChange()
  return (
    <div role="status">
      {isLast && hasSlow ? (
        <p className={styles.slow}>
          {t.slow} <Button onClick={stopWaiting}>{t.stop}</Button>
        </p>
      ) : null}
    </div>
  )
}
