/**
 * A node in one of its roles, from start to stop. The listener opens first, and the database may become reachable later. An
 * error that waiting cannot resolve (wrong key, newer schema, no sandbox) stops the node with a message.
 */
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Config } from '#config/config.ts'
import { type NodeRole, runsServer } from '#core/node-role.ts'
import type { IsolationLevel } from '#core/placement/isolation-level.ts'
import type { Spans } from '#core/trace/spans.ts'
import { createLogger } from '#log/logtape.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { checkInstanceKey, type FirstAdmin, findFirstWorkspace } from '#service/bootstrap.ts'
import { checkHomeName } from '#service/cells/check-cell-name.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import type { HintName } from '#service/hints.ts'
import type { Database, Reader } from '#store/database.ts'
import { type DatabaseCondition, watchDatabase } from '#store/database-condition.ts'
import { composeDeps, openConfigured, openConfiguredReplica } from './compose.ts'
import { createSchemaReport, startDatabaseWatch } from './database/database-watch.ts'
import { durabilityKeeper } from './database/make-durable.ts'
import { prepareDatabase } from './database/prepare-database.ts'
import { TEMPORARY_AT_OPENING, untilReachable } from './database/until-reachable.ts'
import { createFirstAdmin } from './first-admin.ts'
import { finishKeyRotation } from './keys/finish-key-rotation.ts'
import { checkInstanceKeyIsThere, checkInstanceKeyText } from './keys/instance-key.ts'
import { type Listener, listen } from './listener/listen.ts'
import { notReady } from './listener/not-ready.ts'
import { createNodeCells, type NodeCells } from './node-cells.ts'
import type { OpeningSandbox } from './open-sandbox.ts'
import { openSpans } from './open-spans.ts'
import { reservePort } from './reserved.ts'
import type { Stoppable } from './stoppable.ts'

export type RunningNode = Readonly<{
  url: string | null
  firstAdmin: FirstAdmin | null
  /** The workspace in which people begin; null if there is none or several, and for nodes without a server. */
  workspace: string | null
  isolation: IsolationLevel | null
  stop: () => Promise<void>
}>

export type NodeOptions = Readonly<{
  role: NodeRole
  /** The caller has started to open it (open-sandbox.ts); the node closes it. */
  sandbox: OpeningSandbox
  /** Aborted when the node must stop, even while it still waits for its database. */
  signal: AbortSignal
  /** Called when an error that waiting cannot resolve occurs while the node runs: the caller must stop it. */
  onFailed: (error: Error) => void
}>

const WARM_AFTER_MS = 20

/** @throws {Error} an error that waiting cannot resolve */
export const startNode = async (
  config: Config,
  { role, sandbox: { opened, warm }, signal, onFailed }: NodeOptions,
): Promise<RunningNode> => {
  // stopped in reverse order
  const parts: Stoppable[] = []
  let isStopping = false
  let waitsFor: string | undefined
  let sendHint: (name: HintName, key: string) => void = () => undefined
  const stop = async (): Promise<void> => {
    isStopping = true
    // a cell that answers meanwhile adds parts
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) await part.stop()
  }
  checkInstanceKeyText(config)
  const listener = await openListener(config, role, () => waitsFor)
  const failed = new AbortController()
  try {
    parts.push({ stop: () => closeOpened(opened) })
    const spans = await openSpans(config)
    parts.push(spans)
    const keeper = durabilityKeeper(config.sqldAdminUrl, createLogger('store'))
    const halted = AbortSignal.any([signal, failed.signal])
    const onWait = (reason: string): void => {
      waitsFor = reason
    }
    const opening = await untilReachable(config, halted, () => openConfigured(config, keeper), {
      onWait,
      kinds: TEMPORARY_AT_OPENING,
    })
    const { db, condition } = watchDatabase(opening, keeper === null ? {} : { makeDurable: keeper })
    parts.push({ stop: () => db.close() })
    const replica = runsServer(role) ? openConfiguredReplica(config, db) : null
    if (replica !== null) parts.push(replica)
    const onHint = (name: HintName, key: string): void => sendHint(name, key)
    const cells = createNodeCells(config, { role, onHint, spans })
    parts.push({ stop: () => cells.close() })
    const reachable = untilReachable(
      config,
      halted,
      () =>
        prepare(config, db, {
          role,
          condition,
          reads: replica ?? db,
          spans,
          onHint,
          cells,
          onWait,
        }),
      { onWait },
    )
    const loaded = loadParts()
    const [sandbox, { deps, ...people }, { startParts }] = await Promise.all([
      opened,
      reachable,
      loaded,
    ])
    const facts = {
      role,
      listener,
      sandbox,
      condition,
      cells,
      isStopping: () => isStopping,
      signal: halted,
    }
    const started = await startParts(config, deps, facts)
    sendHint = started.onHint
    parts.push(...started.parts)
    const mustBeDurable = config.requireDurable === 'on'
    const onSchema = createSchemaReport(createLogger('store'))
    if (condition.schema !== null) onSchema(condition.schema)
    const { isLinked, meet } = started.membership
    const watch = { onChanged: onFailed, onSchema, onStatus: meet, isLinked, mustBeDurable }
    parts.push(startDatabaseWatch({ ...deps, condition }, watch))
    warmLater([warm, started.warm])
    parts.push(
      cells.open(deps, async (cell) => {
        const cellWatch = { onChanged: onFailed, isLinked, mustBeDurable }
        parts.push(startDatabaseWatch({ ...cell.deps, condition: cell.condition }, cellWatch))
        await started.serveCell(cell)
      }),
    )
    return {
      url: listener?.url ?? null,
      ...people,
      isolation: sandbox?.level ?? null,
      stop,
    }
  } catch (error) {
    failed.abort()
    await stop()
    await listener?.stop()
    throw error
  }
}

/** Loads the parts while the sandbox is proven and the database opens, which need turns of the event loop meanwhile. */
const loadParts = async (): Promise<typeof import('./parts.ts')> => {
  await setImmediate()
  const parts = await import('./parts.ts')
  await setImmediate()
  return parts
}

/** Prepares for the first work once the requests that wait are answered, because it blocks the event loop for up to 30 ms. */
const warmLater = (steps: readonly (() => void)[]): void => {
  const start = (): void => {
    for (const step of steps) step()
  }
  void setTimeout(WARM_AFTER_MS, undefined, { ref: false }).then(start)
}

const closeOpened = async (opened: Promise<Sandbox | null>): Promise<void> => {
  // startNode has reported the error of a sandbox that did not open
  const sandbox = await opened.catch(() => null)
  await sandbox?.close()
}

const openListener = async (
  config: Config,
  role: NodeRole,
  findReason: () => string | undefined,
): Promise<Listener | null> => {
  const at = runsServer(role)
    ? { port: config.port }
    : { port: config.healthPort, portSetting: '--health-port (SVC_HEALTH_PORT)' }
  const { port } = at
  if (port === undefined) return null
  const listener = await listen({ host: config.host, ...at, port }, notReady(role, findReason))
  const release = reservePort(listener.port)
  return { ...listener, stop: () => listener.stop().finally(release) }
}

type PrepareOptions = Readonly<{
  cells: NodeCells
  role: NodeRole
  condition: DatabaseCondition
  reads: Reader
  onHint: (name: HintName, key: string) => void
  onWait: (reason: string) => void
  spans: Spans
}>

type Prepared = Readonly<{ deps: AllDeps }> & Pick<RunningNode, 'firstAdmin' | 'workspace'>

/** Migrates the database, and creates the first administrator at the first start. */
const prepare = async (
  config: Config,
  db: Database,
  { role, condition, reads, spans, onHint, cells, onWait }: PrepareOptions,
): Promise<Prepared> => {
  await prepareDatabase(config, db, { role, condition, onWait })
  await finishKeyRotation(config, db)
  await checkInstanceKeyIsThere(config, db)
  await checkHomeName(db, config.cells.length > 0)
  const deps = composeDeps(config, db, {
    reads,
    spans,
    onHint,
    furtherCells: cells.furtherCells,
  })
  if (!runsServer(role)) {
    await checkInstanceKey(deps)
    return { deps, firstAdmin: null, workspace: null }
  }
  const firstAdmin = await createFirstAdmin(config, deps)
  return { deps, firstAdmin, workspace: await findFirstWorkspace(deps) }
}
