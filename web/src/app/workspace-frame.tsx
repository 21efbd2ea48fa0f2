/** A workspace: side bar and page. Nothing is shown until the person and their permissions are known. */
import { useQuery } from '@tanstack/react-query'
import { Outlet, useMatchRoute, useParams, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError } from '#sdk/client.ts'
import { keepSetting } from '../browser/settings.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import { isUnauthenticated } from '../session/api.ts'
import { meQuery, whoamiQuery } from '../session/session.ts'
import { ErrorState, Loading } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { MAIN_ID } from './app-frame.tsx'
import { Sidebar } from './sidebar.tsx'
import styles from './workspace-frame.module.css'

const messages = defineMessages({
  closed: {
    en: 'You do not have access to this workspace',
    ko: '이 워크스페이스에 접근할 수 없습니다',
  },
})

export const WorkspaceFrame = () => {
  const t = useMessages(messages)
  const { ws } = useParams({ from: '/w/$ws' })
  const own = useQuery(whoamiQuery(ws))
  const me = useQuery(meQuery)
  const isAccount = useMatchRoute()({ to: '/w/$ws/account', params: { ws } }) !== false
  const isOpen = own.isSuccess
  useEffect(() => {
    if (isOpen) keepSetting('workspace', ws)
  }, [isOpen, ws])

  if (isUnauthenticated(own.error) || isUnauthenticated(me.error)) {
    return <ToSignIn hasEnded={me.data !== undefined} />
  }
  // the account belongs to the person, also without access to the workspace
  const isRefused = own.error instanceof ApiError && own.error.status === 403
  return (
    <div className={styles.frame}>
      <Sidebar />
      <main className={styles.main} id={MAIN_ID} tabIndex={-1}>
        {(own.data !== undefined || (isRefused && isAccount)) && !me.isPending ? (
          <Outlet />
        ) : own.error === null ? (
          <Loading />
        ) : (
          <Page title={ws}>
            <ErrorState
              error={own.error}
              {...(isRefused ? { title: t.closed } : {})}
              onRetry={own.refetch}
            />
          </Page>
        )}
      </main>
    </div>
  )
}

const SIGN_IN = '/sign-in'

/** Redirects to sign-in only once, because the address changes before this page is unmounted. */
const ToSignIn = ({ hasEnded }: Readonly<{ hasEnded: boolean }>) => {
  const router = useRouter()
  useEffect(() => {
    const { publicHref, pathname } = router.state.location
    if (pathname === SIGN_IN) return
    const search = { next: publicHref, ...(hasEnded ? { ended: true as const } : {}) }
    void router.navigate({ to: SIGN_IN, search, replace: true })
  }, [router, hasEnded])
  return null
}
