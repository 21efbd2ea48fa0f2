/** Schedules that svc disabled because their target was missing, and enabling them when it is back. */
import type { Database, Statement } from '../database.ts'
import { isDeployed } from '../jobs/guards.ts'
import { raw, SQL_NOW, sql } from '../sql.ts'
import { type Schedule, scheduleRow } from './schedules.ts'

export type PausedPage = Readonly<{ ws: string; app: string; afterId: string; limit: number }>

/** Lists schedules of an app that svc disabled because their target was missing, except those of the manifest, by id. */
export const listSchedulesWithoutTarget = (
  db: Database,
  { ws, app, afterId, limit }: PausedPage,
): Promise<readonly Schedule[]> =>
  scheduleRow.all(
    db,
    sql`SELECT ${scheduleRow.columns()} FROM schedules INDEXED BY schedules_without_target
      WHERE ws = ${ws} AND app = ${app} AND target_gone = 1 AND managed_key IS NULL AND id > ${afterId}
      ORDER BY id LIMIT ${limit}`,
  )

export type ResumedSchedule = Pick<Schedule, 'id' | 'version'> &
  Readonly<{ nextFireAt: number; deploymentId: string }>

/** Enables a schedule. Runs after the deployment that brings the target back, and does nothing if that is not current. */
export const resumeSchedule = ({
  id,
  version,
  nextFireAt,
  deploymentId,
}: ResumedSchedule): Statement =>
  sql`UPDATE schedules SET enabled = 1, next_fire_at = ${nextFireAt}, disabled_reason = NULL, target_gone = 0,
      version = version + 1, updated_at = max(${SQL_NOW}, updated_at + 1)
    WHERE id = ${id} AND version = ${version} AND target_gone = 1
      AND ${isDeployed(raw('schedules.ws'), raw('schedules.app'), deploymentId)}`
