/** The schedules of a manifest, as part of its deployment [schedules 7]. */
import type { Actor } from '#core/access/actor.ts'
import type { ScheduleDefinition } from '#core/schedule/definition.ts'
import { nextFire, parseTiming } from '#core/schedule/timing.ts'
import type { Statement } from '#store/database.ts'
import {
  deleteOtherManagedSchedules,
  insertReplacedManaged,
  upsertManagedSchedule,
} from '#store/schedules/managed.ts'
import type { Deps } from '../deps.ts'

export type DeployedSchedules = Readonly<{
  /** Id of the deployment that becomes current. */
  id: string
  ws: string
  app: string
  /** Their jobs run as this person. */
  actor: Actor
  schedules: readonly ScheduleDefinition[]
}>

/** Returns the statements; they must follow those that make the deployment current. */
export const scheduleStatements = async (
  { db, newId }: Pick<Deps, 'db' | 'newId'>,
  { id: deploymentId, ws, app, actor, schedules }: DeployedSchedules,
): Promise<readonly Statement[]> => {
  const keys = schedules.map(({ key }) => key)
  const now = schedules.length === 0 ? 0 : await db.now()
  return [
    deleteOtherManagedSchedules({ ws, app, deploymentId, keys }),
    ...schedules.flatMap(({ key, action, flow, cron, timezone, input, enabled, overlap }) => {
      // this version may refuse a timing that an older one accepted
      const { timing } = parseTiming(cron, timezone)
      const schedule = {
        id: newId(),
        ws,
        app,
        action: action ?? null,
        flow: flow ?? null,
        cron,
        timezone,
        inputJson: JSON.stringify(input),
        enabled,
        overlap,
        nextFireAt: timing === null ? null : nextFire(timing, { after: now }),
        managedKey: key,
        deploymentId,
        createdBy: actor.identity,
      }
      return [insertReplacedManaged(schedule), upsertManagedSchedule(schedule)]
    }),
  ]
}
