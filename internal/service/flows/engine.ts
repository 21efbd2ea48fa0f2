/**
 * What one process caches of flow runs. It is created once; use cases of flows take it in addition to the other dependencies.
 */
import type { Database } from '#store/database.ts'
import type { Deps } from '../deps.ts'
import { createPinnedFlows, type PinnedFlows } from './pinned-flows.ts'
import { createRunCache, type RunCache } from './run-cache.ts'
import { createRunQueue, type RunQueue } from './run-queue.ts'

export type FlowEngine = Readonly<{
  /** Flows and actions of deployments. */
  pinned: PinnedFlows
  /** Events of runs, handled one after another for each run. */
  queue: RunQueue
  /** Runs as this process last wrote them. */
  runCache: RunCache
}>

export type WithFlows = Readonly<{ flows: FlowEngine }>

/** What use cases need that start or advance runs. */
export type FlowDeps = Pick<
  Deps,
  'db' | 'keyring' | 'newId' | 'limits' | 'hints' | 'passFault' | 'gate' | 'spans' | 'manifests'
> &
  WithFlows

/** All dependencies of the service's use cases. */
export type AllDeps = Deps & WithFlows

/** Creates an empty engine. Everything in it can be read again from the database. */
export const createFlowEngine = ({ db }: Readonly<{ db: Database }>): FlowEngine => ({
  pinned: createPinnedFlows(db),
  queue: createRunQueue(),
  runCache: createRunCache(),
})
