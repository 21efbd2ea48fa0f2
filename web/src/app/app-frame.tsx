/** The frame of every page: a link past the side bar, announcements, notes about a lost connection and old data, focus after a change of page. */
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useConnection } from '../browser/connection.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import { readStaleAgain, useStaleError } from '../session/stale-data.ts'
import { Button } from '../ui/button.tsx'
import { useIsBehindDialog } from '../ui/first-focus.ts'
import { useErrorSentence } from '../ui/notice.tsx'
import { SlowChange } from '../ui/slow-change.tsx'
import { ToastRegion } from '../ui/toast.tsx'
import styles from './app-frame.module.css'
import { useKeptFocus } from './use-kept-focus.ts'

const messages = defineMessages({
  skip: { en: 'Skip to content', ko: '본문으로 건너뛰기' },
  lost: {
    en: 'The server is not responding. Reconnecting automatically; this page may be out of date.',
    ko: '서버가 응답하지 않습니다. 자동으로 다시 연결하며, 지금 보이는 내용은 오래된 것일 수 있습니다.',
  },
  stale: {
    en: 'This page could not be refreshed and may be out of date.',
    ko: '내용을 새로 고치지 못했습니다. 지금 보이는 내용은 오래된 것일 수 있습니다.',
  },
})

export const MAIN_ID = 'main'

/** Moves the focus to a new page, so that a screen reader announces it. Filters change the address without moving the focus. */
const useFocusOnNewPage = (): void => {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const before = useRef(path)
  useEffect(() => {
    if (path === before.current) return
    const isFirst = before.current === undefined
    before.current = path
    if (!isFirst) document.querySelector<HTMLElement>('[data-page-title]')?.focus()
  }, [path])
}

const Stale = () => {
  const t = useMessages(messages)
  const sentence = useErrorSentence()
  const error = useStaleError()
  return error === null ? null : (
    <p className={styles.lost}>
      {t.stale} {sentence(error)} <Button onClick={readStaleAgain}>{t.retry}</Button>
    </p>
  )
}

export const AppFrame = () => {
  const t = useMessages(messages)
  const connection = useConnection()
  const isBehind = useIsBehindDialog()
  useFocusOnNewPage()
  useKeptFocus()
  return (
    <>
      <a className={styles.skip} href={`#${MAIN_ID}`} inert={isBehind}>
        {t.skip}
      </a>
      <div role="status">
        {connection === 'lost' ? <p className={styles.lost}>{t.lost}</p> : <Stale />}
      </div>
      <SlowChange />
      <div className={styles.page} inert={isBehind}>
        <Outlet />
      </div>
      <ToastRegion />
    </>
  )
}
