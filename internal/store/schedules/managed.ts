/**
 * Schedules of manifests. A deployment inserts, changes and deletes its app's schedules in its own batch. Each statement runs
 * after the one that makes the deployment current, and does nothing if that failed. Repeating them changes nothing.
 */
import type { Statement } from '../database.ts'
import { isDeployed } from '../jobs/guards.ts'
import { listed, SQL_NOW, sql } from '../sql.ts'
import { insertReplaced } from './fire-times.ts'
import type { NewSchedule } from './schedules.ts'

export type ManagedSchedule = NewSchedule &
  Readonly<{
    /** The schedule's key in the manifest. */
    managedKey: string
    /** The deployment whose manifest contains it. */
    deploymentId: string
    /** The next fire time from now in milliseconds since 1970, even for a disabled schedule; null if it never fires. */
    nextFireAt: number | null
  }>

/**
 * `enabled` as set by the API is kept until the manifest's value changes. A schedule that svc disabled is enabled again,
 * because the deployment may have added the missing target or fixed the fault.
 */
const isEnabled = (enabled: boolean): Statement =>
  sql`CASE WHEN schedules.manifest_enabled <> ${enabled} THEN ${enabled}
    WHEN schedules.disabled_reason IS NOT NULL THEN 1 ELSE schedules.enabled END`

/** Records a due fire time that `upsertManagedSchedule` replaces as skipped. Runs before it. */
export const insertReplacedManaged = (schedule: ManagedSchedule): Statement => {
  const { ws, app, managedKey, deploymentId, cron, timezone, enabled, nextFireAt } = schedule
  return insertReplaced(sql`ws = ${ws} AND app = ${app} AND managed_key = ${managedKey}
      AND ${isDeployed(ws, app, deploymentId)}
      AND (cron <> ${cron} OR timezone <> ${timezone} OR ${nextFireAt} IS NULL OR NOT ${isEnabled(enabled)})`)
}

/** Inserts a schedule of the manifest, or updates one that differs. Unless the timing changed, it keeps its next fire time. */
export const upsertManagedSchedule = (schedule: ManagedSchedule): Statement => {
  const { nextFireAt } = schedule
  const fires = sql`(${nextFireAt} IS NOT NULL AND ${isEnabled(schedule.enabled)})`
  return sql`INSERT INTO schedules (id, ws, app, action, flow, cron, timezone, input, enabled, overlap, next_fire_at,
      managed_key, manifest_enabled, created_by, created_at, updated_at)
    SELECT ${schedule.id}, apps.ws, apps.key, ${schedule.action}, ${schedule.flow}, ${schedule.cron},
      ${schedule.timezone}, ${schedule.inputJson}, ${schedule.enabled && nextFireAt !== null}, ${schedule.overlap},
      ${schedule.enabled ? nextFireAt : null}, ${schedule.managedKey}, ${schedule.enabled},
      ${schedule.createdBy}, ${SQL_NOW}, ${SQL_NOW}
    FROM apps WHERE apps.ws = ${schedule.ws} AND apps.key = ${schedule.app}
      AND apps.deployment_id = ${schedule.deploymentId}
    ON CONFLICT (ws, app, managed_key) WHERE managed_key IS NOT NULL DO UPDATE SET
      action = excluded.action, flow = excluded.flow, cron = excluded.cron, timezone = excluded.timezone,
      input = excluded.input, overlap = excluded.overlap, manifest_enabled = excluded.manifest_enabled, created_by = excluded.created_by,
      enabled = ${fires},
      next_fire_at = CASE WHEN NOT ${fires} THEN NULL
        WHEN schedules.enabled = 1 AND schedules.cron = excluded.cron
          AND schedules.timezone = excluded.timezone THEN schedules.next_fire_at
        ELSE ${nextFireAt} END,
      waiting_since = NULL, disabled_reason = NULL, target_gone = 0,
      version = schedules.version + 1, updated_at = max(excluded.updated_at, schedules.updated_at + 1)
    WHERE schedules.target_gone = 1 OR (schedules.action, schedules.flow, schedules.cron, schedules.timezone,
        schedules.input, schedules.overlap, schedules.manifest_enabled, schedules.created_by)
      IS NOT (excluded.action, excluded.flow, excluded.cron, excluded.timezone,
        excluded.input, excluded.overlap, excluded.manifest_enabled, excluded.created_by)
    ON CONFLICT (id) DO NOTHING`
}

export type ManagedKeys = Readonly<{
  ws: string
  app: string
  deploymentId: string
  /** The keys in the manifest. */
  keys: readonly string[]
}>

/** Deletes the schedules that the manifest no longer contains. Their fire times stay until their retention. */
export const deleteOtherManagedSchedules = ({
  ws,
  app,
  deploymentId,
  keys,
}: ManagedKeys): Statement =>
  sql`DELETE FROM schedules WHERE ws = ${ws} AND app = ${app} AND managed_key IS NOT NULL
      AND managed_key NOT IN ${listed(keys)}
      AND ${isDeployed(ws, app, deploymentId)}`
