import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Pencil, Play, Trash2, TriangleAlert } from 'lucide-react'
import { useRef } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useRunWithKey } from '../../../form/use-request-key.ts'
import { ActionButtons } from '../../../kit/action.tsx'
import { DetailPage } from '../../../kit/detail-page.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useServerSentence } from '../../../language/use-server-sentence.ts'
import { scheduleQuery } from '../../../live/queries.ts'
import { lessOften } from '../../../live/read-interval.ts'
import { EnabledSwitch } from '../../../schedule/enabled-switch.tsx'
import { targetName } from '../../../schedule/target.ts'
import { When } from '../../../schedule/when.tsx'
import { useApi } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { useMay } from '../../../session/session.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { JsonView } from '../../../ui/code/json-view.tsx'
import { Card, Facts } from '../../../ui/facts.tsx'
import { Page } from '../../../ui/page.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { overlapOf } from '../form/draft.ts'
import { messages } from './messages.ts'
import { NextTimes } from './next-times.tsx'
import styles from './page.module.css'
import { Slots } from './slots.tsx'

const route = getRouteApi('/w/$ws/schedules/$id')

const EVERY_MS = 4_000

export const SchedulePage = () => {
  const { ws, id } = route.useParams()
  const api = useApi()
  const query = useQuery({
    ...scheduleQuery(api, ws, id),
    refetchInterval: lessOften(EVERY_MS),
  })
  return (
    <DetailPage query={query} title={id} trail={<Trail />}>
      {(schedule) => <ScheduleDetail schedule={schedule} />}
    </DetailPage>
  )
}

const Trail = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  return (
    <Link to="/w/$ws/schedules" params={{ ws }}>
      {t.schedules}
    </Link>
  )
}

type ScheduleProps = Readonly<{ schedule: Schemas['Schedule'] }>

const ScheduleDetail = ({ schedule }: ScheduleProps) => {
  const t = useMessages(messages)
  const inOwnWords = useServerSentence()
  const { cron, timezone, disabled_reason, managed_key, app_key } = schedule
  return (
    <Page
      title={targetName(schedule)}
      trail={<Trail />}
      about={
        <span className="row">
          <EnabledSwitch schedule={schedule} />
          <When cron={cron} timezone={timezone} />
        </span>
      }
      actions={<ScheduleActions schedule={schedule} />}
    >
      {disabled_reason === null ? null : (
        <section className={styles.warning}>
          <h2>
            <TriangleAlert size={16} aria-hidden="true" />
            {t.switchedOff}
          </h2>
          <p>{inOwnWords(disabled_reason)}</p>
          <p>{t.switchedOffText}</p>
        </section>
      )}
      <div className="columns columns-wide">
        <div className="stack">
          <Slots schedule={schedule} />
        </div>
        <aside className="stack">
          <Card title={t.next}>
            <NextTimes schedule={schedule} />
          </Card>
          <Card title={t.input}>
            <JsonView value={schedule.input} />
          </Card>
          <Card title={t.details}>
            <Facts
              facts={[
                [t.cron, <code key="cron">{cron}</code>],
                [t.zone, timezone],
                [t.overlap, t[overlapOf(schedule.overlap)]],
                [t.runsAs, schedule.created_by],
                ...(schedule.key === null
                  ? []
                  : [[t.key, <code key="key">{schedule.key}</code>] as const]),
                ...(managed_key === null
                  ? []
                  : [[t.managed, t.managedText(managed_key, app_key)] as const]),
                [t.created, <TimeAgo key="created" at={schedule.created_at} />],
                [t.changed, <TimeAgo key="changed" at={schedule.updated_at} />],
              ]}
            />
          </Card>
        </aside>
      </div>
    </Page>
  )
}

/** A schedule from a manifest changes with its app, so it can only be run. */
const ScheduleActions = ({ schedule }: ScheduleProps) => {
  const { id, managed_by, action_key } = schedule
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const may = useMay()
  const api = useApi()
  const navigate = useNavigate()
  const started = useRef<Schemas['ScheduleRun']>({})
  const runWithKey = useRunWithKey()
  const mayChange = may('schedules:write') && managed_by === null
  const leave = async (): Promise<void> => {
    await navigate({ to: '/w/$ws/schedules', params: { ws } })
    queryClient.removeQueries({ queryKey: [ws, 'schedule', id] })
  }
  const openStarted = (): void => {
    const { job_id: job, flow_run_id: run } = started.current
    if (job !== undefined) void navigate({ to: '/w/$ws/jobs/$id', params: { ws, id: job } })
    if (run !== undefined) void navigate({ to: '/w/$ws/flow-runs/$id', params: { ws, id: run } })
  }
  return (
    <>
      <ActionButtons
        actions={[
          {
            label: t.runNow,
            icon: Play,
            isOffered: may(action_key === null ? 'flows:run' : 'jobs:run'),
            run: async () => {
              started.current = await runWithKey((idempotencyKey) =>
                api.post('/schedules/{id}/run', { params: { id }, body: {}, idempotencyKey }),
              )
            },
            touches: [],
            done: t.hasRun,
            failed: t.notRun,
            leadOn: openStarted,
          },
        ]}
      />
      {mayChange ? (
        <ButtonLink to="/w/$ws/schedules/$id/edit" params={{ ws, id }}>
          <Pencil size={15} aria-hidden="true" />
          {t.edit}
        </ButtonLink>
      ) : null}
      <ActionButtons
        actions={[
          {
            label: t.delete,
            icon: Trash2,
            isOffered: mayChange,
            confirm: { title: t.removeTitle, text: t.removeText },
            run: () => api.delete('/schedules/{id}', { params: { id } }),
            touches: [],
            done: t.removed,
            failed: t.notRemoved,
            onDone: () => void queryClient.resetQueries({ queryKey: [ws, 'schedules'] }),
            leadOn: () => void leave(),
          },
        ]}
      />
    </>
  )
}
