/** The dependencies of use cases in tests: the real parts, on a database of the test. */
import { randomBytes } from 'node:crypto'
import type { BillingRules } from '#core/billing/price.ts'
import { NO_SPANS } from '#core/trace/spans.ts'
import { createAesKeyring, KEY_BYTES } from '#crypto/aes-keyring.ts'
import type { Keyring } from '#crypto/keyring.ts'
import { manifestReader } from '#node/manifest-thread.ts'
import { createNewId } from '#node/new-id.ts'
import type { Deps, ServiceLimits } from '#service/deps.ts'
import { type AllDeps, createFlowEngine } from '#service/flows/engine.ts'
import { createHints } from '#service/hints.ts'
import { createOpenWork } from '#service/open-work.ts'
import { createFetchPackages } from '#service/packages/fetch-packages.ts'
import { createQueueGate } from '#service/queue/queue-gate.ts'
import { createStorageMeter } from '#service/workspaces/storage-meter.ts'
import type { Database } from '#store/database.ts'

const LIMITS: ServiceLimits = {
  // long enough that no lease expires during a test
  jobLeaseMs: 60_000,
  jobMaxCrashes: 3,
  jobMemoryMb: 512,
  jobMaxMemoryMb: 2_048,
  jobMaxTimeoutS: 86_400,
  maxResultBytes: 4_194_304,
  maxBodyBytes: 1_048_576,
  egressAllow: [],
  maxLogBytes: 10_485_760,
  queueMax: 100_000,
  maxStoredBytes: 0,
  workspaceMaxRunning: 0,
  eventLookbackMs: 3_600_000,
  relayTtlMs: 600_000,
}

const BILLING: BillingRules = { isPrepaid: true, registryWon: 1_000, accuracyWon: 500 }

/** One keyring for the process, so that databases may be copies of one that it has filled. */
const KEYRING = createAesKeyring(randomBytes(KEY_BYTES))

export const createTestDeps = (
  db: Database,
  limits: Partial<ServiceLimits> = {},
  billing: BillingRules = BILLING,
  keyring: Keyring = KEYRING,
): AllDeps => {
  const parts = { ...partsOf(db, { ...LIMITS, ...limits }, billing), keyring }
  return { ...parts, gate: createQueueGate(parts), flows: createFlowEngine(parts) }
}

const partsOf = (
  db: Database,
  limits: ServiceLimits,
  billing: BillingRules,
): Omit<Deps, 'gate'> => ({
  db,
  home: db,
  furtherCells: () => [],
  reads: db,
  now: Date.now,
  newId: createNewId(),
  randomBytes: (length) => randomBytes(length),
  keyring: KEYRING,
  hints: createHints(),
  limits,
  billing,
  storage: createStorageMeter({
    reads: db,
    now: Date.now,
    quotaBytes: limits.maxStoredBytes ?? LIMITS.maxStoredBytes,
  }),
  openWork: createOpenWork(db),
  manifests: manifestReader,
  // tests that fetch packages use their own registry
  fetchPackages: createFetchPackages({ registry: null, cache: null }),
  spans: NO_SPANS,
  passFault: () => undefined,
})
