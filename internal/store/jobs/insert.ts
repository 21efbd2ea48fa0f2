/** Inserts jobs into the queue. */
import { INITIAL_STATUS } from '#core/job/transitions.ts'
import type { TriggerKind } from '#core/job/trigger-kind.ts'
import type { Statement } from '../database.ts'
import { allOf, raw, SQL_NOW, sql } from '../sql.ts'
import { hasApp, isDeployed } from './guards.ts'

/** The part of a flow run that a job does. */
export type FlowJob = Readonly<{
  runId: string
  /** The step's key. */
  step: string
  index: number
  slot: number
  /** Counted by the flow for each slot. */
  attempt: number
  /** What `ctx.flow` shows of the run, encrypted. */
  context: string
}>

/** When a job is due: at a time in milliseconds since 1970 (a past one means now), or after some milliseconds. */
export type Due = Readonly<{ at: number } | { inMs: number }>

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
  concurrency: Readonly<{ key: string; limit: number }> | null
  maxAttempts: number
  crashLimit: number
  /** The lowest level of isolation under which it may run, as a rank (core/isolation-level.ts). */
  minLevel: number
  triggerKind: TriggerKind
  createdBy: string
  permissionedAs: string
  customerId: string | null
  chainDepth: number
  holdsAppsWrite: boolean
  /** The job and the step that wait for it, or null. */
  calledBy: Readonly<{ jobId: string; step: string }> | null
  /** Null if no flow starts it. */
  flow: FlowJob | null
  /** The job that it replays, null for none. */
  replayOf: string | null
  /** Runs what an older deployment pinned, as long as the app is there. */
  isPinned: boolean
}>

const INITIAL = raw(`'${INITIAL_STATUS}'`)

/** A past time is clamped to now, so that a job cannot overtake those that wait. */
const dueTime = (due: Due): Readonly<{ ready: Statement; runAt: Statement }> =>
  'at' in due
    ? {
        ready: sql`CASE WHEN ${due.at} > ${SQL_NOW} THEN 0 ELSE 1 END`,
        runAt: sql`MAX(${due.at}, ${SQL_NOW})`,
      }
    : {
        ready: raw(due.inMs > 0 ? '0' : '1'),
        runAt: sql`${SQL_NOW} + ${due.inMs}`,
      }

const targetExists = ({ ws, app, deploymentId, isPinned }: NewJob): Statement =>
  isPinned ? hasApp(ws, app) : isDeployed(ws, app, deploymentId)

/**
 * Two statements: the job (`{id, tag}` comes back when it was inserted) and its input. A job outside of flows is inserted
 * only while its deployment is the app's current one, a replay of an older one while there is the app; a job of a flow is pinned to the deployment of its run. Running
 * them twice inserts the job once.
 * @param guard a further condition, for example that the idempotency key belongs to this job
 */
export const insertJob = (job: NewJob, guard: Statement): readonly [Statement, Statement] => {
  const { ws, app, action, flow } = job
  const { ready, runAt } = dueTime(job.due)
  const isCurrent = flow === null ? targetExists(job) : null
  return [
    sql`INSERT INTO jobs (
        id, ws, app, action, deployment_id, status, tag, priority, ready, run_at,
        concurrency_key, concurrency_limit, max_attempts, crash_limit, min_level,
        trigger_kind, created_by, permissioned_as, customer_id, chain_depth, holds_apps_write, created_at,
        flow_run_id, flow_step, flow_index, flow_slot, flow_attempt, replay_of, called_by, called_step)
      SELECT ${job.id}, ${ws}, ${app}, ${action}, ${job.deploymentId}, ${INITIAL},
        COALESCE(${job.tag},
          (SELECT tag FROM action_overrides o WHERE o.ws = ${ws} AND o.app = ${app} AND o.action = ${action}),
          ${job.manifestTag},
          (SELECT default_tag FROM workspaces w WHERE w.id = ${ws})),
        ${job.priority}, ${ready}, ${runAt},
        ${job.concurrency?.key ?? null}, ${job.concurrency?.limit ?? null},
        ${job.maxAttempts}, ${job.crashLimit}, ${job.minLevel},
        ${job.triggerKind}, ${job.createdBy}, ${job.permissionedAs}, ${job.customerId}, ${job.chainDepth},
        ${job.holdsAppsWrite}, ${SQL_NOW},
        ${flow?.runId ?? null}, ${flow?.step ?? null}, ${flow?.index ?? null}, ${flow?.slot ?? null},
        ${flow?.attempt ?? null}, ${job.replayOf}, ${job.calledBy?.jobId ?? null}, ${job.calledBy?.step ?? null}
      WHERE ${allOf(isCurrent, guard)}
      ON CONFLICT DO NOTHING
      RETURNING id, tag`,
    sql`INSERT INTO job_inputs (job_id, input, trigger, flow)
      SELECT ${job.id}, ${job.inputJson}, ${job.triggerJson}, ${flow?.context ?? null} WHERE changes() = 1`,
  ]
}
