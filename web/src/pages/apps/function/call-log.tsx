/** The calls of a function, live. An open call shows its error and its log. */

import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { aged, atEnd, column, wide } from '../../../kit/columns.tsx'
import { useMessages } from '../../../language/messages.ts'
import { LiveTable } from '../../../live/live-table.tsx'
import { useLiveList } from '../../../live/use-live-list.ts'
import { useApi } from '../../../session/api.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { EmptyState } from '../../../ui/notice.tsx'
import { reachableScroller } from '../../../ui/reachable-scroller.ts'
import { type Column, RowLink } from '../../../ui/table/data-table.tsx'
import { Duration, TimeAgo } from '../../../ui/time.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const route = getRouteApi('/w/$ws/apps/$app/functions/$name')

const PAGE_ROWS = 100
const FIRST_FAULT = 400

type Call = Schemas['FunctionCall']
const keyOf = ({ id }: Call): string => id

type CallLogProps = Readonly<{ app: string; found: Schemas['Function'] }>

export const CallLog = ({ app, found: { name, url } }: CallLogProps) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { call: openId } = route.useSearch()
  const navigate = route.useNavigate()
  const api = useApi()
  const columns = useColumns(app, name)
  const list = useLiveList<Call>({
    queryKey: [ws, 'calls', app, name],
    read: (cursor, signal) =>
      api.get('/apps/{app}/functions/{name}/calls', {
        params: { app, name },
        query: { cursor, limit: PAGE_ROWS },
        signal,
      }),
    keyOf,
  })
  const open = openId === undefined ? undefined : list.rows.find(({ id }) => id === openId)
  return (
    <div className={styles.calls}>
      <LiveTable
        label={t.calls}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={<EmptyState title={t.noCalls} text={t.noCallsText} command={`curl -sS ${url}`} />}
      />
      {openId === undefined || list.isPending ? null : (
        <Dialog
          isOpen
          isWide
          title={t.call}
          onClose={() => void navigate({ search: { tab: 'calls' }, replace: true })}
        >
          {open === undefined ? <p>{t.gone}</p> : <CallDetail call={open} />}
        </Dialog>
      )}
    </div>
  )
}

const CallStatus = ({ status }: Readonly<{ status: number }>) => (
  <span style={{ color: status >= FIRST_FAULT ? 'var(--bad)' : 'var(--good)' }}>{status}</span>
)

const CallDetail = ({ call }: Readonly<{ call: Call }>) => {
  const t = useMessages(messages)
  return (
    <div className={styles.pane}>
      <Facts
        facts={[
          [t.when, <TimeAgo key="at" at={call.at} />],
          [t.method, call.method],
          [t.status, <CallStatus key="status" status={call.status} />],
          [t.took, <Duration key="took" ms={call.duration_ms} />],
          [
            t.request,
            <span key="request" className={styles.address}>
              <code>{call.request_id}</code>
              <CopyButton text={call.request_id} />
            </span>,
          ],
          [t.error, call.error],
        ]}
      />
      <h3>{t.log}</h3>
      {call.log === null ? (
        <p className="quiet">{t.noLog}</p>
      ) : (
        <pre className={styles.text} ref={reachableScroller}>
          {call.log}
        </pre>
      )}
    </div>
  )
}

const useColumns = (app: string, name: string): readonly Column<Call>[] => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  return [
    aged(t.when, ({ id, at }) => (
      <RowLink
        to="/w/$ws/apps/$app/functions/$name"
        params={{ ws, app, name }}
        search={{ tab: 'calls', call: id }}
      >
        <TimeAgo at={at} />
      </RowLink>
    )),
    column(t.method, '5rem', ({ method }) => method),
    column(t.status, '4rem', ({ status }) => <CallStatus status={status} />),
    atEnd(column(t.took, '5rem', ({ duration_ms }) => <Duration ms={duration_ms} />)),
    wide(
      column(t.error, 'minmax(6rem, 1fr)', ({ error }) => (
        <span title={error ?? ''}>{error ?? '–'}</span>
      )),
    ),
  ]
}
