/**
 * Caches runs as this process last wrote them, so that the next transition need not read them. The database decides: a
 * transition names the version that it starts from, and writes nothing if that is outdated.
 */
import { kindOf } from '#core/flow/kinds.ts'
import { stepAt } from '#core/flow/position.ts'
import type { PlannedRun } from './planned-run.ts'

export interface KnownRuns {
  find(ws: string, id: string): PlannedRun | null
  /** @param weight characters that its last transition wrote */
  keep(run: PlannedRun, weight: number): void
  forget(run: Pick<PlannedRun, 'ws' | 'id'>): void
}

const MOST_RUNS = 5_000
/** The most characters of a cached run; a larger run is read again each time. */
const MOST_WEIGHT = 262_144
const MOST_IN_ALL = 33_554_432

/** Whether one child does the step, or the failure module runs. A loop needs more than is cached here. */
const isSimple = ({ state: { status, definition, index, awaitsRoom } }: PlannedRun): boolean => {
  const hasOneSlot = kindOf(stepAt(definition, index)).join === undefined
  return status === 'running' && !awaitsRoom && hasOneSlot
}

/** Creates the cache of runs of this process. When it is full, the run that was added first is dropped. */
export const createKnownRuns = (): KnownRuns => {
  // a map keeps the order of insertion, so the oldest goes first
  const known = new Map<string, Readonly<{ run: PlannedRun; weight: number }>>()
  let inAll = 0

  const keyOf = ({ ws, id }: Pick<PlannedRun, 'ws' | 'id'>): string => `${ws}/${id}`
  const drop = (key: string): number => {
    const weight = known.get(key)?.weight ?? 0
    inAll -= weight
    known.delete(key)
    return weight
  }

  return {
    find: (ws, id) => {
      const found = known.get(`${ws}/${id}`)?.run
      return found === undefined ? null : { ...found, wait: 'kept', remindMs: 'kept' }
    },
    keep: (run, weight) => {
      const key = keyOf(run)
      const whole = drop(key) + weight
      if (!isSimple(run) || whole > MOST_WEIGHT) return
      known.set(key, { run, weight: whole })
      inAll += whole
      for (const [oldest] of known) {
        if (known.size <= MOST_RUNS && inAll <= MOST_IN_ALL) break
        drop(oldest)
      }
    },
    forget: (run) => void drop(keyOf(run)),
  }
}
