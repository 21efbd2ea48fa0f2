import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMessages } from '../../language/messages.ts'
import { readRows } from '../../live/read-rows.ts'
import { When } from '../../schedule/when.tsx'
import { useApi, useWorkspace } from '../../session/api.ts'
import { Card } from '../../ui/facts.tsx'
import { ErrorState } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const EVERY_MS = 15_000
const MOST_READ = 200
const MOST_SHOWN = 6

export const NextSchedules = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'next-schedules'],
    queryFn: ({ signal }) =>
      readRows(MOST_READ, (page) =>
        api.get('/schedules', { query: { enabled: 'true', ...page }, signal }),
      ),
    refetchInterval: EVERY_MS,
  })
  const next = (data ?? [])
    .flatMap((each) => (each.next_fire_at === null ? [] : [{ ...each, at: each.next_fire_at }]))
    .sort((one, other) => one.at.localeCompare(other.at))
    .slice(0, MOST_SHOWN)
  return (
    <Card title={t.next}>
      {data === undefined ? (
        error === null ? null : (
          <ErrorState error={error} onRetry={refetch} />
        )
      ) : next.length === 0 ? (
        <p className="quiet">{t.noNext}</p>
      ) : (
        <ul className={styles.rows}>
          {next.map(({ id, app_key, action_key, flow_key, cron, timezone, at }) => (
            <li key={id}>
              <span>
                <Link to="/w/$ws/schedules/$id" params={{ ws, id }}>
                  {app_key}/{action_key ?? flow_key}
                </Link>{' '}
                <span className="quiet">
                  <When cron={cron} timezone={timezone} />
                </span>
              </span>
              <TimeAgo at={at} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
