/** Schedules that svc switched off because their target was gone, and how they go on when it is back. */
import { type Database, SQL_NOW, type Statement, sql } from './database.ts'
import { type Schedule, toSchedule } from './schedules.ts'

export const listSchedulesWithoutTarget = async (
  db: Database,
  ws: string,
  app: string,
): Promise<readonly Schedule[]> => {
  const rows = await db.all(
    sql(
      `SELECT * FROM schedules INDEXED BY schedules_without_target WHERE ws = ? AND app = ? AND target_gone = 1`,
      ws,
      app,
    ),
  )
  return rows.map(toSchedule)
}

export type ResumedSchedule = Pick<Schedule, 'id' | 'version'> &
  Readonly<{ nextFireAt: number; deploymentId: string }>

/** Must stand behind the deployment that brings the target back: nothing changes where another one is current. */
export const resumeSchedule = ({
  id,
  version,
  nextFireAt,
  deploymentId,
}: ResumedSchedule): Statement =>
  sql(
    `UPDATE schedules SET enabled = 1, next_fire_at = ?, disabled_reason = NULL, target_gone = 0,
       version = version + 1, updated_at = ${SQL_NOW}
     WHERE id = ? AND version = ? AND target_gone = 1
       AND EXISTS (SELECT 1 FROM apps WHERE apps.ws = schedules.ws AND apps.key = schedules.app AND apps.deployment_id = ?)`,
    nextFireAt,
    id,
    version,
    deploymentId,
  )
