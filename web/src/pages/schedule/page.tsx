import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Pencil, Trash2, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { usePaletteCommand } from '../../app/palette-commands.ts'
import { useMessages } from '../../language/messages.ts'
import { EnabledSwitch } from '../../schedule/enabled-switch.tsx'
import { targetName } from '../../schedule/target.ts'
import { When } from '../../schedule/when.tsx'
import { useApi } from '../../session/api.ts'
import { queryClient } from '../../session/query-client.ts'
import { useMay } from '../../session/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Card, Facts } from '../../ui/facts.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { ErrorState, Loading, useErrorSentence } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { announce } from '../../ui/toast.tsx'
import { messages } from './messages.ts'
import { NextTimes } from './next-times.tsx'
import styles from './page.module.css'
import { Slots } from './slots.tsx'

const route = getRouteApi('/w/$ws/schedules/$id')

const EVERY_MS = 4_000

export const SchedulePage = () => {
  const { ws, id } = route.useParams()
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'schedule', id],
    queryFn: ({ signal }) => api.get('/schedules/{id}', { params: { id }, signal }),
    refetchInterval: EVERY_MS,
  })
  if (data === undefined) {
    return (
      <Page title={id} trail={<Trail />}>
        {error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </Page>
    )
  }
  return <ScheduleDetail schedule={data} />
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
  const { cron, timezone, disabled_reason } = schedule
  return (
    <Page
      title={targetName(schedule)}
      trail={<Trail />}
      about={
        <span className={styles.about}>
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
          <p>{disabled_reason}</p>
          <p>{t.switchedOffText}</p>
        </section>
      )}
      <div className={styles.columns}>
        <div className={styles.stack}>
          <Slots schedule={schedule} />
        </div>
        <aside className={styles.stack}>
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
                [t.runsAs, schedule.created_by],
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

const ScheduleActions = ({ schedule: { id } }: ScheduleProps) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const may = useMay()
  const api = useApi()
  const navigate = useNavigate()
  const sentence = useErrorSentence()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => api.delete('/schedules/{id}', { params: { id } }),
    onSuccess: async () => {
      announce({ title: t.removed })
      await navigate({ to: '/w/$ws/schedules', params: { ws } })
      queryClient.removeQueries({ queryKey: [ws, 'schedule', id] })
      await queryClient.resetQueries({ queryKey: [ws, 'schedules'] })
    },
    onError: (error) => announce({ tone: 'bad', title: t.notRemoved, text: sentence(error) }),
    onSettled: () => setAsking(false),
  })
  const mayWrite = may('schedules:write')
  usePaletteCommand(mayWrite ? t.delete : null, () => setAsking(true))
  if (!mayWrite) return null
  return (
    <>
      <ButtonLink to="/w/$ws/schedules/$id/edit" params={{ ws, id }}>
        <Pencil size={15} aria-hidden="true" />
        {t.edit}
      </ButtonLink>
      <Button onClick={() => setAsking(true)}>
        <Trash2 size={15} aria-hidden="true" />
        {t.delete}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t.removeTitle}
        text={t.removeText}
        confirm={t.delete}
        onConfirm={() => remove.mutate()}
        isBusy={remove.isPending}
      />
    </>
  )
}
