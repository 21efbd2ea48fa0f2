/** Starts the parts of a node by its role: server, scheduler and worker. */
import type { WorkerFacts } from '#bus/protocol.ts'
import type { Config } from '#config/config.ts'
import type { Confine } from '#confine/confine.ts'
import { createClientAddress } from '#http/admission/client-address.ts'
import { createHttpApp } from '#http/app.ts'
import { createConsoleSurface } from '#http/console-surface.ts'
import { createGuidesSurface } from '#http/guides-surface.ts'
import { createRelaySockets, RELAY_SOCKET_PATH } from '#http/relay-socket.ts'
import { createLogger } from '#log/logtape.ts'
import { createMetrics, type Metrics } from '#metrics/registry.ts'
import { createFetchDocument } from '#outbound/fetch-document.ts'
import { createLookUpTxt } from '#outbound/look-up-txt.ts'
import { readConsoleFile, readGuideFile } from '#platform/served-files.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { createAdmitDuty } from '#scheduler/duties/admit-flow-steps.ts'
import { createWaitDuty } from '#scheduler/duties/end-waits.ts'
import { createExpireRelayDuty } from '#scheduler/duties/expire-relay.ts'
import { createFireDuty } from '#scheduler/duties/fire-schedules.ts'
import { createRescueDuty } from '#scheduler/duties/rescue-jobs.ts'
import { createOperationsDuty } from '#scheduler/duties/run-operations.ts'
import { createNotifyDuty } from '#scheduler/duties/send-notifications.ts'
import { createSweepDuty } from '#scheduler/duties/sweep-retention.ts'
import { createGitSyncDuty } from '#scheduler/duties/sync-git.ts'
import { createScheduler } from '#scheduler/loop.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import type { HintName } from '#service/hints.ts'
import { createLeadership } from '#service/lead.ts'
import { createLiveWorkers, type LiveWorkers } from '#service/live-workers.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { createClockWatch } from '#service/watch-clock.ts'
import { createDeliveryLog } from '#service/webhooks/delivery-log.ts'
import type { DatabaseCondition } from '#store/database-condition.ts'
import { countReadyByTag } from '#store/jobs/count.ts'
import { findWorkDue } from '#store/work-due.ts'
import type { Worker } from '#worker/loop.ts'
import { monotonicNow, suspendProofNow } from '#worker/monotonic-clock.ts'
import { httpSettings } from './http-settings.ts'
import type { Listener } from './listen.ts'
import { createMembership, type Membership } from './membership.ts'
import { linkAddress, linkWarning, nodeAddress } from './node-address.ts'
import { confineBundler, openConfine } from './open-confine.ts'
import { openFunctions } from './open-functions.ts'
import { openGit } from './open-git.ts'
import { openGitPush } from './open-git-push.ts'
import { openSenders } from './open-senders.ts'
import { openSignIn } from './open-sign-in.ts'
import { ownHostsOf } from './own-hosts.ts'
import { openPdfReader } from './pdf-reader.ts'
import { type Role, runsScheduler, runsServer, runsWorker } from './roles.ts'
import { allRoutes } from './routes.ts'
import { createConfiguredWorker } from './start-worker.ts'
import { VERSION } from './version.ts'

export type Stoppable = Readonly<{ stop: () => Promise<void> }>

export type NodeFacts = Readonly<{
  role: Role
  /** Null if this role has no listener. */
  listener: Listener | null
  /** Null if this role runs neither jobs nor functions. */
  sandbox: Sandbox | null
  isStopping: () => boolean
  condition: DatabaseCondition
}>

type Shared = Readonly<{ metrics: Metrics; liveWorkers: LiveWorkers }>

export type Parts = Readonly<{
  /** In the order of their start; they stop in reverse. */
  parts: readonly Stoppable[]
  /** Sends hints of this process to other nodes. */
  onHint: (name: HintName, key: string) => void
  membership: Membership
}>

/** Starts the parts that the role of this node has. */
export const startParts = async (
  config: Config,
  deps: AllDeps,
  facts: NodeFacts,
): Promise<Parts> => {
  const { role, listener, sandbox } = facts
  const metrics = createMetrics(VERSION)
  const traffic = sandbox?.traffic
  if (traffic !== undefined) metrics.watchEgress(() => traffic)
  const links = linkAddress(config, runsServer(role) ? listener : null)
  const warning = linkWarning(config, { role, listener })
  if (warning !== null) createLogger('node').warn(warning, { links })
  const worker =
    sandbox === null || !runsWorker(role)
      ? null
      : createConfiguredWorker(config, {
          ...deps,
          sandbox,
          metrics,
          baseUrl: links,
          isLinked: () => membership.isLinked(),
        })
  const confine = openConfine()
  // servers bundle deployments, and schedulers those that come by git
  if (runsServer(role) || runsScheduler(role)) confineBundler(confine)
  const endpoint =
    listener === null || !runsServer(role)
      ? null
      : { listener, address: nodeAddress(config, listener) }
  const membership = createMembership(deps, {
    role,
    name: config.workerName,
    endpoint,
    worker:
      worker === null || sandbox === null ? null : () => describeWorker(config, sandbox, worker),
    toClientAddress: createClientAddress(config.trustedProxies),
  })
  const shared = { metrics, liveWorkers: createLiveWorkers(deps, membership.workers) }
  const parts: Stoppable[] = []
  if (listener !== null)
    parts.push(answer(config, deps, { ...facts, ...shared, listener, confine }))
  await membership.start()
  parts.push(membership)
  if (runsScheduler(role))
    parts.push(await startScheduler(config, { ...deps, isTold: membership.isTold }, confine))
  if (worker !== null) {
    await worker.start()
    parts.push(worker)
  }
  // the first certificate or deployment after the start finds it proved
  void confine.probe?.()
  return { parts, onHint: membership.bus.send, membership }
}

const describeWorker = (
  config: Config,
  { level }: Sandbox,
  { running, isStopping }: Worker,
): WorkerFacts | null =>
  isStopping()
    ? null
    : {
        group: config.group,
        tags: [...config.tags],
        level,
        workspaces: [...config.workspaces],
        concurrency: config.concurrency,
        running,
      }

const answer = (
  config: Config,
  deps: AllDeps,
  facts: NodeFacts & Shared & Readonly<{ listener: Listener; confine: Confine }>,
): Stoppable => {
  const { role, listener, sandbox, isStopping, condition, metrics, liveWorkers, confine } = facts
  const health = {
    version: VERSION,
    role,
    isolation: sandbox?.level ?? 'none',
    isStopping,
    condition,
    metrics,
    metricsToken: config.metricsToken,
  }
  const signIn = openSignIn(config)
  const client = {
    version: VERSION,
    jobRetentionDays: config.jobRetentionDays,
    maxBodyBytes: config.maxBodyBytes,
    oidc: signIn.oidc !== null,
    passwordLogin: signIn.passwordLogin,
  }
  const functions = runsServer(role) ? openFunctions(config, { ...deps, sandbox }) : null
  const pdf = openPdfReader({}, confine)
  const fetchDocument = createFetchDocument({ allow: config.fetchAllow })
  const git = openGit(config, confine)
  const deliveries = createDeliveryLog(deps, createLogger('webhooks'))
  const log = createLogger('http')
  const routes = allRoutes({
    ...deps,
    health,
    git,
    client,
    liveWorkers,
    pdf,
    fetchDocument,
    ownHosts: ownHostsOf(config),
    lookUpTxt: createLookUpTxt({ servers: config.dnsServers }),
    deliveries,
    log,
    signIn,
  })
  const settings = httpSettings(config)
  const app = createHttpApp(
    {
      ...deps,
      ...settings,
      log,
      onEnded: metrics.requestEnded,
      functions: functions?.surface ?? null,
      gitPush: runsServer(role) ? openGitPush(config, { ...deps, ...settings, log }) : null,
      files: runsServer(role)
        ? [createConsoleSurface(readConsoleFile), createGuidesSurface(readGuideFile)]
        : [],
    },
    routes.filter(({ tag }) => runsServer(role) || tag === 'Node'),
  )
  metrics.watchQueue(() => countReadyByTag(deps.db))
  listener.answerWith((request, bindings) => app.fetch(request, bindings))
  const sockets = createRelaySockets({ ...deps, ...settings, log })
  if (runsServer(role)) listener.upgradeWith(RELAY_SOCKET_PATH, sockets.accept)
  return {
    stop: async () => {
      sockets.close()
      await listener.stop()
      await functions?.close()
      await deliveries.close()
      pdf.close()
    },
  }
}

const LEADER_LEASE_MS = 10_000

const startScheduler = async (
  config: Config,
  deps: AllDeps & Pick<Membership, 'isTold'>,
  confine: Confine,
): Promise<Stoppable> => {
  const log = createLogger('scheduler')
  const leadership = createLeadership(deps, {
    name: 'scheduler',
    owner: deps.newId(),
    leaseMs: LEADER_LEASE_MS,
    monotonicNow,
    onElected: (epoch) => log.debug('Leads the schedulers now.', { epoch }),
  })
  const clock = createClockWatch(deps, {
    steadyNow: deps.db.backend === 'file' ? monotonicNow : suspendProofNow,
    node: config.workerName,
    onJump: (jump) =>
      log.warn('The clock of the database jumped; leases and fire times were put right.', jump),
  })
  const shared = { ...deps, log, leadership, clock }
  const duties = [
    createRescueDuty(shared),
    createWaitDuty({ ...shared, ...enqueueDepsOf(deps) }),
    createExpireRelayDuty(shared),
    createAdmitDuty(shared),
    createOperationsDuty({ ...shared, ...enqueueDepsOf(deps) }),
    createFireDuty({ ...shared, monotonicNow }),
    createNotifyDuty({ ...shared, ...openSenders(config) }),
    createGitSyncDuty({ ...shared, git: openGit(config, confine) }),
    createSweepDuty({
      ...shared,
      retentionDays: config.jobRetentionDays,
      auditRetentionDays: config.auditRetentionDays,
    }),
  ]
  const scheduler = createScheduler(log, duties, {
    look: () => clock.checkBy(() => findWorkDue(deps.db)),
    isTold: deps.isTold,
    onWritten: (listener) => deps.hints.written.subscribe(listener),
  })
  await scheduler.start()
  return {
    stop: async () => {
      await scheduler.stop()
      // the database may be away: then the lease runs out
      await leadership.release().catch(() => undefined)
    },
  }
}
