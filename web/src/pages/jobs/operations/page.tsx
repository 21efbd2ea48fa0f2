import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { age, column, opens, text, wide } from '../../../kit/columns.tsx'
import { Details } from '../../../kit/details.tsx'
import { ResourcePage } from '../../../kit/list.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi } from '../../../session/api.ts'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { ShortTime } from '../../../ui/time.tsx'
import { JobViews } from '../views.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { shownStatus, useStop } from './stop.ts'

const route = getRouteApi('/w/$ws/operations')

const EVERY_MS = 2_000

type Operation = Schemas['Operation']

export const OperationsPage = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  return (
    <ResourcePage<Operation>
      title={t.title}
      about={t.about}
      queryKey={[ws, 'operations']}
      read={(page) => api.get('/operations', page)}
      keyOf={({ id }) => id}
      isLive={({ status }) => status === 'running'}
      everyMs={EVERY_MS}
      columns={[
        column(t.status, '6.5rem', (row) => <StatusBadge status={shownStatus(row)} />),
        opens(t.kind, '7rem', ({ id, kind }) => ({ id, name: t[kind] })),
        column(t.progress, 'minmax(6rem, 2fr)', (row) => <Bar of={row} />),
        wide(text(t.startedBy, 'minmax(6rem, 1fr)', ({ created_by }) => created_by)),
        age(t.created, ({ created_at }) => created_at),
      ]}
      empty={{
        title: t.none,
        text: t.noneText,
        command: 'svc jobs replay --filter status=failure',
      }}
      details={(row, close) => <OperationDetails of={row} onClose={close} />}
    >
      <JobViews />
    </ResourcePage>
  )
}

const Bar = ({ of: { matched, done, failed } }: Readonly<{ of: Operation }>) => {
  const t = useMessages(messages)
  return (
    <span className={styles.bar}>
      <progress aria-label={t.progress} max={Math.max(matched, 1)} value={done + failed} />
      {done + failed}/{matched}
    </span>
  )
}

const OperationDetails = ({
  of: row,
  onClose,
}: Readonly<{ of: Operation; onClose: () => void }>) => {
  const t = useMessages(messages)
  const { kind, stopped, matched, done, failed, completed_at: ended } = row
  const stop = useStop(row)
  return (
    <Details
      title={t[kind]}
      onClose={onClose}
      actions={[stop]}
      facts={[
        [t.status, <StatusBadge key="status" status={shownStatus(row)} />],
        [t.matched, matched],
        [t.done, done],
        [t.refused, failed === 0 ? null : failed],
        [t.left, stopped ? matched - done - failed : null],
        [t.startedBy, row.created_by],
        [t.created, <ShortTime key="created" at={row.created_at} />],
        [t.ended, ended === null ? null : <ShortTime key="ended" at={ended} />],
      ]}
    />
  )
}
