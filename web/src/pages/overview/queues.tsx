/** The waiting jobs by tag, and the workers that can take them. */
import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../../language/messages.ts'
import { lessOften } from '../../live/read-interval.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { Card } from '../../ui/facts.tsx'
import { ErrorState } from '../../ui/notice.tsx'
import { TagTable } from '../../workers/worker-tables.tsx'
import { messages } from './messages.ts'

const EVERY_MS = 5_000

export const Queues = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'workers'],
    queryFn: ({ signal }) => api.get('/workers', { signal }),
    refetchInterval: lessOften(EVERY_MS),
  })
  return (
    <Card title={t.queues}>
      {data === undefined ? (
        error === null ? null : (
          <ErrorState error={error} onRetry={refetch} />
        )
      ) : (
        <TagTable tags={data.tags} />
      )}
    </Card>
  )
}
