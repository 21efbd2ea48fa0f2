/** The schedules that run actions and flows of the app, with the next fire time of each. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { Loaded } from '../../../kit/detail-page.tsx'
import { useMessages } from '../../../language/messages.ts'
import { EnabledSwitch } from '../../../schedule/enabled-switch.tsx'
import { LastResult } from '../../../schedule/last-result.tsx'
import { messages as scheduleMessages } from '../../../schedule/messages.ts'
import { When } from '../../../schedule/when.tsx'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/notice.tsx'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { schedulesQuery } from '../queries.ts'
import { messages } from './messages.ts'

export const ScheduleList = ({ app }: Readonly<{ app: string }>) => {
  const t = useMessages(messages)
  const words = useMessages(scheduleMessages)
  const ws = useWorkspace()
  const may = useMay()
  const query = useQuery(schedulesQuery(useApi(), ws, app))
  return (
    <Loaded query={query}>
      {(schedules) =>
        schedules.length === 0 ? (
          <EmptyState title={t.noSchedules} text={t.noSchedulesText}>
            {may('schedules:write') ? (
              <ButtonLink look="primary" to="/w/$ws/schedules/new" params={{ ws }} search={{ app }}>
                {words.add}
              </ButtonLink>
            ) : null}
          </EmptyState>
        ) : (
          <PlainTable<Schemas['Schedule']>
            rows={schedules}
            keyOf={({ id }) => id}
            columns={[
              { header: words.on, cell: (schedule) => <EnabledSwitch schedule={schedule} /> },
              {
                header: words.target,
                cell: ({ id, action_key, flow_key }) => (
                  <Link to="/w/$ws/schedules/$id" params={{ ws, id }}>
                    {action_key ?? flow_key}
                  </Link>
                ),
              },
              {
                header: words.interval,
                isWideOnly: true,
                cell: ({ cron, timezone }) => <When cron={cron} timezone={timezone} />,
              },
              {
                header: words.next,
                cell: ({ next_fire_at }) =>
                  next_fire_at === null ? '–' : <TimeAgo at={next_fire_at} />,
              },
              {
                header: words.last,
                isWideOnly: true,
                cell: ({ last_job_id, last_flow_run_id }) => (
                  <LastResult jobId={last_job_id} runId={last_flow_run_id} />
                ),
              },
            ]}
          />
        )
      }
    </Loaded>
  )
}
