/** The one composition root: settings in, use cases' dependencies out. Nothing else news anything up. */
import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { v7 } from 'uuid'
import { type Config, databaseUrlOf } from '#config/config.ts'
import { createAesKeyring } from '#crypto/aes-keyring.ts'
import { loadInstanceKey } from '#crypto/instance-key.ts'
import type { Deps } from '#service/deps.ts'
import { createFaultPoints } from '#service/fault-points.ts'
import { createHints, type HintName } from '#service/hints.ts'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'

/** @throws {DatabaseError} the file cannot be opened */
export const openConfigured = (config: Config): Promise<Database> =>
  openDatabase({
    url: databaseUrlOf(config),
    ...(config.databaseAuthToken === undefined ? {} : { authToken: config.databaseAuthToken }),
  })

/** @throws {InstanceKeyError} */
export const composeDeps = (
  config: Config,
  db: Database,
  onHint?: (name: HintName, key: string) => void,
): Deps => ({
  db,
  now: () => Date.now(),
  newId: () => v7(),
  randomBytes: (length) => randomBytes(length),
  keyring: createAesKeyring(loadInstanceKey(config.dataDir, config.secretKey)),
  hints: createHints(onHint),
  limits: {
    jobLeaseMs: config.jobLeaseS * 1_000,
    jobMaxCrashes: config.jobMaxCrashes,
    jobMemoryMb: config.jobMemoryMb,
    maxResultBytes: config.maxResultBytes,
    maxLogBytes: config.maxLogBytes,
    queueMax: config.queueMax,
  },
  passFault: createFaultPoints(config.fault, () => process.kill(process.pid, 'SIGKILL')),
})
