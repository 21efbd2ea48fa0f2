/**
 * The files of an instance key rotation (see service/secrets/rotate-key.ts). The new key is written next to the old one under its own
 * name, and flushed, before anything is wrapped with it. It replaces the old one only after the database has changed. The
 * database determines which key is right: its check value matches only that one.
 */
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { flush } from '#disk/flush.ts'
import { takeOwner } from '#disk/take-owner.ts'
import { KEY_BYTES } from './aes-keyring.ts'
import { InstanceKeyError, parseKey } from './instance-key.ts'

const CURRENT = 'secret.key'
const PREVIOUS = 'secret.key.old'
const NEXT = /^secret\.key\.new\.[0-9a-f]{12}$/

export type NextKey = Readonly<{ path: string; key: Uint8Array }>

/** Lists keys that are not in place yet, from a current or an interrupted rotation. */
export const listNextKeys = (dataDir: string): readonly NextKey[] => {
  if (!existsSync(dataDir)) return []
  return readdirSync(dataDir)
    .filter((name) => NEXT.test(name))
    .map((name) => join(dataDir, name))
    .flatMap((path) => {
      const key = readWhole(path)
      return key === null ? [] : [{ path, key }]
    })
}

/** Returns null for a file that was not written completely, with which nothing was ever wrapped. */
const readWhole = (path: string): Uint8Array | null => {
  try {
    return parseKey(readFileSync(path, 'utf8'), path)
  } catch (error) {
    if (error instanceof InstanceKeyError) return null
    throw error
  }
}

/** Creates a key and flushes it to disk. */
export const writeNextKey = (dataDir: string): NextKey => {
  const path = join(dataDir, `${CURRENT}.new.${randomBytes(6).toString('hex')}`)
  const key = randomBytes(KEY_BYTES)
  writeFileSync(path, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  flush(path)
  flush(dataDir)
  return { path, key }
}

/** Reads the previous key, which cells still have if their rotation was interrupted; null if there is none. */
export const readPreviousKey = (dataDir: string): Uint8Array | null => {
  const path = join(dataDir, PREVIOUS)
  return existsSync(path) ? readWhole(path) : null
}

/** Returns whether an earlier key exists, which a rotation must not overwrite. */
export const hasPreviousKey = (dataDir: string): boolean => existsSync(join(dataDir, PREVIOUS))

/**
 * Moves a key that the database has accepted into place; the old one becomes `secret.key.old`. It is safe to repeat after
 * an interruption at any point.
 */
export const installNextKey = (dataDir: string, { path }: NextKey): void => {
  // another node that starts now may have moved it
  if (!existsSync(path)) return
  const current = join(dataDir, CURRENT)
  const previous = join(dataDir, PREVIOUS)
  if (existsSync(current) && !existsSync(previous)) linkSync(current, previous)
  if (existsSync(current)) takeOwner(path, current)
  renameSync(path, current)
  flush(dataDir)
}

/** Deletes the old key, once the new one is in place and everything can be decrypted with it. */
export const removePreviousKey = (dataDir: string): void => {
  rmSync(join(dataDir, PREVIOUS), { force: true })
  flush(dataDir)
}

/** Deletes a key that was never used. */
export const removeNextKey = ({ path }: NextKey): void => rmSync(path, { force: true })
