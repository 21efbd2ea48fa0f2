/** Creates a worker from the settings: its claim loop, its runner and the thread of its leases. */
import { type Config, databaseAddressOf } from '#config/config.ts'
import { createLogger } from '#log/logtape.ts'
import type { Metrics } from '#metrics/registry.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { createJobRunner } from '#service/queue/run-job.ts'
import { createLeaseKeeper } from '#worker/lease-keeper.ts'
import { createWorker, type Worker } from '#worker/loop.ts'
import { monotonicNow } from '#worker/monotonic-clock.ts'
import type { SlotPool } from '#worker/slot-pool.ts'
import { startLeaseThread } from './lease-thread.ts'
import { openBundleCache } from './open-bundle-cache.ts'

export type WorkerRoleDeps = AllDeps &
  Readonly<{
    sandbox: Sandbox
    metrics: Metrics
    baseUrl: string
    isLinked: () => boolean
    /** The worker slots of this node, shared by all cells. */
    slotPool: SlotPool
  }>

/** Creates the claim loop of one cell from the settings; the caller starts it. */
export const createConfiguredWorker = (config: Config, deps: WorkerRoleDeps): Worker => {
  const leaseMs = config.jobLeaseS * 1_000
  return createWorker(
    {
      ...deps,
      runner: createJobRunner({ ...deps, bundleCache: openBundleCache(config, deps) }),
      log: createLogger('worker'),
      onEnded: ({ end, durationMs }) => deps.metrics.jobEnded(end, durationMs),
      createLeaseKeeper: (listeners) =>
        createLeaseKeeper({
          ...listeners,
          leaseMs,
          monotonicNow,
          thread: startLeaseThread({ ...databaseAddressOf(config), leaseMs }),
        }),
    },
    {
      name: config.workerName,
      tags: config.tags,
      level: deps.sandbox.level,
      workspaces: config.workspaces,
      concurrency: config.concurrency,
      graceMs: config.shutdownGraceS * 1_000,
    },
  )
}
