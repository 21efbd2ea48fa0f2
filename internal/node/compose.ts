/** The composition root: it creates the dependencies of all use cases from the settings. */
import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { type Config, databaseAddressOf } from '#config/config.ts'
import { MIB } from '#core/byte-units.ts'
import { NO_SPANS, type Spans } from '#core/trace/spans.ts'
import { createAesKeyring } from '#crypto/aes-keyring.ts'
import { loadInstanceKey } from '#crypto/instance-key.ts'
import { createLogger } from '#log/logtape.ts'
import type { Deps, FurtherCell } from '#service/deps.ts'
import { createFaultPoints } from '#service/fault-points.ts'
import { type AllDeps, createFlowEngine } from '#service/flows/engine.ts'
import { createHints, type HintName, type Hints } from '#service/hints.ts'
import { createOpenWork } from '#service/open-work.ts'
import { createQueueGate } from '#service/queue/queue-gate.ts'
import { createStorageMeter } from '#service/workspaces/storage-meter.ts'
import { openReplica, type Replica } from '#store/backends/replica.ts'
import type { Database, Reader } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { announceWrites } from './database/announce-writes.ts'
import { durabilityKeeper } from './database/make-durable.ts'
import { startReplicaThread } from './database/replica-thread.ts'
import { manifestReader } from './manifest-thread.ts'
import { createNewId } from './new-id.ts'
import { openPackages } from './open-packages.ts'

/**
 * @param makeDurable makes a server durable that turns out to be relaxed; null leaves it
 * relaxed. @default by SVC_SQLD_ADMIN_URL
 * @throws {DatabaseError} the file cannot be opened
 */
export const openConfigured = (
  config: Config,
  makeDurable = durabilityKeeper(config.sqldAdminUrl, createLogger('store')),
): Promise<Database> =>
  openDatabase({
    ...databaseAddressOf(config),
    ...(makeDurable === null ? {} : { makeDurable }),
  })

const REPLICA_AGE_MS = 1_000

/** Opens a local replica, from which lists of a database server may be read. @returns null if none is configured */
export const openConfiguredReplica = (config: Config, db: Database): Replica | null => {
  const path = config.databaseReplica
  if (path === undefined || db.backend === 'file') return null
  const log = createLogger('store')
  return openReplica(db, {
    thread: startReplicaThread({
      path,
      ...databaseAddressOf(config),
      maxAgeMs: REPLICA_AGE_MS,
    }),
    onTrouble: (error) =>
      log.warn('The replica could not be read; lists come from the database itself until it can.', {
        error,
      }),
  })
}

export type ComposeOptions = Readonly<{
  /** @default the database itself */
  reads?: Reader
  onHint?: (name: HintName, key: string) => void
  /** @default hints of this process, which `onHint` forwards */
  hints?: Hints
  /** @default spans go nowhere */
  spans?: Spans
  /** The first database, for the dependencies of a further cell. @default the database itself */
  home?: Database
  /** @default none */
  furtherCells?: () => readonly FurtherCell[]
}>

/** @throws {InstanceKeyError} */
export const composeDeps = (config: Config, db: Database, options: ComposeOptions): AllDeps => {
  const parts = partsOf(config, db, options)
  return { ...parts, gate: createQueueGate(parts), flows: createFlowEngine(parts) }
}

const partsOf = (config: Config, db: Database, options: ComposeOptions): Omit<Deps, 'gate'> => {
  const { reads = db, furtherCells = () => [], spans = NO_SPANS } = options
  const hints = options.hints ?? createHints(options.onHint)
  const announced = announceWrites(db, () => hints.written.emit(''))
  return {
    db: announced,
    home: options.home ?? announced,
    furtherCells,
    reads,
    now: () => Date.now(),
    newId: createNewId(),
    randomBytes: (length) => randomBytes(length),
    keyring: createAesKeyring(loadInstanceKey(config.dataDir, config.secretKey)),
    hints,
    limits: {
      jobLeaseMs: config.jobLeaseS * 1_000,
      jobMaxCrashes: config.jobMaxCrashes,
      jobMemoryMb: config.jobMemoryMb,
      jobMaxMemoryMb: config.jobMaxMemoryMb,
      jobMaxTimeoutS: config.jobMaxTimeoutS,
      maxResultBytes: config.maxResultBytes,
      maxLogBytes: config.maxLogBytes,
      queueMax: config.queueMax,
      maxStoredBytes: config.workspaceMaxStoredMb * MIB,
      workspaceMaxRunning: config.workspaceMaxRunning,
      maxBodyBytes: config.maxBodyBytes,
      egressAllow: config.egressAllow,
      eventLookbackMs: config.eventLookbackS * 1_000,
      relayTtlMs: config.relayTtlS * 1_000,
    },
    storage: createStorageMeter({
      reads,
      now: () => Date.now(),
      quotaBytes: config.workspaceMaxStoredMb * MIB,
    }),
    billing: {
      isPrepaid: config.billing === 'prepaid',
      registryWon: config.priceRegistryWon,
      accuracyWon: config.priceAccuracyWon,
    },
    openWork: createOpenWork(announced),
    manifests: manifestReader,
    fetchPackages: openPackages(config),
    spans,
    passFault: createFaultPoints(config.fault, () => process.kill(process.pid, 'SIGKILL')),
  }
}
