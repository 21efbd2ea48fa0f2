/** Finishes a `svc keys rotate` that was interrupted: between the database and the key file, or between two cells. */
import type { Config } from '#config/config.ts'
import { createAesKeyring } from '#crypto/aes-keyring.ts'
import { loadInstanceKey } from '#crypto/instance-key.ts'
import { installNextKey, listNextKeys, readPreviousKey } from '#crypto/next-instance-key.ts'
import { createLogger } from '#log/logtape.ts'
import type { Deps } from '#service/deps.ts'
import { holdsInstanceKey, rotateInstanceKey } from '#service/secrets/rotate-key.ts'
import type { Database } from '#store/database.ts'

/** Call it before the key file is read. If the database uses a waiting key, this installs that key. */
export const finishKeyRotation = async (config: Config, db: Database): Promise<void> => {
  if (config.secretKey !== undefined) return
  for (const next of listNextKeys(config.dataDir)) {
    if (!(await holdsInstanceKey({ db, keyring: createAesKeyring(next.key) }))) continue
    installNextKey(config.dataDir, next)
    createLogger('crypto').warn(
      'Put the new instance key into place: svc keys rotate was cut off. The previous key is kept in secret.key.old.',
    )
  }
}

/**
 * Call it before the key of a further cell is checked. It rotates a cell that still has the previous
 * key; on a machine without that key it changes nothing.
 */
export const finishCellRotation = async (
  { secretKey, dataDir }: Config,
  { db, newId }: Pick<Deps, 'db' | 'newId'>,
  cell: string,
): Promise<void> => {
  const from = secretKey === undefined ? readPreviousKey(dataDir) : null
  if (from === null) return
  if (!(await holdsInstanceKey({ db, keyring: createAesKeyring(from) }))) return
  await rotateInstanceKey({ db, newId }, { from, to: loadInstanceKey(dataDir, undefined) })
  createLogger('crypto').warn(
    'Wrapped the data keys of a cell with the new instance key: svc keys rotate was cut off, or an older copy of the cell was restored.',
    { cell },
  )
}
