/**
 * The workers that are alive, as this process knows them: its own, and those that reach it. Kept in memory, since a ping
 * in the database would be a write that nobody needs while nothing happens (target I11).
 */
export type LiveWorker = Readonly<{
  name: string
  group: string
  tags: readonly string[]
  running: number
  concurrency: number
  version: string
  /** Milliseconds since 1970. */
  lastPingAt: number
}>

export interface LiveWorkers {
  /** @param describe asked whenever somebody looks; @returns a function that takes the worker away */
  add(describe: () => LiveWorker): () => void
  /** By name. */
  list(): readonly LiveWorker[]
}

export const createLiveWorkers = (): LiveWorkers => {
  const workers = new Set<() => LiveWorker>()
  return {
    add: (describe) => {
      workers.add(describe)
      return () => void workers.delete(describe)
    },
    list: () =>
      [...workers].map((describe) => describe()).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  }
}
