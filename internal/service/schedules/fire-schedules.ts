/**
 * Turns that fire the schedules that are due [schedules 5]. Any number of nodes may take them at once, because each fire time
 * fires once (fire-schedule.ts).
 */
import { chunksOf } from '#core/chunks-of.ts'
import { unlessNewer } from '#core/newer-svc.ts'
import { type DuePage, endOf } from '#store/due-place.ts'
import {
  type DueSchedule,
  listDueSchedules,
  listWaitingSchedules,
  listWaitingWorkspaces,
} from '#store/schedules/fire-times.ts'
import { createDueTurns, type DueTurns } from '../due-turns.ts'
import type { FlowDeps } from '../flows/engine.ts'
import { fireSchedule } from './fire-schedule.ts'
import { createFireTasks, type FireTasks, type Firing } from './fire-tasks.ts'

const BATCH = 100
/** Schedules of one workspace that fire at once. Their writes share a commit, for whose end the writes of all others wait. */
const AT_ONCE = 8

/**
 * Fires due schedules.
 * @param graceMs skips those due for less, because another node should fire them
 * @throws {Error} the first failure, after all others have been fired
 */
export const fireDueSchedules = async (
  deps: FlowDeps,
  { graceMs, turns = createDueTurns(), tasks = createFireTasks() }: FireTurn,
): Promise<readonly Firing[]> => {
  const fireAll = async (due: readonly DueSchedule[]): Promise<readonly boolean[]> => {
    const done = new Set<DueSchedule>()
    for (const [ws, all] of Map.groupBy(due, (schedule) => schedule.ws)) {
      tasks.begin(ws, async (keep) => {
        const fire = async (schedule: DueSchedule): Promise<void> => {
          const firing = await keep(() => fireOrLeave(deps, schedule))
          if (firing !== null && firing.outcome !== 'left') done.add(schedule)
        }
        for (const some of chunksOf(all, AT_ONCE)) await Promise.all(some.map(fire))
      })
    }
    await tasks.wait()
    return due.map((schedule) => done.has(schedule))
  }
  const list = async ({ limit, behind }: DuePage) => {
    // a workspace whose task is under way would fire none of them, and continue behind them
    const busy = tasks.underWay().map(endOf)
    const due = await listDueSchedules(deps.db, { limit, behind: [...behind, ...busy], graceMs })
    return due.map((schedule) => ({ ...schedule, at: schedule.fireTime }))
  }
  await turns.take(BATCH, list, fireAll)
  return tasks.take()
}

type FireTurn = Readonly<{ graceMs: number; turns?: DueTurns; tasks?: FireTasks }>

/** Leaves a schedule that this node cannot read due, for a newer node. */
const fireOrLeave = (deps: FlowDeps, due: DueSchedule): Promise<Firing> =>
  unlessNewer<Firing, Firing>(() => fireSchedule(deps, due), {
    schedule: due,
    outcome: 'left',
    reason: 'A newer svc deployed its target.',
  })

/** Schedules of one workspace per pass. */
const MOST_WAITING = 50
/** Workspaces per pass. */
const WAITING_WORKSPACES = 50

/**
 * Fires schedules that waited for room in their workspace's queue, where there is room now. A workspace costs one count
 * of its queue per pass, however many of its schedules wait.
 * @param afterWs the workspace where the last pass ended
 * @returns the workspace where this one ended; empty to start with the first
 */
export const fireWaitingSchedules = async (
  deps: FlowDeps,
  { afterWs, tasks }: Readonly<{ afterWs: string; tasks: FireTasks }>,
): Promise<string> => {
  const waiting = await listWaitingWorkspaces(deps.db, { afterWs, limit: WAITING_WORKSPACES })
  for (const ws of waiting) {
    tasks.begin(ws, async (keep) => {
      for (const due of await listWaitingSchedules(deps.db, { ws, limit: MOST_WAITING })) {
        const firing = await keep(() => fireOrLeave(deps, due))
        if (firing?.outcome === 'waiting') break
      }
    })
  }
  await tasks.wait()
  return waiting.length < WAITING_WORKSPACES ? '' : (waiting.at(-1) ?? '')
}
