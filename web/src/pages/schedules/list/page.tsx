import { getRouteApi } from '@tanstack/react-router'
import { CalendarPlus, TriangleAlert } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { AppFilter } from '../../../kit/app-filter.tsx'
import { column, wide } from '../../../kit/columns.tsx'
import { ResourcePage } from '../../../kit/list.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useServerSentence } from '../../../language/use-server-sentence.ts'
import { EnabledSwitch } from '../../../schedule/enabled-switch.tsx'
import { LastResult } from '../../../schedule/last-result.tsx'
import { messages as scheduleMessages } from '../../../schedule/messages.ts'
import { targetName } from '../../../schedule/target.ts'
import { When } from '../../../schedule/when.tsx'
import { useApi } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { type Column, RowLink } from '../../../ui/table/data-table.tsx'
import { Filters, SelectFilter } from '../../../ui/table/filters.tsx'
import { TargetName } from '../../../ui/table/target-name.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { readScheduleFilters, type ScheduleFilters } from './search.ts'

const route = getRouteApi('/w/$ws/schedules')

const EVERY_MS = 4_000

type Schedule = Schemas['Schedule']

export const SchedulesPage = () => {
  const t = useMessages(messages)
  const words = useMessages(scheduleMessages)
  const { ws } = route.useParams()
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const may = useMay()
  const { app, state } = filters
  const enabled = state === undefined ? undefined : state === 'on' ? 'true' : 'false'
  return (
    <ResourcePage<Schedule>
      title={t.schedules}
      actions={
        may('schedules:write') ? (
          <ButtonLink look="primary" to="/w/$ws/schedules/new" params={{ ws }}>
            <CalendarPlus size={15} aria-hidden="true" />
            {words.add}
          </ButtonLink>
        ) : undefined
      }
      queryKey={[ws, 'schedules', filters]}
      read={({ query, signal }) =>
        api.get('/schedules', { query: { app, enabled, ...query }, signal })
      }
      keyOf={({ id }) => id}
      isLive={(schedule) => schedule.enabled}
      everyMs={EVERY_MS}
      columns={useColumns(ws)}
      empty={
        Object.keys(filters).length > 0
          ? { title: t.noMatch, text: t.noMatchText }
          : { title: t.none, text: t.noneText, command: COMMAND }
      }
    >
      <ScheduleFilterRow
        filters={filters}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
    </ResourcePage>
  )
}

const COMMAND = `svc schedules create hello/greet --cron '30 9 * * 1-5' --timezone Asia/Seoul --input '{"name":"Ada"}'`

const ScheduleFilterRow = ({
  filters,
  onChange,
}: Readonly<{ filters: ScheduleFilters; onChange: (filters: ScheduleFilters) => void }>) => {
  const t = useMessages(messages)
  const set = (name: keyof ScheduleFilters) => (value: string) =>
    onChange(readScheduleFilters({ ...filters, [name]: value }))
  return (
    <Filters onClear={Object.keys(filters).length === 0 ? null : () => onChange({})}>
      <AppFilter label={t.app} value={filters.app ?? ''} onChange={set('app')} />
      <SelectFilter
        label={t.state}
        value={filters.state ?? 'any'}
        onChange={set('state')}
        options={[
          { value: 'any', label: t.any },
          { value: 'on', label: t.stateOn },
          { value: 'off', label: t.stateOff },
        ]}
      />
    </Filters>
  )
}

const useColumns = (ws: string): readonly Column<Schedule>[] => {
  const t = useMessages(messages)
  const inOwnWords = useServerSentence()
  const words = useMessages(scheduleMessages)
  return [
    column(words.on, '2.5rem', (schedule) => (
      <span className={styles.switch}>
        <EnabledSwitch schedule={schedule} />
      </span>
    )),
    column(words.target, 'minmax(7rem, 1fr)', (schedule) => (
      <RowLink
        to="/w/$ws/schedules/$id"
        params={{ ws, id: schedule.id }}
        aria-label={targetName(schedule)}
      >
        <TargetName app={schedule.app_key} name={schedule.action_key ?? schedule.flow_key ?? ''} />
      </RowLink>
    )),
    wide(
      column(words.interval, 'minmax(9rem, 2fr)', ({ cron, timezone }) => (
        <When cron={cron} timezone={timezone} />
      )),
    ),
    column(words.next, 'minmax(8rem, 10.5rem)', ({ next_fire_at, disabled_reason }) =>
      disabled_reason !== null ? (
        <span className={styles.warn} title={inOwnWords(disabled_reason)}>
          <TriangleAlert size={14} aria-hidden="true" /> {t.switchedOff}
        </span>
      ) : next_fire_at === null ? (
        '–'
      ) : (
        <TimeAgo at={next_fire_at} />
      ),
    ),
    wide(
      column(words.last, '9rem', ({ last_job_id, last_flow_run_id }) => (
        <LastResult jobId={last_job_id} runId={last_flow_run_id} />
      )),
    ),
  ]
}
