/** The worker role: leases and claim loop. */
import { join } from 'node:path'
import { type BundleCache, createBundleCache } from '#bundle/bundle-cache.ts'
import { type Config, databaseUrlOf } from '#config/config.ts'
import { createLogger } from '#log/logtape.ts'
import type { Metrics } from '#metrics/registry.ts'
import { openCacheFolder } from '#platform/cache-folder.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { createJobRunner } from '#service/queue/run-job.ts'
import { createLeaseKeeper } from '#worker/lease-keeper.ts'
import { createWorker, type Worker } from '#worker/loop.ts'
import { monotonicNow } from '#worker/monotonic-clock.ts'
import type { SlotPool } from '#worker/slot-pool.ts'
import { startLeaseThread } from './lease-thread.ts'

/** A database file needs no cache, because reading it is as fast as reading a cached file. */
export const openBundleCache = (
  config: Config,
  { db }: Pick<AllDeps, 'db'>,
): BundleCache | undefined =>
  db.backend === 'file'
    ? undefined
    : createBundleCache({
        folder: join(openCacheFolder(), 'bundles'),
        maxBytes: config.bundleCacheMb * 1_048_576,
      })

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
      runner: createJobRunner({
        ...deps,
        bundleCache: openBundleCache(config, deps),
        baseUrl: deps.baseUrl,
      }),
      log: createLogger('worker'),
      onEnded: ({ status, durationMs }) => deps.metrics.jobEnded(status, durationMs),
      createLeaseKeeper: (listeners) =>
        createLeaseKeeper({
          ...listeners,
          leaseMs,
          monotonicNow,
          thread: startLeaseThread({
            url: databaseUrlOf(config),
            leaseMs,
            ...(config.databaseAuthToken === undefined
              ? {}
              : { authToken: config.databaseAuthToken }),
          }),
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
