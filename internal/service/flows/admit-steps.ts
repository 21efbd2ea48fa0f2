/**
 * Continues runs that wait for room in their workspace's queue [flows 12.3]. The write that leaves items waiting also marks the
 * run as waiting in its row, so a restart loses nothing.
 */
import { unlessNewer } from '#core/newer-svc.ts'
import {
  listRunsAwaitingRoom,
  listRunsToEnd,
  listWorkspacesAwaitingRoom,
} from '#store/flows/room.ts'
import { TRUE } from '#store/sql.ts'
import { createTurnFailures, type TurnFailures } from '../turn-failures.ts'
import { changeRunOnce } from './change-run.ts'
import type { FlowDeps } from './engine.ts'

/** Runs of one workspace per turn. */
const MOST_RUNS = 100
/** Waiting runs of one workspace per turn that are examined while its queue is full. */
const MOST_EXAMINED = 1_000
/** Items of one run per turn: as many as a step may have under way. */
const MOST_SLOTS = 50

/**
 * Reads first, and writes nothing while no run waits or none finds room.
 * @returns whether the next turn may continue some runs
 * @throws {Error} the first failure, after all other runs
 */
export const admitSteps = async (deps: FlowDeps): Promise<boolean> => {
  const failures = createTurnFailures()
  let isLeft = false
  for (const ws of await listWorkspacesAwaitingRoom(deps.db)) {
    if (!(await admitIn(deps, ws, failures))) isLeft = true
  }
  failures.throwFirst()
  return isLeft
}

/** @returns false if the next turn may continue more runs, or more items of one */
const admitIn = async (deps: FlowDeps, ws: string, failures: TurnFailures): Promise<boolean> => {
  if ((await deps.gate.room(ws)) === 0) {
    for (const id of await listRunsToEnd(deps.db, ws, MOST_EXAMINED)) {
      await failures.keep(() => admit(deps, { ws, id, slots: 1 }), undefined)
    }
    return false
  }
  const ids = await listRunsAwaitingRoom(deps.db, ws, MOST_RUNS)
  let hasContinued = false
  for (const id of ids) {
    const room = Math.min(await deps.gate.room(ws), MOST_SLOTS)
    if (room === 0) return false
    // one more than there is room for: the last one finds out that nothing waits any more
    const slots = room + 1
    if (await failures.keep(() => admit(deps, { ws, id, slots }), false)) hasContinued = true
  }
  if (ids.length === MOST_RUNS) return false
  // runs that no turn can continue do not call for another one soon
  return !hasContinued || (await listRunsAwaitingRoom(deps.db, ws, 1)).length === 0
}

type AdmitRequest = Readonly<{ ws: string; id: string; slots: number }>

/** Continues a run, or leaves it to a newer node. @returns false if nothing was written */
const admit = (deps: FlowDeps, request: AdmitRequest): Promise<boolean> =>
  unlessNewer(() => admitRun(deps, request), false)

/** If another process continues the run meanwhile, nothing is written, and the next turn reads the run again. */
const admitRun = (deps: FlowDeps, request: AdmitRequest): Promise<boolean> => {
  const events = Array.from({ length: request.slots }, () => ({ kind: 'room_made' }) as const)
  return changeRunOnce(deps, request, ({ state }) =>
    state.awaitsRoom ? { events, condition: TRUE } : null,
  )
}
