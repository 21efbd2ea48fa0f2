/** Inserts jobs into the queue. */
import type { FlowControl } from '#core/job/flow-control.ts'
import { INITIAL_STATUS } from '#core/job/transitions.ts'
import type { TriggerKind } from '#core/job/trigger-kind.ts'
import type { ManyRows, Statement } from '../database.ts'
import { allOf, raw, SQL_NOW, type SqlParameter, sql, TRUE } from '../sql.ts'
import { type Due, type Extra, extraOf, hasNoExtra, NOTHING } from './flow-columns.ts'
import { hasApp, isDeployed } from './guards.ts'
import { insertLabels } from './labels.ts'

/** The part of a flow run that a job executes. */
export type FlowJob = Readonly<{
  runId: string
  /** The step's key. */
  step: string
  index: number
  slot: number
  /** The flow counts attempts for each item. */
  attempt: number
  /** The run's values for `ctx.flow`, encrypted. */
  context: string
}>

export type NewJob = Readonly<{
  id: string
  ws: string
  app: string
  action: string
  deploymentId: string
  inputJson: string
  triggerJson: string | null
  /** Null selects the override, else the manifest's tag, else the workspace's default. */
  tag: string | null
  manifestTag: string | null
  priority: number
  due: Due
  /** When the request came, in milliseconds since 1970; null for the present time. */
  requestedAt: number | null
  control: FlowControl
  /** Milliseconds after it is due within which it must start; null for any time. */
  startTimeoutMs: number | null
  labels: readonly string[]
  maxAttempts: number
  crashLimit: number
  /** The lowest isolation level under which it may run, as a rank (core/placement/isolation-level.ts). */
  minLevel: number
  triggerKind: TriggerKind
  createdBy: string
  permissionedAs: string
  customerId: string | null
  chainDepth: number
  holdsAppsWrite: boolean
  /** The job and the step that wait for it, or null. */
  calledBy: Readonly<{ jobId: string; step: string }> | null
  /** Null if no flow starts the job. */
  flow: FlowJob | null
  /** The job that it replays; null for none. */
  replayOf: string | null
  /** Runs what an older deployment pinned, as long as the app exists. */
  isPinned: boolean
}>

const INITIAL = raw(`'${INITIAL_STATUS}'`)

/** A condition for queueing the job: its target exists. */
export const targetExists = ({ ws, app, deploymentId, isPinned }: NewJob): Statement =>
  isPinned ? hasApp(ws, app) : isDeployed(ws, app, deploymentId)

/** The values that a row of the queue takes unchanged from its request. */
const toFields = (job: NewJob) => ({
  id: job.id,
  ws: job.ws,
  app: job.app,
  action: job.action,
  deploymentId: job.deploymentId,
  tag: job.tag,
  manifestTag: job.manifestTag,
  priority: job.priority,
  concurrencyKey: job.control.concurrency?.key ?? null,
  concurrencyLimit: job.control.concurrency?.limit ?? null,
  maxAttempts: job.maxAttempts,
  crashLimit: job.crashLimit,
  minLevel: job.minLevel,
  triggerKind: job.triggerKind,
  createdBy: job.createdBy,
  permissionedAs: job.permissionedAs,
  customerId: job.customerId,
  chainDepth: job.chainDepth,
  holdsAppsWrite: job.holdsAppsWrite ? 1 : 0,
  replayOf: job.replayOf,
  input: job.inputJson,
  trigger: job.triggerJson,
  callerId: job.calledBy?.jobId ?? null,
  callerStep: job.calledBy?.step ?? null,
})

type Fields = Readonly<Record<keyof ReturnType<typeof toFields>, SqlParameter>>

/** The same fields, read from an array of arrays in the order of `toFields`. */
const fieldsOfEach = (): Fields => {
  const at = (index: number): Statement => raw(`(each.value ->> ${index})`)
  return {
    id: at(0),
    ws: at(1),
    app: at(2),
    action: at(3),
    deploymentId: at(4),
    tag: at(5),
    manifestTag: at(6),
    priority: at(7),
    concurrencyKey: at(8),
    concurrencyLimit: at(9),
    maxAttempts: at(10),
    crashLimit: at(11),
    minLevel: at(12),
    triggerKind: at(13),
    createdBy: at(14),
    permissionedAs: at(15),
    customerId: at(16),
    chainDepth: at(17),
    holdsAppsWrite: at(18),
    replayOf: at(19),
    input: at(20),
    trigger: at(21),
    callerId: at(22),
    callerStep: at(23),
  }
}
const FIELDS_OF_EACH = fieldsOfEach()

type Source = Readonly<{
  fields: Fields
  extra: Extra
  flow: FlowJob | null
  /** The source of several rows. */
  from: Statement
  where: Statement
}>

/**
 * Whether the concurrency key of a new job that is due is full. The job is then left out of the index that claims read until a
 * job of its key ends. Otherwise claims would find it there and mark it, one after another (jobs/claim.ts).
 */
const isBlocked = (
  { ws, concurrencyKey: key, concurrencyLimit: limit }: Fields,
  ready: Statement,
): Statement =>
  key === null
    ? raw('0')
    : sql`CASE WHEN ${key} IS NULL OR NOT ${ready} THEN 0 ELSE ${limit} <= (SELECT count(*) FROM jobs r INDEXED BY jobs_running
          WHERE r.status = 'running' AND r.ws = ${ws} AND r.concurrency_key = ${key}) END`

/** The tag of a new job. */
export const tagOf = ({
  ws,
  app,
  action,
  tag,
  manifestTag,
}: Pick<Fields, 'ws' | 'app' | 'action' | 'tag' | 'manifestTag'>): Statement =>
  sql`COALESCE(${tag},
    (SELECT tag FROM action_overrides o WHERE o.ws = ${ws} AND o.app = ${app} AND o.action = ${action}),
    ${manifestTag},
    (SELECT default_tag FROM workspaces w WHERE w.id = ${ws}))`

const insertFrom = ({ fields: f, extra, flow, from, where }: Source): Statement => {
  const { columns, values, due } = extra
  const { ready, runAt } = due
  return sql`INSERT INTO jobs (
        id, ws, app, action, deployment_id, status, tag, priority, ready, blocked, run_at,
        concurrency_key, concurrency_limit, max_attempts, crash_limit, min_level,
        trigger_kind, created_by, permissioned_as, customer_id, chain_depth, holds_apps_write, created_at,
        flow_run_id, flow_step, flow_index, flow_slot, flow_attempt, replay_of, called_by, called_step${columns})
      SELECT ${f.id}, ${f.ws}, ${f.app}, ${f.action}, ${f.deploymentId}, ${INITIAL},
        ${tagOf(f)},
        ${f.priority}, ${ready}, ${isBlocked(f, ready)}, ${runAt},
        ${f.concurrencyKey}, ${f.concurrencyLimit}, ${f.maxAttempts}, ${f.crashLimit}, ${f.minLevel},
        ${f.triggerKind}, ${f.createdBy}, ${f.permissionedAs}, ${f.customerId}, ${f.chainDepth},
        ${f.holdsAppsWrite}, ${SQL_NOW},
        ${flow?.runId ?? null}, ${flow?.step ?? null}, ${flow?.index ?? null}, ${flow?.slot ?? null},
        ${flow?.attempt ?? null}, ${f.replayOf}, ${f.callerId}, ${f.callerStep}${values}
      ${from} ${due.from ?? NOTHING} WHERE ${where}
      ON CONFLICT DO NOTHING
      RETURNING id, tag`
}

const PLAIN = extraOf({
  due: { inMs: 0 },
  control: { rate: null, debounce: null, fair: null },
  startTimeoutMs: null,
  requestedAt: null,
})

/** Merges jobs that are due at once and depend only on their deployment, as most do. */
const MANY_JOBS: ManyRows = {
  length: 2,
  toStatements: (rows) => {
    const from = sql`FROM json_each(${JSON.stringify(rows)}) AS each`
    const f = FIELDS_OF_EACH
    return [
      insertFrom({
        fields: f,
        extra: PLAIN,
        flow: null,
        from,
        where: isDeployed(f.ws, f.app, f.deploymentId),
      }),
      // if an earlier attempt of this write has inserted the job, its input exists too
      sql`INSERT INTO job_inputs (job_id, input, trigger)
        SELECT ${f.id}, ${f.input}, ${f.trigger} ${from}
        WHERE EXISTS (SELECT 1 FROM jobs made
          WHERE made.ws = ${f.ws} AND made.id = ${f.id} AND made.status = 'queued' AND made.attempt = 0)
        ON CONFLICT DO NOTHING`,
    ]
  },
  split: (rows, [inserted]) => {
    const made = new Map((inserted?.rows ?? []).map((row) => [row.id, row]))
    return rows.map(([id]) => {
      const row = made.get(id ?? null)
      const changes = row === undefined ? 0 : 1
      return [
        { rows: row === undefined ? [] : [row], changes },
        { rows: [], changes },
      ]
    })
  },
}

/**
 * The job (returns `{id, tag}` if it was inserted), its labels if it has any, and its input, which is one row if the job was
 * inserted. A job outside of flows is inserted only while its deployment is current. A replay of an older deployment needs only
 * the app. A job of a flow is pinned to the deployment of its run. Running them twice inserts the job once.
 * @param guard an additional condition, for example that the idempotency key belongs to this job
 */
export const insertJob = (
  job: NewJob,
  guard: Statement,
): readonly [Statement, ...Statement[], Statement] => {
  const { flow, due, labels } = job
  const fields = toFields(job)
  const isCurrent = flow === null ? targetExists(job) : null
  const insert = insertFrom({
    fields,
    extra: extraOf(job),
    flow,
    from: raw(''),
    where: allOf(isCurrent, guard),
  })
  const labeled =
    labels.length === 0
      ? []
      : [insertLabels({ ws: job.ws, id: job.id, labels }, raw('changes() = 1'))]
  // the number of rows of the statement before
  const input = sql`INSERT INTO job_inputs (job_id, input, trigger, flow)
      SELECT ${job.id}, ${job.inputJson}, ${job.triggerJson}, ${flow?.context ?? null}
      WHERE changes() = ${raw(String(labels.length || 1))}`
  const isDueNow = 'inMs' in due && due.inMs === 0
  const isPlain =
    flow === null && !job.isPinned && isDueNow && labels.length === 0 && hasNoExtra(job)
  if (!isPlain || guard !== TRUE) return [insert, ...labeled, input]
  const { sql: text, args } = insert
  return [{ sql: text, args, asMany: { many: MANY_JOBS, row: Object.values(fields) } }, input]
}
