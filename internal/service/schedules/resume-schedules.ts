/** Enables schedules again that svc disabled for a missing target, when a deployment contains the target again. */
import type { Actor } from '#core/access/actor.ts'
import { nextFire, parseTiming } from '#core/schedule/timing.ts'
import type { Statement } from '#store/database.ts'
import { listSchedulesWithoutTarget, resumeSchedule } from '#store/schedules/paused.ts'
import type { Schedule } from '#store/schedules/schedules.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'

export type Resumption = Readonly<{
  /** Id of the deployment that becomes current. */
  id: string
  ws: string
  app: string
  actor: Actor
  /** Keys of the deployment. */
  actions: readonly string[]
  flows: readonly string[]
}>

const hasTarget = ({ action, flow }: Schedule, { actions, flows }: Resumption): boolean =>
  (action !== null && actions.includes(action)) || (flow !== null && flows.includes(flow))

/** Returns the statements; they must follow those that make the deployment current. */
export const resumeSchedules = async (
  { db, newId }: Pick<Deps, 'db' | 'newId'>,
  resumption: Resumption,
): Promise<readonly Statement[]> => {
  const { id, ws, app, actor } = resumption
  const paused = await listSchedulesWithoutTarget(db, ws, app)
  const back = paused.filter((schedule) => hasTarget(schedule, resumption))
  if (back.length === 0) return []
  const now = await db.now()
  return back.flatMap((schedule) => {
    const { timing } = parseTiming(schedule.cron, schedule.timezone)
    const next = timing === null ? null : nextFire(timing, { after: now })
    if (next === null) return []
    return [
      resumeSchedule({ ...schedule, nextFireAt: next, deploymentId: id }),
      audited({ newId }, { ws, actor }, 'schedule.resumed', schedule.id),
    ]
  })
}
