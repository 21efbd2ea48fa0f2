/** Finishes a `svc keys rotate` that was interrupted between the database and the key file. */
import type { Config } from '#config/config.ts'
import { createAesKeyring } from '#crypto/aes-keyring.ts'
import { installNextKey, listNextKeys } from '#crypto/next-instance-key.ts'
import { createLogger } from '#log/logtape.ts'
import { holdsInstanceKey } from '#service/rotate-key.ts'
import type { Database } from '#store/database.ts'

/** Call it before the key file is read. It installs the waiting key that the database uses, if there is one. */
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
