/**
 * Caches runs as this process last wrote them, so that the next transition need not read them. The database decides: a
 * transition names the version that it starts from, and writes nothing if that is outdated.
 */
import { kindOf } from '#core/flow/kinds.ts'
import { stepAt } from '#core/flow/position.ts'
import type { PlannedRun } from './planned-run.ts'

export interface RunCache {
  find(ws: string, id: string): PlannedRun | null
  /** @param characters that its last transition wrote */
  keep(run: PlannedRun, characters: number): void
  forget(run: Pick<PlannedRun, 'ws' | 'id'>): void
}

const MOST_RUNS = 5_000
/** The most characters of a cached run; a larger run is read again each time. */
const MOST_CHARACTERS = 262_144
const MOST_CHARACTERS_IN_ALL = 33_554_432

/** Whether one child does the step, or the failure module runs. A loop needs more than is cached here. */
const isSimple = ({
  state: { status, step, definition, index, awaitsRoom },
}: PlannedRun): boolean => {
  if (status !== 'running' || step === null || awaitsRoom) return false
  return kindOf(stepAt(definition, index)).join === undefined
}

/** Creates the cache of runs of this process. When it is full, the run that was added first is dropped. */
export const createRunCache = (): RunCache => {
  // a map keeps the order of insertion, so the oldest goes first
  const cached = new Map<string, Readonly<{ run: PlannedRun; characters: number }>>()
  let inAll = 0

  const keyOf = ({ ws, id }: Pick<PlannedRun, 'ws' | 'id'>): string => `${ws}/${id}`
  const drop = (key: string): number => {
    const characters = cached.get(key)?.characters ?? 0
    inAll -= characters
    cached.delete(key)
    return characters
  }

  return {
    find: (ws, id) => {
      const found = cached.get(`${ws}/${id}`)?.run
      return found === undefined ? null : { ...found, wait: 'kept', remindMs: 'kept' }
    },
    keep: (run, characters) => {
      const key = keyOf(run)
      const whole = drop(key) + characters
      if (!isSimple(run) || whole > MOST_CHARACTERS) return
      cached.set(key, { run, characters: whole })
      inAll += whole
      for (const [oldest] of cached) {
        if (cached.size <= MOST_RUNS && inAll <= MOST_CHARACTERS_IN_ALL) break
        drop(oldest)
      }
    },
    forget: (run) => void drop(keyOf(run)),
  }
}
