/** Starts the parts of a node by its role: server, scheduler and worker. */
import type { Config } from '#config/config.ts'
import type { Confine } from '#confine/confine.ts'
import { HOME_CELL } from '#core/cells.ts'
import { type NodeRole, runsScheduler, runsServer, runsWorker } from '#core/node-role.ts'
import { createClientAddress } from '#http/admission/client-address.ts'
import type { Logger } from '#log/logger.ts'
import { createLogger } from '#log/logtape.ts'
import { createMetrics } from '#metrics/registry.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { endWaitsWhenDue } from '#service/flows/end-waits-when-due.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import type { HintName } from '#service/hints.ts'
import { createLiveWorkers } from '#service/nodes/live-workers.ts'
import type { DatabaseCondition } from '#store/database-condition.ts'
import { untilReachable } from './database/until-reachable.ts'
import { answerRequests } from './listener/answer-requests.ts'
import type { Listener } from './listener/listen.ts'
import { createMembership, type Membership } from './membership.ts'
import { linkAddress, linkWarning, nodeAddress } from './node-address.ts'
import type { NodeCell, NodeCells } from './node-cells.ts'
import { createNodeWorkers } from './node-workers.ts'
import { confineBundler, openConfine } from './open-confine.ts'
import { startScheduler } from './start-scheduler.ts'
import type { Stoppable } from './stoppable.ts'
import { VERSION } from './version.ts'
import { warnOfBaseUrl } from './warn-of-base-url.ts'
import { warnOfNames } from './warn-of-names.ts'

export type PartsOptions = Readonly<{
  role: NodeRole
  /** Null if this role has no listener. */
  listener: Listener | null
  /** Null if this role runs neither jobs nor functions. */
  sandbox: Sandbox | null
  isStopping: () => boolean
  /** Aborted when the start must end. */
  signal: AbortSignal
  condition: DatabaseCondition
  cells: NodeCells
}>

export type Parts = Readonly<{
  /** In the order of their start; they stop in reverse order. */
  parts: readonly Stoppable[]
  /** Sends hints of this process to other nodes. */
  onHint: (name: HintName, key: string) => void
  membership: Membership
  /** Probes the confinement, so that the first certificate or deployment does not wait for it. */
  warm: () => void
  /** Starts the parts of this node's role for a further cell. They stop with the other parts. */
  serveCell: (cell: NodeCell) => Promise<void>
}>

/** Starts the parts that the role of this node has. */
export const startParts = async (
  config: Config,
  deps: AllDeps,
  options: PartsOptions,
): Promise<Parts> => {
  const { role, listener, sandbox, cells } = options
  const metrics = createMetrics(VERSION)
  const traffic = sandbox?.traffic
  if (traffic !== undefined) metrics.watchEgress(() => traffic)
  const links = linkAddress(config, runsServer(role) ? listener : null)
  const warning = linkWarning(config, { role, listener })
  const log = createLogger('node')
  if (warning !== null) log.warn(warning, { links })
  const isLinked = (): boolean => membership.isLinked()
  const workers =
    sandbox === null || !runsWorker(role)
      ? null
      : createNodeWorkers(config, { sandbox, metrics, baseUrl: links, isLinked })
  void warnOfNames(config, deps.db, { isWorker: workers !== null, log })
  const confine = openConfine()
  // servers bundle deployments, and schedulers bundle those that come from git
  if (runsServer(role) || runsScheduler(role)) confineBundler(confine)
  const endpoint =
    listener === null || !runsServer(role)
      ? null
      : { listener, address: nodeAddress(config, listener) }
  const membership = createMembership(deps, {
    role,
    name: config.workerName,
    endpoint,
    worker: workers?.describe ?? null,
    toClientAddress: createClientAddress(config.trustedProxies),
    hintsOf: cells.hintsOf,
  })
  const liveWorkers = createLiveWorkers(deps, membership.workers)
  const parts: Stoppable[] = []
  const answering =
    listener === null
      ? null
      : answerRequests(config, deps, { ...options, listener, metrics, liveWorkers, confine })
  if (answering !== null) parts.push(answering)
  // the database may stall after it has answered the first time
  await untilReachable(config, options.signal, () => membership.start())
  parts.push(membership)
  const reached = (): readonly string[] => membership.bus.peers().map(({ node }) => node.id)
  void warnOfBaseUrl(config, deps.db, { reached, log, isStopping: options.isStopping })
  const schedulers = createNodeSchedulers(config, { confine, isLinked })
  parts.push(schedulers)
  if (workers !== null) parts.push(workers)
  const waits = createNodeWaits(log)
  parts.push(waits)
  const startRoles = async (cell: string, own: Config, of: AllDeps): Promise<void> => {
    waits.start(of)
    if (!isChosen(config, cell)) return
    if (runsScheduler(role)) await schedulers.start(of)
    await workers?.start(cell, own, of)
  }
  await startRoles(HOME_CELL, config, deps)
  return {
    parts,
    warm: () => void confine.probe?.(),
    onHint: membership.bus.send,
    membership,
    serveCell: async (cell) => {
      answering?.serveCell(cell)
      await startRoles(cell.name, cell.config, cell.deps)
    },
  }
}

/** Ends waits of each cell that this process has made due. */
const createNodeWaits = (log: Logger): Stoppable & Readonly<{ start: (deps: AllDeps) => void }> => {
  const started: Stoppable[] = []
  const onFailed = (error: unknown): void =>
    log.warn('Waits of flow runs could not be ended. A scheduler tries again.', { error })
  return {
    start: (deps) => void started.push(endWaitsWhenDue(deps, onFailed)),
    stop: async () => {
      await Promise.all(started.map((waits) => waits.stop()))
    },
  }
}

/** Whether the node claims jobs and fires schedules of a cell. */
const isChosen = (config: Config, cell: string): boolean =>
  config.nodeCells.length === 0 || config.nodeCells.includes(cell)

type Schedulers = Stoppable & Readonly<{ start: (deps: AllDeps) => Promise<void> }>

/** Creates a scheduler per cell, because each cell elects its own leader. */
const createNodeSchedulers = (
  config: Config,
  { confine, isLinked }: Readonly<{ confine: Confine }> & Pick<Membership, 'isLinked'>,
): Schedulers => {
  const started: Stoppable[] = []
  return {
    start: async (deps) =>
      void started.push(await startScheduler(config, { ...deps, isLinked }, confine)),
    stop: async () => {
      await Promise.all(started.map((scheduler) => scheduler.stop()))
    },
  }
}
