import { getRouteApi } from '@tanstack/react-router'
import { CalendarPlus, TriangleAlert } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { LiveTable } from '../../live/live-table.tsx'
import { useLiveList } from '../../live/use-live-list.ts'
import { EnabledSwitch } from '../../schedule/enabled-switch.tsx'
import { LastResult } from '../../schedule/last-result.tsx'
import { targetName } from '../../schedule/target.ts'
import { When } from '../../schedule/when.tsx'
import { useApi } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { type Column, RowLink } from '../../ui/data-table.tsx'
import { Filters, SelectFilter, TextFilter } from '../../ui/filters.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { readScheduleFilters, type ScheduleFilters } from './search.ts'

const route = getRouteApi('/w/$ws/schedules')

const PAGE_ROWS = 100
const EVERY_MS = 4_000

type Schedule = Schemas['Schedule']
const keyOf = ({ id }: Schedule): string => id
const isLive = ({ enabled }: Schedule): boolean => enabled

export const SchedulesPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const may = useMay()
  const columns = useColumns(ws)
  const { app, state } = filters
  const list = useLiveList<Schedule>({
    queryKey: [ws, 'schedules', filters],
    read: (cursor, signal) =>
      api.get('/schedules', {
        query: {
          cursor,
          limit: PAGE_ROWS,
          app,
          enabled: state === undefined ? undefined : state === 'on' ? 'true' : 'false',
        },
        signal,
      }),
    keyOf,
    isLive,
    everyMs: EVERY_MS,
  })
  return (
    <Page
      title={t.title}
      isFilled
      actions={
        may('schedules:write') ? (
          <ButtonLink look="primary" to="/w/$ws/schedules/new" params={{ ws }}>
            <CalendarPlus size={15} aria-hidden="true" />
            {t.add}
          </ButtonLink>
        ) : undefined
      }
    >
      <ScheduleFilterRow
        filters={filters}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
      <LiveTable
        label={t.title}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={
          Object.keys(filters).length > 0 ? (
            <EmptyState title={t.noMatch} text={t.noMatchText} />
          ) : (
            <EmptyState title={t.none} text={t.noneText} command={commandFor(ws)} />
          )
        }
      />
    </Page>
  )
}

const commandFor = (ws: string): string =>
  [
    `curl -sS ${location.origin}/api/w/${ws}/schedules -H "authorization: Bearer $SVC_TOKEN"`,
    `-H 'content-type: application/json'`,
    `-d '{"app_key":"hello","action_key":"greet","cron":"30 9 * * 1-5","timezone":"Asia/Seoul","input":{"name":"Ada"}}'`,
  ].join(' ')

const ScheduleFilterRow = ({
  filters,
  onChange,
}: Readonly<{ filters: ScheduleFilters; onChange: (filters: ScheduleFilters) => void }>) => {
  const t = useMessages(messages)
  const set = (name: keyof ScheduleFilters) => (value: string) =>
    onChange(readScheduleFilters({ ...filters, [name]: value }))
  return (
    <Filters onClear={Object.keys(filters).length === 0 ? null : () => onChange({})}>
      <TextFilter label={t.app} value={filters.app ?? ''} onChange={set('app')} />
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
  return [
    {
      key: 'on',
      header: t.on,
      width: '2.5rem',
      cell: (schedule) => (
        <span className={styles.switch}>
          <EnabledSwitch schedule={schedule} />
        </span>
      ),
    },
    {
      key: 'target',
      header: t.target,
      width: 'minmax(7rem, 1fr)',
      cell: (schedule) => (
        <RowLink to="/w/$ws/schedules/$id" params={{ ws, id: schedule.id }}>
          {targetName(schedule)}
        </RowLink>
      ),
    },
    {
      key: 'when',
      header: t.when,
      width: 'minmax(9rem, 2fr)',
      isWideOnly: true,
      cell: ({ cron, timezone }) => <When cron={cron} timezone={timezone} />,
    },
    {
      key: 'next',
      header: t.next,
      width: '8rem',
      cell: ({ next_fire_at, disabled_reason }) =>
        disabled_reason !== null ? (
          <span className={styles.warn} title={disabled_reason}>
            <TriangleAlert size={14} aria-hidden="true" /> {t.switchedOff}
          </span>
        ) : next_fire_at === null ? (
          '–'
        ) : (
          <TimeAgo at={next_fire_at} />
        ),
    },
    {
      key: 'last',
      header: t.last,
      width: '9rem',
      isWideOnly: true,
      cell: ({ last_job_id, last_flow_run_id }) => (
        <LastResult jobId={last_job_id} runId={last_flow_run_id} />
      ),
    },
  ]
}
