/**
 * Continues runs that wait for room in their workspace's queue [flows 12.3]. A run is marked as waiting in its own row, by
 * the write that left its items waiting, so nothing is lost by a restart.
 */
import { unlessNewer } from '#core/newer-svc.ts'
import { listRunsAwaitingRoom, listWorkspacesAwaitingRoom } from '#store/flow-room.ts'
import { TRUE } from '#store/sql.ts'
import { tryTransition } from './advance-run.ts'
import { type FlowDeps, loadRun } from './load-run.ts'

/** Runs of one workspace in one turn. */
const MOST_RUNS = 100
/** Slots of one run in one turn: as many as a step may have under way. */
const MOST_SLOTS = 50

/**
 * Reads first: while no run waits, or none finds room, it writes nothing.
 * @returns whether runs are left that wait
 */
export const admitSteps = async (deps: FlowDeps): Promise<boolean> => {
  let isLeft = false
  for (const ws of await listWorkspacesAwaitingRoom(deps.db)) {
    if (!(await admitIn(deps, ws))) isLeft = true
  }
  return isLeft
}

/** @returns false: some may be left */
const admitIn = async (deps: FlowDeps, ws: string): Promise<boolean> => {
  if ((await deps.gate.room(ws)) === 0) return false
  const ids = await listRunsAwaitingRoom(deps.db, ws, MOST_RUNS)
  for (const id of ids) {
    const room = Math.min(await deps.gate.room(ws), MOST_SLOTS)
    if (room === 0) return false
    // one more than there is room for: the last one finds out that nothing waits any more
    await unlessNewer(() => admitRun(deps, { ws, id, slots: room + 1 }), undefined)
  }
  return ids.length < MOST_RUNS
}

/** If another process continues the run meanwhile, this one reads the run again. */
const admitRun = async (
  deps: FlowDeps,
  { ws, id, slots }: Readonly<{ ws: string; id: string; slots: number }>,
): Promise<void> => {
  const run = await loadRun(deps, { ws, id, slots })
  if (run === null || !run.state.awaitsRoom) return
  const events = Array.from({ length: slots }, () => ({ kind: 'room_made' }) as const)
  await tryTransition(deps, run, { events, condition: TRUE })
}
