/**
 * Lists live workers: that of this process, those connected by the bus, and those that the bus does not reach, which ping in
 * the database. While the bus works, nothing is written [jobs 9.5].
 */
import { type WorkerFacts, workerFacts } from '#core/placement/worker-facts.ts'
import { listPingedWorkers, type PingedWorker } from '#store/nodes/nodes.ts'
import type { Deps } from '../deps.ts'

export type LiveWorker = WorkerFacts &
  Readonly<{
    /** Id of its node. */
    id: string
    name: string
    version: string
    /** Milliseconds since 1970. */
    lastPingAt: number
  }>

export interface LiveWorkers {
  /** Returns the workers sorted by name. */
  list(): Promise<readonly LiveWorker[]>
}

/** Milliseconds for which a ping in the database counts; workers ping three times as often. */
export const PING_LASTS_MS = 30_000

const toLiveWorker = ({ workerJson, pingedAt, ...row }: PingedWorker): LiveWorker | null => {
  const facts = workerFacts.safeParse(JSON.parse(workerJson))
  if (!facts.success) return null
  return { id: row.id, name: row.name, version: row.version, ...facts.data, lastPingAt: pingedAt }
}

/** Creates the list. @param joined returns this process's worker and those connected by the bus */
export const createLiveWorkers = (
  { db }: Pick<Deps, 'db'>,
  joined: () => readonly LiveWorker[],
): LiveWorkers => ({
  list: async () => {
    const near = joined()
    const ids = new Set(near.map(({ id }) => id))
    const far = (await listPingedWorkers(db, PING_LASTS_MS))
      .filter(({ id }) => !ids.has(id))
      .map(toLiveWorker)
      .filter((worker) => worker !== null)
    return [...near, ...far].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  },
})

/** The workers that claim jobs of one cell. */
export const liveWorkersOfCell = (all: LiveWorkers, cell: string): LiveWorkers => ({
  list: async () => (await all.list()).filter(({ cells }) => cells.includes(cell)),
})
