/** What one process keeps of flow runs. It is made once; use cases of flows take it in addition to the other dependencies. */
import type { Database } from '#store/database.ts'
import type { Deps } from '../deps.ts'
import { createKnownRuns, type KnownRuns } from './known-runs.ts'
import { createPinnedFlows, type PinnedFlows } from './pinned-flows.ts'
import { createRunQueue, type RunQueue } from './run-queue.ts'

export type FlowEngine = Readonly<{
  /** Flows and actions of deployments. */
  pinned: PinnedFlows
  /** Events of runs, handled one after another for each run. */
  queue: RunQueue
  /** Runs as this process left them. */
  knownRuns: KnownRuns
}>

export type WithFlows = Readonly<{ flows: FlowEngine }>

/** Everything that use cases of the whole service are given. */
export type AllDeps = Deps & WithFlows

/** Starts empty: all of it can be read again from the database. */
export const createFlowEngine = ({ db }: Readonly<{ db: Database }>): FlowEngine => ({
  pinned: createPinnedFlows(db),
  queue: createRunQueue(),
  knownRuns: createKnownRuns(),
})
