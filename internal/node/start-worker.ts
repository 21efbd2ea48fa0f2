/** The worker role: sandbox, leases, claim loop. */
import { join } from 'node:path'
import { type BundleCache, createBundleCache } from '#bundle/bundle-cache.ts'
import { type Config, databaseUrlOf } from '#config/config.ts'
import { opensNothing } from '#core/network/egress-grant.ts'
import { createLogger } from '#log/logtape.ts'
import type { Metrics } from '#metrics/registry.ts'
import { openCacheFolder } from '#platform/cache-folder.ts'
import { findDeno } from '#platform/deno.ts'
import { NODE_GUEST_ARGS } from '#platform/node-guest.ts'
import { createSandboxPool } from '#sandbox/host/pool.ts'
import { type ProviderChoice, selectProvider } from '#sandbox/providers/select-provider.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { createJobRunner } from '#service/queue/run-job.ts'
import { createLeaseKeeper } from '#worker/lease-keeper.ts'
import { createWorker, type Worker } from '#worker/loop.ts'
import { monotonicNow } from '#worker/monotonic-clock.ts'
import type { SlotPool } from '#worker/slot-pool.ts'
import { startDeadlineThread } from './deadline-thread.ts'
import { startLeaseThread } from './lease-thread.ts'
import { reservedOf } from './reserved.ts'

/** The guest program lies where the user that jobs run as can read it; a data directory is closed to others. */
export const sandboxChoice = (config: Config): ProviderChoice => ({
  wanted: config.sandbox,
  minLevel: config.sandboxMinLevel,
  command: config.sandboxCommand,
  runtimeDir: join(openCacheFolder(), 'guest'),
  findDeno: async () => config.denoPath ?? findDeno(),
  nodeGuestArgs: NODE_GUEST_ARGS,
  reserved: reservedOf(config),
})

/** Processes of a burst stay for a while, because starting them again costs more than all else. */
const MIN_IDLE = 16

/**
 * @param warmAfter when processes for the first jobs may start. @default at once
 * @throws {AppError} no provider reaches SVC_SANDBOX_MIN_LEVEL
 */
export const openSandbox = async (config: Config, warmAfter?: Promise<void>): Promise<Sandbox> => {
  const log = createLogger('sandbox')
  const { provider, probe } = await selectProvider(sandboxChoice(config))
  for (const note of probe.notes) log.warn(note)
  for (const grant of config.egressAllow.filter(opensNothing)) {
    log.warn('A grant of SVC_EGRESS_ALLOW opens nothing: svc never opens such addresses.', {
      grant,
    })
  }
  return createSandboxPool(provider, {
    warm: Math.min(config.concurrency, 4),
    defaultShape: { memoryMb: config.jobMemoryMb, network: null },
    maxIdle: Math.max(config.concurrency * 2, MIN_IDLE),
    reuse: config.sandboxReuse === 'on',
    deadlines: startDeadlineThread(),
    ...(warmAfter === undefined ? {} : { warmAfter }),
  })
}

/** A database file is as near as a cache would be. */
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
    /** The slots of this node, whichever cell its jobs are in. */
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
