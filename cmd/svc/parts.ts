/** What runs inside a node, by role: the server's answers, the scheduler's duties, the worker's loop. */
import type { Config } from '#config/config.ts'
import { createHttpApp } from '#http/app.ts'
import { createLogger } from '#log/logtape.ts'
import { createMetrics, type Metrics } from '#metrics/registry.ts'
import type { Sandbox } from '#sandbox/provider.ts'
import { createFireDuty } from '#scheduler/duties/fire-schedules.ts'
import { createRescueDuty } from '#scheduler/duties/rescue-jobs.ts'
import { createSweepDuty } from '#scheduler/duties/sweep-retention.ts'
import { createGitSyncDuty } from '#scheduler/duties/sync-git.ts'
import { createScheduler } from '#scheduler/loop.ts'
import type { Deps } from '#service/deps.ts'
import { createLeadership } from '#service/lead.ts'
import { createLiveWorkers, type LiveWorkers } from '#service/live-workers.ts'
import { createQueueGate } from '#service/queue-gate.ts'
import { countReadyByTag } from '#store/job-counts.ts'
import { monotonicNow } from '#worker/monotonic-clock.ts'
import { httpSettings } from './http-settings.ts'
import type { Listener } from './listen.ts'
import { openGit } from './open-git.ts'
import { type Role, runsScheduler, runsServer } from './roles.ts'
import { allRoutes } from './routes.ts'
import { createConfiguredWorker } from './start-worker.ts'
import { VERSION } from './version.ts'

export type Stoppable = Readonly<{ stop: () => Promise<void> }>

export type NodeFacts = Readonly<{
  role: Role
  /** Null: this role listens nowhere. */
  listener: Listener | null
  /** Null: this role runs no jobs. */
  sandbox: Sandbox | null
  isStopping: () => boolean
}>

type Shared = Readonly<{ metrics: Metrics; liveWorkers: LiveWorkers }>

/** In the order of their start; they stop in reverse. */
export const startParts = async (
  config: Config,
  deps: Deps,
  facts: NodeFacts,
): Promise<readonly Stoppable[]> => {
  const { role, listener, sandbox } = facts
  const shared = { metrics: createMetrics(VERSION), liveWorkers: createLiveWorkers() }
  const parts: Stoppable[] = []
  if (listener !== null) parts.push(answer(config, deps, { ...facts, ...shared, listener }))
  if (runsScheduler(role)) parts.push(await startScheduler(config, deps))
  if (sandbox !== null) parts.push(await startWorker(config, deps, { ...shared, sandbox }))
  return parts
}

const answer = (
  config: Config,
  deps: Deps,
  facts: NodeFacts & Shared & Readonly<{ listener: Listener }>,
): Stoppable => {
  const { role, listener, sandbox, isStopping, metrics, liveWorkers } = facts
  const health = {
    version: VERSION,
    role,
    isolation: sandbox?.level ?? 'none',
    isStopping,
    metrics,
    metricsToken: config.metricsToken,
  }
  const client = {
    version: VERSION,
    jobRetentionDays: config.jobRetentionDays,
    maxBodyBytes: config.maxBodyBytes,
  }
  const routes = allRoutes({ ...deps, health, git: openGit(config), client, liveWorkers })
  const app = createHttpApp(
    {
      ...deps,
      ...httpSettings(config),
      log: createLogger('http'),
      onEnded: metrics.requestEnded,
    },
    routes.filter(({ tag }) => runsServer(role) || tag === 'Node'),
  )
  metrics.watchQueue(() => countReadyByTag(deps.db))
  listener.answerWith((request, bindings) => app.fetch(request, bindings))
  return listener
}

const LEADER_LEASE_MS = 10_000

const startScheduler = async (config: Config, deps: Deps): Promise<Stoppable> => {
  const log = createLogger('scheduler')
  const leadership = createLeadership(deps, {
    name: 'scheduler',
    owner: deps.newId(),
    leaseMs: LEADER_LEASE_MS,
    monotonicNow,
    onElected: (epoch) => log.debug('Leads the schedulers now.', { epoch }),
  })
  const shared = { ...deps, log, leadership }
  const scheduler = createScheduler(log, [
    createRescueDuty(shared),
    createFireDuty({ ...shared, gate: createQueueGate(deps) }),
    createGitSyncDuty({ ...shared, git: openGit(config) }),
    createSweepDuty({
      ...shared,
      retentionDays: config.jobRetentionDays,
      auditRetentionDays: config.auditRetentionDays,
    }),
  ])
  await scheduler.start()
  return {
    stop: async () => {
      await scheduler.stop()
      // the database may be away: then the lease runs out
      await leadership.release().catch(() => undefined)
    },
  }
}

const startWorker = async (
  config: Config,
  deps: Deps,
  { metrics, liveWorkers, sandbox }: Shared & Readonly<{ sandbox: Sandbox }>,
): Promise<Stoppable> => {
  const worker = createConfiguredWorker(config, { ...deps, sandbox, metrics })
  await worker.start()
  const leave = liveWorkers.add(() => ({
    name: worker.name,
    group: config.group,
    tags: config.tags,
    running: worker.running,
    concurrency: config.concurrency,
    version: VERSION,
    lastPingAt: deps.now(),
  }))
  return {
    stop: () => {
      leave()
      return worker.stop()
    },
  }
}
