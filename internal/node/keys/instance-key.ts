/** Checks the instance key before it is used, so that no second key is ever created for a database that has one. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import { createAesKeyring } from '#crypto/aes-keyring.ts'
import { InstanceKeyError, loadInstanceKey } from '#crypto/instance-key.ts'
import { WrongInstanceKeyError } from '#service/bootstrap.ts'
import type { Database } from '#store/database.ts'
import { findMeta } from '#store/meta.ts'
import { openConfigured } from '../compose.ts'

const isThere = ({ secretKey, dataDir }: Config): boolean =>
  secretKey !== undefined || existsSync(join(dataDir, 'secret.key'))

/** Needs no database, so that a broken key is reported at once. @throws {InstanceKeyError} the key does not have 32 bytes */
export const checkInstanceKeyText = (config: Config): void => {
  if (isThere(config)) loadInstanceKey(config.dataDir, config.secretKey)
}

/** @throws {WrongInstanceKeyError} the database has a key, and this node has none */
export const checkInstanceKeyIsThere = async (config: Config, db: Database): Promise<void> => {
  if (isThere(config)) return
  if ((await findMeta(db, 'instance_key_check')) !== null) throw new WrongInstanceKeyError()
}

/** @returns null if the key opens this database or the database has none yet. It never creates a key. */
export const describeKeyFault = async (config: Config): Promise<string | null> => {
  const db = await openConfigured(config)
  try {
    await checkInstanceKeyIsThere(config, db)
    const known = await findMeta(db, 'instance_key_check')
    if (known === null) return null
    const keyring = createAesKeyring(loadInstanceKey(config.dataDir, config.secretKey))
    return keyring.matches(known) ? null : new WrongInstanceKeyError().message
  } catch (error) {
    if (error instanceof WrongInstanceKeyError || error instanceof InstanceKeyError) {
      return error.message
    }
    throw error
  } finally {
    await db.close()
  }
}
