/** A workspace: side bar and page. Nothing is shown before it is known who looks, and what they may. */
import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError } from '#sdk/client.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import { isUnauthenticated } from '../session/api.ts'
import { meQuery, whoamiQuery } from '../session/session.ts'
import { ErrorState, Loading } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { MAIN_ID } from './app-frame.tsx'
import { keepSetting } from './settings.ts'
import { Sidebar } from './sidebar.tsx'
import styles from './workspace-frame.module.css'

const messages = defineMessages({
  closed: { en: 'This workspace is not open to you', ko: '이 워크스페이스에 접근할 수 없습니다' },
})

export const WorkspaceFrame = () => {
  const t = useMessages(messages)
  const { ws } = useParams({ from: '/w/$ws' })
  const here = useRouterState({ select: ({ location }) => location.href })
  const own = useQuery(whoamiQuery(ws))
  const me = useQuery(meQuery)
  const isOpen = own.isSuccess
  useEffect(() => {
    if (isOpen) keepSetting('workspace', ws)
  }, [isOpen, ws])

  if (isUnauthenticated(own.error) || isUnauthenticated(me.error)) {
    return <Navigate to="/sign-in" search={{ next: here }} replace />
  }
  const isRefused = own.error instanceof ApiError && own.error.status === 403
  return (
    <div className={styles.frame}>
      <Sidebar />
      <main className={styles.main} id={MAIN_ID} tabIndex={-1}>
        {own.data !== undefined ? (
          <Outlet />
        ) : own.error === null ? (
          <Loading />
        ) : (
          <Page title={ws}>
            <ErrorState
              error={own.error}
              {...(isRefused ? { title: t.closed } : { onRetry: () => void own.refetch() })}
            />
          </Page>
        )}
      </main>
    </div>
  )
}
