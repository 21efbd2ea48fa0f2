/** The account of a person without a workspace, whose pages have no side bar. */
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { AloneFrame } from '../../app/alone-frame.tsx'
import { isUnauthenticated } from '../../session/api.ts'
import { meQuery } from '../../session/session.ts'
import { ErrorState, Loading } from '../../ui/notice.tsx'
import { AccountPage } from './page.tsx'

export const AccountAlone = () => {
  const { data, error, refetch } = useQuery(meQuery)
  if (isUnauthenticated(error)) {
    return <Navigate to="/sign-in" search={{ next: '/ui/account' }} replace />
  }
  return (
    <AloneFrame>
      {data !== undefined ? (
        <AccountPage />
      ) : error === null ? (
        <Loading />
      ) : (
        <ErrorState error={error} onRetry={refetch} />
      )}
    </AloneFrame>
  )
}
