/** Lists flow runs in pages by key (ws, id), newest first, as jobs are listed. It reads no encrypted columns. */
import { RUN_STATUSES, type RunStatus } from '#core/flow/run.ts'
import type { Reader, Statement } from './database.ts'
import { identityName } from './identity-name.ts'
import { number, oneOf, type RowOf, row, text, time } from './row.ts'
import { allOf, join, raw, sql } from './sql.ts'
import { ID_SLACK_MS, largestIdAt, smallestIdAt } from './uuid-bounds.ts'

const flowRunRow = row({
  id: text,
  app: text,
  flow: text,
  status: oneOf(RUN_STATUSES),
  triggerKind: text,
  createdBy: text,
  createdByName: text.nullable(identityName('r.created_by', 'r.ws')),
  permissionedAs: text,
  commit: text('d.commit_id'),
  deploymentId: text,
  parentRunId: text.nullable,
  restartedFrom: text.nullable,
  stepIndex: number,
  stepKey: text.nullable('s.key'),
  stepStartedAt: time.nullable('s.started_at'),
  waitUntil: time.nullable,
  createdAt: time,
  completedAt: time.nullable,
  dismissedAt: time.nullable('m.dismissed_at'),
  dismissedBy: text.nullable('m.dismissed_by'),
})
export type FlowRunRow = RowOf<typeof flowRunRow>

export type FlowRunFilter = Readonly<{
  /** An empty list selects any status. */
  statuses: readonly RunStatus[]
  app: string | null
  flow: string | null
  /** Milliseconds since 1970. Both bounds are inclusive. */
  since: number | null
  until: number | null
  /** True for only dismissed runs, false for only the others, null for both. */
  isDismissed?: boolean | null
}>

export type FlowRunPage = Readonly<{ beforeId: string | null; limit: number }>

type Narrowest = Readonly<{ index: Statement; condition: Statement | null }>

/** Returns the most selective index, and the condition that SQLite needs to use it if it is a partial index. */
const narrowest = ({ statuses, app, flow }: FlowRunFilter): Narrowest => {
  if (statuses.length > 0 && statuses.every((status) => status === 'waiting_approval')) {
    return {
      index: sql`INDEXED BY flow_runs_waiting`,
      condition: sql`status = 'waiting_approval'`,
    }
  }
  const areOpen = statuses.every((status) => status === 'running' || status === 'waiting_approval')
  if (statuses.length > 0 && areOpen) {
    return { index: sql`INDEXED BY flow_runs_open`, condition: sql`completed_at IS NULL` }
  }
  const isOfFlow = app !== null && flow !== null
  return { index: isOfFlow ? sql`INDEXED BY flow_runs_by_flow` : sql``, condition: null }
}

const hasStatus = (statuses: readonly RunStatus[]): Statement | null => {
  if (statuses.length === 0) return null
  const list = statuses.map((status) => sql`${status}`)
  return sql`status IN (${join(list, ', ')})`
}

/** Lists the runs of a workspace, newest first. */
export const listFlowRuns = (
  db: Reader,
  ws: string,
  { beforeId, limit, ...filter }: FlowRunFilter & FlowRunPage,
): Promise<readonly FlowRunRow[]> => {
  const { statuses, app, flow, since, until, isDismissed = null } = filter
  const { index, condition } = narrowest(filter)
  const conditions = allOf(
    sql`ws = ${ws}`,
    condition,
    hasStatus(statuses),
    app === null ? null : sql`app = ${app}`,
    flow === null ? null : sql`flow = ${flow}`,
    // the bound on the id ends the scan; the bound on created_at is exact
    since === null
      ? null
      : sql`id >= ${smallestIdAt(since - ID_SLACK_MS)} AND created_at >= ${since}`,
    until === null
      ? null
      : sql`id <= ${largestIdAt(until + ID_SLACK_MS)} AND created_at <= ${until}`,
    isDismissed === null
      ? null
      : sql`${raw(isDismissed ? 'EXISTS' : 'NOT EXISTS')} (SELECT 1 FROM flow_run_dismissals m
          WHERE m.ws = flow_runs.ws AND m.run_id = flow_runs.id)`,
    beforeId === null ? null : sql`id < ${beforeId}`,
  )
  return flowRunRow.all(
    db,
    sql`SELECT ${flowRunRow.columns('r')} FROM (
        SELECT * FROM flow_runs ${index} WHERE ${conditions}
        ORDER BY id DESC LIMIT ${limit}) AS r
      JOIN deployments d ON d.id = r.deployment_id
      LEFT JOIN flow_steps s ON s.run_id = r.id AND s.step_index = r.step_index
      LEFT JOIN flow_run_dismissals m ON m.ws = r.ws AND m.run_id = r.id
      ORDER BY r.id DESC`,
  )
}
