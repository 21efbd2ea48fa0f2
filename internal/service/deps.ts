/** What use cases are given from outside. Each asks for the least it needs: `deps: Pick<Deps, 'db' | 'now'>`. */
import type { BillingRules } from '#core/billing/price.ts'
import type { Keyring } from '#crypto/keyring.ts'
import type { Database, Reader } from '#store/database.ts'
import type { PassFault } from './fault-points.ts'
import type { KnownRuns } from './flows/known-runs.ts'
import type { PinnedFlows } from './flows/pinned-flows.ts'
import type { RunLanes } from './flows/run-lanes.ts'
import type { Hints } from './hints.ts'
import type { QueueGate } from './queue-gate.ts'
import type { StorageMeter } from './storage-meter.ts'

export type ServiceLimits = Readonly<{
  jobLeaseMs: number
  jobMaxCrashes: number
  jobMemoryMb: number
  /** What a manifest may ask for at most, in MiB and in seconds. */
  jobMaxMemoryMb: number
  jobMaxTimeoutS: number
  maxResultBytes: number
  maxLogBytes: number
  /** Queued jobs of one workspace. */
  queueMax: number
  /** Of inputs, results, logs, flow data and state of one workspace; 0: no limit. */
  maxStoredBytes: number
  /** Running jobs of one workspace that has no limit of its own; 0: any number. */
  workspaceMaxRunning: number
  /** How long a session of the certificate relay lives. */
  relayTtlMs: number
}>

export type Deps = Readonly<{
  db: Database
  /** For lists and counts that may be a second old: a replica where there is one, else `db`. */
  reads: Reader
  /** Milliseconds since 1970 by this machine. Leases and due times use the database's clock instead. */
  now: () => number
  /** A new UUIDv7. */
  newId: () => string
  randomBytes: (length: number) => Uint8Array
  keyring: Keyring
  hints: Hints
  limits: ServiceLimits
  billing: BillingRules
  /** How much each workspace keeps, and whether it may keep more. */
  storage: StorageMeter
  /** Flows and actions of deployments, kept in memory. */
  pinned: PinnedFlows
  /** Transitions of flow runs, one after the other for each run. */
  lanes: RunLanes
  knownRuns: KnownRuns
  /** Quota of queued jobs: one for each process. */
  gate: QueueGate
  /** Kills the process at a named point when a test asks for it. */
  passFault: PassFault
}>
