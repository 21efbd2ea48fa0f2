/** Lists of flow runs: keyset over (ws, id) downwards, as jobs are listed. Nothing that is encrypted is read. */
import type { RunStatus } from '#core/flow/run.ts'
import { asNumber, asNumberOrNull, asText, asTextOrNull } from './column.ts'
import { type Reader, type Row, type SqlValue, sql } from './database.ts'
import { toRunStatus } from './flow-runs.ts'
import { ID_SLACK_MS, largestIdAt, smallestIdAt } from './uuid-bounds.ts'

export type FlowRunRow = Readonly<{
  id: string
  app: string
  flow: string
  status: RunStatus
  triggerKind: string
  createdBy: string
  permissionedAs: string
  commit: string
  deploymentId: string
  parentRunId: string | null
  restartedFrom: string | null
  stepIndex: number
  stepKey: string | null
  stepStartedAt: number | null
  waitUntil: number | null
  createdAt: number
  completedAt: number | null
}>

const toRow = (row: Row): FlowRunRow => ({
  id: asText(row.id),
  app: asText(row.app),
  flow: asText(row.flow),
  status: toRunStatus(asText(row.status)),
  triggerKind: asText(row.trigger_kind),
  createdBy: asText(row.created_by),
  permissionedAs: asText(row.permissioned_as),
  commit: asText(row.commit_id),
  deploymentId: asText(row.deployment_id),
  parentRunId: asTextOrNull(row.parent_run_id),
  restartedFrom: asTextOrNull(row.restarted_from),
  stepIndex: asNumber(row.step_index),
  stepKey: asTextOrNull(row.step_key),
  stepStartedAt: asNumberOrNull(row.step_started_at),
  waitUntil: asNumberOrNull(row.wait_until),
  createdAt: asNumber(row.created_at),
  completedAt: asNumberOrNull(row.completed_at),
})

const COLUMNS = `r.id, r.app, r.flow, r.status, r.trigger_kind, r.created_by, r.permissioned_as, d.commit_id,
  r.deployment_id, r.parent_run_id, r.restarted_from, r.step_index, s.key AS step_key,
  s.started_at AS step_started_at, r.wait_until, r.created_at, r.completed_at`
const JOINS = `JOIN deployments d ON d.id = r.deployment_id
  LEFT JOIN flow_steps s ON s.run_id = r.id AND s.step_index = r.step_index`

export type FlowRunFilter = Readonly<{
  /** Empty: all. */
  statuses: readonly RunStatus[]
  app: string | null
  flow: string | null
  /** Milliseconds since 1970, both inclusive. */
  since: number | null
  until: number | null
}>

export type FlowRunPage = Readonly<{ beforeId: string | null; limit: number }>

/** The index that narrows most. */
const indexOf = ({ statuses, app, flow }: FlowRunFilter): readonly [string, string] => {
  if (statuses.length > 0 && statuses.every((status) => status === 'waiting_approval')) {
    return ['INDEXED BY flow_runs_waiting', "status = 'waiting_approval'"]
  }
  const areOpen = statuses.every((status) => status === 'running' || status === 'waiting_approval')
  if (statuses.length > 0 && areOpen) return ['INDEXED BY flow_runs_open', 'completed_at IS NULL']
  return [app !== null && flow !== null ? 'INDEXED BY flow_runs_by_flow' : '', '1']
}

/** Newest first. */
export const listFlowRuns = async (
  db: Reader,
  ws: string,
  { beforeId, limit, ...filter }: FlowRunFilter & FlowRunPage,
): Promise<readonly FlowRunRow[]> => {
  const { statuses, app, flow, since, until } = filter
  const [index, partial] = indexOf(filter)
  const conditions: readonly (readonly [string, readonly SqlValue[]])[] = [
    ['ws = ?', [ws]],
    [partial, []],
    ...(statuses.length === 0
      ? []
      : [[`status IN (${statuses.map(() => '?').join(', ')})`, statuses] as const]),
    ...(app === null ? [] : [['app = ?', [app]] as const]),
    ...(flow === null ? [] : [['flow = ?', [flow]] as const]),
    ...(since === null
      ? []
      : [['id >= ? AND created_at >= ?', [smallestIdAt(since - ID_SLACK_MS), since]] as const]),
    ...(until === null
      ? []
      : [['id <= ? AND created_at <= ?', [largestIdAt(until + ID_SLACK_MS), until]] as const]),
    ...(beforeId === null ? [] : [['id < ?', [beforeId]] as const]),
  ]
  const rows = await db.all(
    sql(
      `SELECT ${COLUMNS} FROM (
         SELECT * FROM flow_runs ${index} WHERE ${conditions.map(([text]) => text).join(' AND ')}
         ORDER BY id DESC LIMIT ?) AS r ${JOINS} ORDER BY r.id DESC`,
      ...conditions.flatMap(([, args]) => args),
      limit,
    ),
  )
  return rows.map(toRow)
}
