/** The instance key: `SVC_SECRET_KEY`, else `<data-dir>/secret.key`, created at the first start [access 20.1]. */
import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flush } from '#disk/flush.ts'
import { makeFolder } from '#disk/make-folder.ts'
import { takeOwner } from '#disk/take-owner.ts'
import { KEY_BYTES } from './aes-keyring.ts'

export class InstanceKeyError extends Error {
  override readonly name = 'InstanceKeyError'
}

/** Checked because Node ignores characters outside base64, which would silently give a shorter key. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Parses a key. @param source for the message @throws {InstanceKeyError} it is not 32 bytes */
export const parseKey = (text: string, source: string): Uint8Array => {
  const trimmed = text.trim()
  const key = Buffer.from(BASE64.test(trimmed) ? trimmed : '', 'base64')
  if (key.length !== KEY_BYTES) {
    throw new InstanceKeyError(
      `${source} must hold ${KEY_BYTES} bytes in base64, it holds ${key.length}. Create one with: openssl rand -base64 ${KEY_BYTES}`,
    )
  }
  return key
}

/** Loads the key, and creates the key file if there is none. @throws {InstanceKeyError} it is not 32 bytes */
export const loadInstanceKey = (
  dataDir: string,
  fromEnvironment: string | undefined,
): Uint8Array => {
  if (fromEnvironment !== undefined) return parseKey(fromEnvironment, 'SVC_SECRET_KEY')
  const path = join(dataDir, 'secret.key')
  if (!existsSync(path)) createKeyFile(dataDir, path)
  return parseKey(readFileSync(path, 'utf8'), path)
}

/**
 * Writes a draft and links it into place, so that two nodes that start at once agree on one key. The file is flushed
 * before anything is encrypted with it, because losing the key in a power cut would lose every secret.
 */
const createKeyFile = (dataDir: string, path: string): void => {
  makeFolder(dataDir, 0o700)
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, {
      mode: 0o600,
      flag: 'wx',
    })
    takeOwner(draft, dataDir)
    flush(draft)
    linkSync(draft, path)
    flush(dataDir)
  } catch (error) {
    if (!existsSync(path)) throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
