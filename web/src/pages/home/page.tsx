import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { AloneFrame } from '../../app/alone-frame.tsx'
import { useSignOut } from '../../app/user-menu.tsx'
import { readSetting } from '../../browser/settings.ts'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { isUnauthenticated } from '../../session/api.ts'
import { workspacesQuery } from '../../session/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'

const messages = defineMessages({
  title: { en: 'No workspace', ko: '워크스페이스 없음' },
  text: {
    en: 'You are not a member of any workspace. Ask an admin for an invite, or create a workspace on the server:',
    ko: '로그인했지만 속한 워크스페이스가 없습니다. 관리자에게 초대를 요청하거나 서버에서 워크스페이스를 만드세요.',
  },
})

/** What a person can do without a workspace. */
const Ways = () => {
  const t = useMessages(messages)
  const signOut = useSignOut()
  return (
    <>
      <Link to="/account" className={buttonClass()}>
        {t.account}
      </Link>
      <Button onClick={() => void signOut()}>{t.signOut}</Button>
    </>
  )
}

export const HomePage = () => {
  const t = useMessages(messages)
  const { data: workspaces, error, refetch } = useQuery(workspacesQuery)
  if (isUnauthenticated(error)) return <Navigate to="/sign-in" replace />
  if (workspaces !== undefined) {
    const last = readSetting('workspace')
    const ws = (workspaces.find(({ id }) => id === last) ?? workspaces[0])?.id
    if (ws !== undefined) return <Navigate to="/w/$ws" params={{ ws }} replace />
    return (
      <AloneFrame>
        <Page title={t.title} actions={<Ways />}>
          <EmptyState title={t.title} text={t.text} command="svc workspace create my-team" />
        </Page>
      </AloneFrame>
    )
  }
  return error === null ? <Loading /> : <ErrorState error={error} onRetry={refetch} />
}
