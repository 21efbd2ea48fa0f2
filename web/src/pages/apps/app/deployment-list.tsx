/** The history of an app, newest first. A selected deployment shows what it changed. */

import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { age, column, wide } from '../../../kit/columns.tsx'
import { creatorColumn } from '../../../kit/creator-name.tsx'
import { useMessages } from '../../../language/messages.ts'
import { LiveTable } from '../../../live/live-table.tsx'
import { useLiveList } from '../../../live/use-live-list.ts'
import { useApi } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { EmptyState } from '../../../ui/notice.tsx'
import { shortCommit } from '../../../ui/short-commit.ts'
import { type Column, RowLink } from '../../../ui/table/data-table.tsx'
import { DeploymentChanges } from './deployment-changes.tsx'
import { messages } from './deployment-messages.ts'
import styles from './deployments.module.css'

const route = getRouteApi('/w/$ws/apps/$app')

const PAGE_ROWS = 100

type Deployment = Schemas['Deployment']
const keyOf = ({ deployment_id }: Deployment): string => deployment_id

export const DeploymentList = ({ app }: Readonly<{ app: Schemas['App'] }>) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const { deployment, base } = route.useSearch()
  const api = useApi()
  const may = useMay()
  const columns = useColumns(app)
  const list = useLiveList<Deployment>({
    queryKey: [ws, 'history', app.key],
    read: (cursor, signal) =>
      api.get('/apps/{app}/history', {
        params: { app: app.key },
        query: { cursor, limit: PAGE_ROWS },
        signal,
      }),
    keyOf,
  })
  return (
    <div className="stack">
      <div className={styles.list}>
        <LiveTable
          label={t.deployments}
          columns={columns}
          list={list}
          keyOf={keyOf}
          empty={<EmptyState title={t.none} text={t.noneText} />}
        />
      </div>
      {deployment !== undefined && may('deployments:read') ? (
        <DeploymentChanges
          id={deployment}
          base={base}
          currentId={app.deployment_id}
          history={list.rows}
        />
      ) : null}
    </div>
  )
}

const useColumns = (app: Schemas['App']): readonly Column<Deployment>[] => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  return [
    column(
      t.version,
      'minmax(9rem, 2fr)',
      ({ deployment_id: id, commit, redeployed_from: former }) => (
        <>
          <RowLink
            to="/w/$ws/apps/$app"
            params={{ ws, app: app.key }}
            search={{ tab: 'deployments', deployment: id }}
            resetScroll={false}
            title={commit}
          >
            <code>{shortCommit(commit)}</code>
          </RowLink>
          {id === app.deployment_id ? <span className={styles.current}>{t.current}</span> : null}
          {former === undefined ? null : <span className={styles.again}>{t.again}</span>}
        </>
      ),
    ),
    wide(
      column(t.message, 'minmax(8rem, 4fr)', ({ message }) => (
        <span title={message ?? ''}>{message ?? '–'}</span>
      )),
    ),
    wide(column(t.source, '5rem', ({ source }) => t[source])),
    creatorColumn(t.by),
    age(t.when, ({ created_at }) => created_at),
  ]
}
