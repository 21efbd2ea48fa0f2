/** The worker role of a node: one claim loop for each cell, with shared worker slots. */

import type { Config } from '#config/config.ts'
import type { WorkerFacts } from '#core/placement/worker-facts.ts'
import type { Metrics } from '#metrics/registry.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import type { Worker } from '#worker/loop.ts'
import { createSlotPool } from '#worker/slot-pool.ts'
import { createConfiguredWorker } from './start-worker.ts'
import type { Stoppable } from './stoppable.ts'

export type NodeWorkers = Stoppable &
  Readonly<{
    /** Starts to claim the jobs of a cell. */
    start: (cell: string, config: Config, deps: AllDeps) => Promise<void>
    /** The facts about this worker that other nodes get; null while it claims no jobs. */
    describe: () => WorkerFacts | null
  }>

export type NodeWorkerOptions = Readonly<{
  sandbox: Sandbox
  metrics: Metrics
  baseUrl: string
  isLinked: () => boolean
}>

/** Creates the worker of this node; it claims nothing until a cell is started. */
export const createNodeWorkers = (config: Config, options: NodeWorkerOptions): NodeWorkers => {
  const slotPool = createSlotPool(config.concurrency)
  const loops = new Map<string, Worker>()
  let isStopping = false
  options.metrics.watchRunning(slotPool.running)
  return {
    start: async (cell, own, deps) => {
      if (isStopping) return
      const loop = createConfiguredWorker(own, { ...deps, ...options, slotPool })
      loops.set(cell, loop)
      await loop.start()
    },
    describe: () =>
      isStopping
        ? null
        : {
            group: config.group,
            tags: [...config.tags],
            level: options.sandbox.level,
            workspaces: [...config.workspaces],
            cells: [...loops.keys()],
            concurrency: config.concurrency,
            running: slotPool.running(),
          },
    stop: async () => {
      isStopping = true
      await Promise.all([...loops.values()].map((loop) => loop.stop()))
    },
  }
}
