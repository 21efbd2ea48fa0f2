/** The actions and flows that deployed apps start on events, and the starts that an event has caused. */
import type { Database, Statement } from '../database.ts'
import { oneOf, type RowOf, row, text, time } from '../row.ts'
import { raw, SQL_NOW, sql } from '../sql.ts'
import { listWorkspacesWith } from '../workspaces/with-rows.ts'
import { IS_LEFT } from './events.ts'

const KINDS = ['action', 'flow'] as const

const targetRow = row({
  app: text,
  kind: oneOf(KINDS),
  target: text,
  permissionedAs: text,
})
export type StoredTarget = RowOf<typeof targetRow>

/** Lists what an event of this name starts in the current deployments. */
export const listEventTargets = (
  db: Database,
  { ws, name }: Readonly<{ ws: string; name: string }>,
): Promise<readonly StoredTarget[]> =>
  targetRow.all(
    db,
    sql`SELECT ${targetRow.columns('t')} FROM event_targets t
      JOIN apps a ON a.ws = t.ws AND a.key = t.app AND a.deployment_id = t.deployment_id
      WHERE t.ws = ${ws} AND t.name = ${name}`,
  )

export type DeployedTargets = Readonly<{
  ws: string
  app: string
  deploymentId: string
  permissionedAs: string
  targets: readonly Readonly<{ name: string; kind: 'action' | 'flow'; target: string }>[]
}>

/** Replaces an app's targets. Runs after the statement that makes the deployment current, and does nothing if that failed. */
export const replaceEventTargets = ({
  ws,
  app,
  deploymentId,
  permissionedAs,
  targets,
}: DeployedTargets): readonly Statement[] => {
  const isCurrent = sql`EXISTS (SELECT 1 FROM apps a WHERE a.ws = ${ws} AND a.key = ${app}
    AND a.deployment_id = ${deploymentId})`
  return [
    sql`DELETE FROM event_targets WHERE ws = ${ws} AND app = ${app} AND ${isCurrent}`,
    ...targets.map(
      ({ name, kind, target }) =>
        sql`INSERT INTO event_targets (ws, name, app, kind, target, deployment_id, permissioned_as)
          SELECT ${ws}, ${name}, ${app}, ${kind}, ${target}, ${deploymentId}, ${permissionedAs}
          WHERE ${isCurrent} ON CONFLICT DO NOTHING`,
    ),
  ]
}

const startRow = row({
  id: text,
  ws: text,
  eventId: text,
  app: text,
  kind: oneOf(KINDS),
  target: text,
  permissionedAs: text,
})
export type EventStart = RowOf<typeof startRow>

/** Inserts a start with its event. @param guard whether this call inserted the event */
export const insertEventStart = (start: EventStart, guard: Statement): Statement =>
  sql`INSERT INTO event_starts (id, ws, event_id, app, kind, target, permissioned_as, at)
    SELECT ${start.id}, ${start.ws}, ${start.eventId}, ${start.app}, ${start.kind}, ${start.target},
      ${start.permissionedAs}, ${SQL_NOW} WHERE ${guard} ON CONFLICT DO NOTHING`

/** A guard: the start has neither happened nor been refused. */
export const isStartPending = (id: string): Statement =>
  sql`EXISTS (SELECT 1 FROM event_starts p WHERE p.id = ${id} AND p.status = 'pending')`

/** @param guard whether the job or run was inserted */
export const markStarted = (id: string, startedId: string, guard: Statement): Statement =>
  sql`UPDATE event_starts SET status = 'started', started_id = ${startedId}
    WHERE id = ${id} AND status = 'pending' AND ${guard}`

/** Marks the start of an event that joined a job, if the statement right before it changed one row. */
export const markJoined = (id: string, toId: Statement): Statement =>
  sql`UPDATE event_starts SET status = 'started', started_id = ${toId}
    WHERE id = ${id} AND status = 'pending' AND changes() = 1`

export const markRefused = (id: string, reason: string): Statement =>
  sql`UPDATE event_starts SET status = 'refused', reason = ${reason} WHERE id = ${id} AND status = 'pending'`

/** Lists workspaces with starts that have not happened. */
export const listWorkspacesWithStarts = (db: Database): Promise<readonly string[]> =>
  listWorkspacesWith(db, {
    table: 'event_starts',
    index: 'event_starts_waiting',
    where: raw("status = 'pending'"),
  })

const pendingRow = row({ ...startRow.fields, at: time })
/** A start that waits, with the time of its event. */
export type PendingStart = RowOf<typeof pendingRow>

/** Lists starts of a workspace that are at least 10 s old, which a crash or a full queue has delayed, oldest first. */
export const listPendingStarts = (
  db: Database,
  ws: string,
  limit: number,
): Promise<readonly PendingStart[]> =>
  pendingRow.all(
    db,
    sql`SELECT ${pendingRow.columns()} FROM event_starts INDEXED BY event_starts_waiting
      WHERE status = 'pending' AND ws = ${ws} AND ${IS_LEFT} ORDER BY at LIMIT ${limit}`,
  )
