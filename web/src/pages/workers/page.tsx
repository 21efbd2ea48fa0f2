import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { DEFAULT_WINDOW } from '../../figures/windows.ts'
import { Loaded } from '../../kit/detail-page.tsx'
import { useMessages } from '../../language/messages.ts'
import { lessOften } from '../../live/read-interval.ts'
import { useApi } from '../../session/api.ts'
import { Page } from '../../ui/page.tsx'
import { messages } from '../../workers/messages.ts'
import { WorkerTables } from '../../workers/worker-tables.tsx'
import { WorkerHistory } from './history.tsx'

const route = getRouteApi('/w/$ws/workers')

const EVERY_MS = 2_000

export const WorkersPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { span = DEFAULT_WINDOW } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const query = useQuery({
    queryKey: [ws, 'workers'],
    queryFn: ({ signal }) => api.get('/workers', { signal }),
    refetchInterval: lessOften(EVERY_MS),
  })
  return (
    <Page title={t.workers} about={t.about}>
      <Loaded query={query}>{(data) => <WorkerTables found={data} />}</Loaded>
      <WorkerHistory
        span={span}
        onSpan={(next) => void navigate({ search: { span: next }, replace: true })}
      />
    </Page>
  )
}
