/** Enables schedules again that svc disabled for a missing target, when a deployment contains the target again. */
import type { Actor } from '#core/access/actor.ts'
import { nextFire, parseTiming } from '#core/schedule/timing.ts'
import { findApp } from '#store/apps/apps.ts'
import type { Statement } from '#store/database.ts'
import { listSchedulesWithoutTarget, resumeSchedule } from '#store/schedules/paused.ts'
import type { Schedule } from '#store/schedules/schedules.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { takeTurn } from '../portions/take-turn.ts'

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

/** Schedules of one write, which takes a few milliseconds. Nearly all apps have fewer, and those are part of the deployment. */
const PORTION = 100

type Portion = Readonly<{
  statements: readonly Statement[]
  /** Where the next portion begins; null after the last one. */
  lastId: string | null
}>

const readPortion = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  resumption: Resumption,
  afterId: string,
): Promise<Portion> => {
  const { ws, app } = resumption
  const paused = await listSchedulesWithoutTarget(deps.db, { ws, app, afterId, limit: PORTION })
  const lastId = paused.length < PORTION ? null : (paused.at(-1)?.id ?? null)
  const back = paused.filter((schedule) => hasTarget(schedule, resumption))
  return { statements: await statementsOf(deps, resumption, back), lastId }
}

const statementsOf = async (
  { db, newId }: Pick<Deps, 'db' | 'newId'>,
  { id, ws, actor }: Resumption,
  back: readonly Schedule[],
): Promise<readonly Statement[]> => {
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

/** Returns the statements for the first portion; they must follow those that make the deployment current. */
export const resumeSchedules = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  resumption: Resumption,
): Promise<readonly Statement[]> => (await readPortion(deps, resumption, '')).statements

/**
 * Enables the schedules behind the first portion, after the deployment: two hundred thousand in its write would let all others wait for
 * seconds. If it is interrupted, the next deployment continues, even one that changes nothing.
 */
export const resumeOtherSchedules = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  resumption: Resumption,
): Promise<void> => {
  const { id, ws, app } = resumption
  for (let afterId: string | null = ''; afterId !== null; ) {
    const { statements, lastId }: Portion = await readPortion(deps, resumption, afterId)
    if (statements.length > 0) {
      // a later deployment continues by its own targets
      if ((await findApp(deps.db, ws, app))?.deploymentId !== id) return
      await deps.db.write(statements, { retry: true })
    }
    afterId = lastId
    await takeTurn()
  }
}
