/** Lists flow runs in pages by key (ws, id), newest first, as jobs are listed. Of what is encrypted, it reads only errors. */
import { CONCURRENCY_STATES } from '#core/flow/concurrency.ts'
import { RUN_STATUSES, type RunStatus } from '#core/flow/run.ts'
import { FLOW_TRIGGER_KINDS } from '#core/job/trigger-kind.ts'
import type { Reader, Statement } from '../database.ts'
import { identityName } from '../people/identity-name.ts'
import { number, oneOf, type RowOf, row, text, texts, time } from '../row.ts'
import { type IdPage, type OrderedList, positionOf, searchRows } from '../search.ts'
import { allOf, raw, sql, TRUE, valueList } from '../sql.ts'
import { idSpan } from '../uuid-bounds.ts'
import { LABELS_OF_RUN } from './run-labels.ts'

// read apart, because texts are stored behind the other columns and may be large
const ERROR = raw(`CASE WHEN r.status = 'failed' THEN
  (SELECT e.error FROM flow_runs e WHERE e.ws = r.ws AND e.id = r.id) END`)

const flowRunRow = row({
  ws: text,
  id: text,
  app: text,
  flow: text,
  status: oneOf(RUN_STATUSES),
  triggerKind: oneOf(FLOW_TRIGGER_KINDS),
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
  concurrencyLimit: number.nullable,
  concurrencyState: oneOf(CONCURRENCY_STATES).nullable,
  createdAt: time,
  completedAt: time.nullable,
  dismissedAt: time.nullable('m.dismissed_at'),
  dismissedBy: text.nullable('m.dismissed_by'),
  labels: texts(LABELS_OF_RUN),
  /** The encrypted error of a failed run; null for others. */
  errorText: text.nullable(ERROR),
  wrappedKey: text('w.wrapped_key'),
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
  /** Only runs with this label; null for any. */
  label?: string | null
}>

type Narrowed = Readonly<{ from: string; within: Statement; key: string; rest: FlowRunFilter }>

const indexed = (index: string): string => `flow_runs INDEXED BY ${index}`

/**
 * Returns the most selective index, the condition that it answers or that SQLite needs to use it if it is a partial index, and the
 * filter that is left.
 */
const narrowest = (ws: string, filter: FlowRunFilter): Narrowed => {
  const { statuses, app, flow, isDismissed = null, label = null } = filter
  const byId = { from: 'flow_runs', within: TRUE, key: 'flow_runs.id', rest: filter }
  if (label !== null) {
    const from =
      'flow_run_labels m INDEXED BY flow_run_labels_found CROSS JOIN flow_runs ON flow_runs.ws = m.ws AND flow_runs.id = m.run_id'
    const within = sql`m.ws = ${ws} AND m.label = ${label}`
    return { from, within, key: 'm.run_id', rest: { ...filter, label: null } }
  }
  if (isDismissed === true) {
    const from =
      'flow_run_dismissals m CROSS JOIN flow_runs ON flow_runs.ws = m.ws AND flow_runs.id = m.run_id'
    const rest = { ...filter, isDismissed: null }
    return { from, within: sql`m.ws = ${ws}`, key: 'm.run_id', rest }
  }
  if (statuses.length > 0 && statuses.every((status) => status === 'waiting_approval')) {
    const within = raw("flow_runs.status = 'waiting_approval'")
    return {
      ...byId,
      from: indexed('flow_runs_waiting'),
      within,
      rest: { ...filter, statuses: [] },
    }
  }
  const areOpen = statuses.every((status) => status === 'running' || status === 'waiting_approval')
  if (statuses.length > 0 && areOpen) {
    const within = raw('flow_runs.completed_at IS NULL')
    return { ...byId, from: indexed('flow_runs_open'), within }
  }
  if (app === null || flow === null) return byId
  const within = sql`flow_runs.app = ${app} AND flow_runs.flow = ${flow}`
  const rest = { ...filter, app: null, flow: null }
  return { ...byId, from: indexed('flow_runs_by_flow'), within, rest }
}

const hasStatus = (statuses: readonly RunStatus[]): Statement | null =>
  statuses.length === 0 ? null : sql`flow_runs.status IN (${valueList(statuses)})`

const listOf = (ws: string, filter: FlowRunFilter): OrderedList => {
  const { from, within, key, rest } = narrowest(ws, filter)
  const { statuses, app, flow, since, until, isDismissed = null } = rest
  return {
    from: raw(from),
    within: allOf(sql`flow_runs.ws = ${ws}`, within),
    span: idSpan(filter),
    matching: allOf(
      hasStatus(statuses),
      app === null ? null : sql`flow_runs.app = ${app}`,
      flow === null ? null : sql`flow_runs.flow = ${flow}`,
      // the span of ids ends the scan; the bounds on created_at are exact
      since === null ? null : sql`flow_runs.created_at >= ${since}`,
      until === null ? null : sql`flow_runs.created_at <= ${until}`,
      isDismissed === null
        ? null
        : sql`${raw(isDismissed ? 'EXISTS' : 'NOT EXISTS')} (SELECT 1 FROM flow_run_dismissals d
            WHERE d.ws = flow_runs.ws AND d.run_id = flow_runs.id)`,
    ),
    key: [key],
  }
}

const readRuns = (db: Reader, found: Statement): Promise<readonly FlowRunRow[]> =>
  flowRunRow.all(
    db,
    sql`SELECT ${flowRunRow.columns('r')} FROM (${found}) AS r
      JOIN deployments d ON d.id = r.deployment_id
      JOIN workspaces w ON w.id = r.ws
      LEFT JOIN flow_steps s ON s.run_id = r.id AND s.step_index = r.step_index
      LEFT JOIN flow_run_dismissals m ON m.ws = r.ws AND m.run_id = r.id
      ORDER BY r.id DESC`,
  )

/** Lists the runs of a workspace, newest first. */
export const listFlowRuns = (
  db: Reader,
  ws: string,
  { beforeId, limit, ...filter }: FlowRunFilter & IdPage,
): Promise<readonly FlowRunRow[]> =>
  searchRows(db, listOf(ws, filter), {
    columns: raw('flow_runs.*'),
    read: (page) => readRuns(db, page),
    before: positionOf(beforeId),
    limit,
  })
