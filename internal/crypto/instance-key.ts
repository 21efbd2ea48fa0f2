/** The instance key: `SVC_SECRET_KEY`, else `<data-dir>/secret.key`, made once [access 20.1]. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { KEY_BYTES } from './aes-keyring.ts'

export class InstanceKeyError extends Error {
  override readonly name = 'InstanceKeyError'
}

/** Node drops characters that are no base64; a key that lost some would be another, weaker one. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** @throws {InstanceKeyError} it does not hold 32 bytes */
export const parseKey = (text: string, source: string): Uint8Array => {
  const trimmed = text.trim()
  const key = Buffer.from(BASE64.test(trimmed) ? trimmed : '', 'base64')
  if (key.length !== KEY_BYTES) {
    throw new InstanceKeyError(
      `${source} must hold ${KEY_BYTES} bytes in base64, it holds ${key.length}. Make one with: openssl rand -base64 ${KEY_BYTES}`,
    )
  }
  return key
}

/** @throws {InstanceKeyError} it does not hold 32 bytes */
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
 * Written aside and linked into place, so that two nodes starting at once agree on one key; on disk before anything is
 * encrypted with it, since a power cut that took the key would take every secret with it.
 */
const createKeyFile = (dataDir: string, path: string): void => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, {
    mode: 0o600,
    flag: 'wx',
  })
  try {
    flushToDisk(draft)
    linkSync(draft, path)
    flushToDisk(dataDir)
  } catch (error) {
    if (!existsSync(path)) throw error
  } finally {
    rmSync(draft)
  }
}

/** Works on a folder as on a file: then it is the names in it that reach the disk. */
export const flushToDisk = (path: string): void => {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
