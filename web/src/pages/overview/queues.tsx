/** The waiting jobs by tag, and the workers that can take them. */
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { Card } from '../../ui/facts.tsx'
import { ErrorState } from '../../ui/notice.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const EVERY_MS = 5_000
const MS_PER_S = 1_000

export const Queues = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { number, duration } = useFormat()
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'workers'],
    queryFn: ({ signal }) => api.get('/workers', { signal }),
    refetchInterval: EVERY_MS,
  })
  return (
    <Card title={t.queues}>
      {data === undefined ? (
        error === null ? null : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : data.tags.length === 0 ? (
        <p className="quiet">{t.noQueues}</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t.tag}</th>
              <th scope="col">{t.workers}</th>
              <th scope="col">{t.ready}</th>
              <th scope="col">{t.oldest}</th>
            </tr>
          </thead>
          <tbody>
            {data.tags.map(({ tag, live_workers, queued, oldest_queued_age_s }) => (
              <tr key={tag}>
                <td>{tag}</td>
                <td>
                  {live_workers === 0 ? (
                    <span className="warn" title={t.noWorker}>
                      <TriangleAlert size={13} aria-label={t.noWorker} /> 0
                    </span>
                  ) : (
                    number(live_workers)
                  )}
                </td>
                <td>{number(queued)}</td>
                <td>
                  {oldest_queued_age_s === null ? '–' : duration(oldest_queued_age_s * MS_PER_S)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
