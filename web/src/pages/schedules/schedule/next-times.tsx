/** The next ten fire times, in the time zones of the schedule and of the viewer. */
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../../language/messages.ts'
import { TimeTable } from '../../../schedule/time-table.tsx'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { ErrorState } from '../../../ui/notice.tsx'
import { messages } from './messages.ts'

const SHOWN = 10

/** Starts from the planned fire time, because `@every` counts from the last one, which the expression does not contain. */
export const NextTimes = ({ schedule }: Readonly<{ schedule: Schemas['Schedule'] }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { cron, timezone, next_fire_at: next } = schedule
  const { data, error } = useQuery({
    queryKey: [ws, 'schedule-times', cron, timezone, next],
    queryFn: ({ signal }) =>
      api.post('/schedules/preview', {
        body: { cron, timezone, count: SHOWN - 1, ...(next === null ? {} : { from: next }) },
        signal,
      }),
    enabled: next !== null,
  })
  if (next === null) return <p className="quiet">{t.noNext}</p>
  if (error !== null) return <ErrorState error={error} />
  return <TimeTable times={[next, ...(data?.fire_times ?? [])]} zone={timezone} isNarrow />
}
