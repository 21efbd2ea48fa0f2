/** Dependencies of use cases. Each declares the least it needs: `deps: Pick<Deps, 'db' | 'now'>`. */
import type { BillingRules } from '#core/billing/price.ts'
import type { Spans } from '#core/trace/spans.ts'
import type { Keyring } from '#crypto/keyring.ts'
import type { Database, Reader } from '#store/database.ts'
import type { ManifestReader } from './deploy/manifest-reader.ts'
import type { PassFault } from './fault-points.ts'
import type { Hints } from './hints.ts'
import type { OpenWork } from './open-work.ts'
import type { FetchPackages } from './packages/fetch-packages.ts'
import type { QueueGate } from './queue/queue-gate.ts'
import type { StorageMeter } from './workspaces/storage-meter.ts'

export type ServiceLimits = Readonly<{
  jobLeaseMs: number
  jobMaxCrashes: number
  jobMemoryMb: number
  /** Caps of what a manifest may request, in MiB and in seconds. */
  jobMaxMemoryMb: number
  jobMaxTimeoutS: number
  maxResultBytes: number
  /** Limits the body of a request, and the input of what a job starts. */
  maxBodyBytes: number
  maxLogBytes: number
  /** Limit of queued jobs of one workspace. */
  queueMax: number
  /** Limit of what storage-meter.ts counts in one workspace, in bytes; 0 for no limit. */
  maxStoredBytes: number
  /** Default limit of running jobs of a workspace; 0 for no limit. */
  workspaceMaxRunning: number
  /** Private destinations that jobs of every workspace may reach (SVC_EGRESS_ALLOW). */
  egressAllow: readonly string[]
  /** Milliseconds before its start in which a wait still finds an event. */
  eventLookbackMs: number
  /** Lifetime of a session of the certificate relay. */
  relayTtlMs: number
}>

/** A database in addition to the first one (core/cells.ts). */
export type FurtherCell = Readonly<{
  name: string
  /** Null until it has answered since this process started. */
  db: Database | null
}>

export type Deps = Readonly<{
  /** The database of the workspaces that these dependencies serve. */
  db: Database
  /**
   * The first database, with accounts, sessions and the directory of workspaces. It is the same as `db`,
   * except in further cells.
   */
  home: Database
  /** Empty if the instance has one database. */
  furtherCells: () => readonly FurtherCell[]
  /** For lists and counts that may be a second old: the replica if there is one, else `db`. */
  reads: Reader
  /** Milliseconds since 1970 by this machine's clock. Leases and due times use the database's clock instead. */
  now: () => number
  /** Returns a new UUIDv7. */
  newId: () => string
  randomBytes: (length: number) => Uint8Array
  keyring: Keyring
  hints: Hints
  limits: ServiceLimits
  billing: BillingRules
  /** Measures how much each workspace stores, and enforces the quota. */
  storage: StorageMeter
  /** Quota of queued jobs. A process has one gate. */
  gate: QueueGate
  /** Which jobs and flow runs have not ended, for requests that wait for them. */
  openWork: OpenWork
  /** Reads app.yaml and function.yaml. A process has one reader. */
  manifests: ManifestReader
  /** Fetches the packages that an app's lock file names. */
  fetchPackages: FetchPackages
  /** Where spans go. */
  spans: Spans
  /** Kills the process at a named point, for tests. */
  passFault: PassFault
}>
