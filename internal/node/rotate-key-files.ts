/** Replaces the instance key in the data directory and in the database (service/rotate-key.ts describes how it survives a crash). */
import type { Config } from '#config/config.ts'
import { AppError, conflict } from '#core/error.ts'
import { createAesKeyring } from '#crypto/aes-keyring.ts'
import { loadInstanceKey } from '#crypto/instance-key.ts'
import {
  hasPreviousKey,
  installNextKey,
  listNextKeys,
  removeNextKey,
  writeNextKey,
} from '#crypto/next-instance-key.ts'
import type { Deps } from '#service/deps.ts'
import { holdsInstanceKey, rotateInstanceKey } from '#service/rotate-key.ts'

const previousKeyInTheWay = (): AppError =>
  conflict(
    'secret.key.old is there: an earlier key, with which earlier backups open. Move it away or delete it first.',
  )

/**
 * Keeps the previous key as secret.key.old.
 * @returns how many workspaces have their data key wrapped by the new one
 * @throws {AppError} conflict: secret.key.old exists
 */
export const rotateKeyFiles = async (config: Config, deps: Deps): Promise<number> => {
  if (hasPreviousKey(config.dataDir)) throw previousKeyInTheWay()
  const from = loadInstanceKey(config.dataDir, undefined)
  // of rotations that came to nothing: were one of them still to write, the check value that it expects would be gone
  const stale = listNextKeys(config.dataDir)
  const next = writeNextKey(config.dataDir)
  deps.passFault('rotate_before_commit')
  const count = await rotateInstanceKey(deps, { from, to: next.key }).catch(
    async (error: unknown) => {
      // an unknown outcome leaves the file for the next start to decide
      if (error instanceof AppError) removeNextKey(next)
      throw error
    },
  )
  deps.passFault('rotate_committed')
  installNextKey(config.dataDir, next)
  deps.passFault('rotate_installed')
  const keyring = createAesKeyring(loadInstanceKey(config.dataDir, undefined))
  if (!(await holdsInstanceKey({ db: deps.db, keyring }))) {
    throw new Error('The key in secret.key does not open the database; secret.key.old is kept.')
  }
  for (const unused of stale) removeNextKey(unused)
  return count
}
