import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { ErrorState, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { messages } from '../../workers/messages.ts'
import { WorkerTables } from '../../workers/worker-tables.tsx'

const route = getRouteApi('/w/$ws/workers')

const EVERY_MS = 2_000

export const WorkersPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'workers'],
    queryFn: ({ signal }) => api.get('/workers', { signal }),
    refetchInterval: EVERY_MS,
  })
  return (
    <Page title={t.title} about={t.about}>
      {data !== undefined ? (
        <WorkerTables found={data} />
      ) : error === null ? (
        <Loading />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}
