/**
 * Fires the schedules of each workspace independently of the others. The check of an input may take 0.5 s on a thread, so the
 * checks of one workspace would delay the fire times of all others.
 */
import { setTimeout } from 'node:timers/promises'
import type { DueSchedule } from '#store/schedules/fire-times.ts'
import { createTurnFailures } from '../turn-failures.ts'

/**
 * The outcome of a fire time, for the log. `late`: another node fired it. `postponed`: it starts to wait for room in the
 * queue or for the end of the former run. `waiting`: it still waits. `left`: only a newer node can read its target.
 */
export type Firing = Readonly<{
  schedule: DueSchedule
  outcome: 'fired' | 'skipped' | 'disabled' | 'late' | 'postponed' | 'waiting' | 'left'
  reason: string | null
}>

type Keep = (fire: () => Promise<Firing>) => Promise<Firing | null>

export interface FireTasks {
  /** Begins a task of a workspace, unless its last one is under way. `keep` returns null if the schedule fails. */
  begin(ws: string, task: (keep: Keep) => Promise<unknown>): void
  /** Returns the workspaces whose task is under way. */
  underWay(): readonly string[]
  /** Waits for the tasks that began since the last call, for the patience of a turn. */
  wait(): Promise<void>
  /** Returns what was fired since the last call. @throws {Error} the first failure since then */
  take(): readonly Firing[]
  /** Waits for all tasks. */
  settled(): Promise<void>
}

type Options = Readonly<{
  /** Milliseconds for which a turn waits. @default until the end */
  patienceMs?: number
  onFiring?: (firing: Firing) => void
}>

/** Creates the tasks of a process. */
export const createFireTasks = ({ patienceMs, onFiring }: Options = {}): FireTasks => {
  const underWay = new Map<string, Promise<void>>()
  const firings: Firing[] = []
  const failures = createTurnFailures()
  let begun: Promise<void>[] = []

  const keep: Keep = async (fire) => {
    const firing = await failures.keep(fire, null)
    if (firing === null) return null
    firings.push(firing)
    onFiring?.(firing)
    return firing
  }
  return {
    begin: (ws, task) => {
      if (underWay.has(ws)) return
      const ended = task(keep)
        .then(() => undefined, failures.note)
        .finally(() => underWay.delete(ws))
      underWay.set(ws, ended)
      begun.push(ended)
    },
    underWay: () => [...underWay.keys()],
    wait: async () => {
      const all = Promise.all(begun)
      begun = []
      if (patienceMs === undefined) await all
      else await Promise.race([all, setTimeout(patienceMs, undefined, { ref: false })])
    },
    take: () => {
      failures.throwFirst()
      return firings.splice(0)
    },
    settled: async () => {
      await Promise.all(underWay.values())
    },
  }
}
