/**
 * The files of a change of the instance key (service/rotate-key.ts tells the whole story). A new key lies beside the old
 * one under a name of its own, on the disk, before anything is wrapped with it; it takes the old one's place only after
 * the database has changed. Which of them is right, the database alone says: each can be tried against its check value.
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
import { KEY_BYTES } from './aes-keyring.ts'
import { flushToDisk, InstanceKeyError, parseKey } from './instance-key.ts'

const CURRENT = 'secret.key'
const PREVIOUS = 'secret.key.old'
const NEXT = /^secret\.key\.new\.[0-9a-f]{12}$/

export type NextKey = Readonly<{ path: string; key: Uint8Array }>

/** Keys that were made and are not in place: of a rotation under way, or of one that was cut off. */
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

/** Null: cut off while it was written, so nothing was ever wrapped with it. */
const readWhole = (path: string): Uint8Array | null => {
  try {
    return parseKey(readFileSync(path, 'utf8'), path)
  } catch (error) {
    if (error instanceof InstanceKeyError) return null
    throw error
  }
}

/** Makes a key and has it on the disk when it returns. */
export const writeNextKey = (dataDir: string): NextKey => {
  const path = join(dataDir, `${CURRENT}.new.${randomBytes(6).toString('hex')}`)
  const key = randomBytes(KEY_BYTES)
  writeFileSync(path, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  flushToDisk(path)
  flushToDisk(dataDir)
  return { path, key }
}

/** Whether an earlier key is kept, which a rotation must not write over. */
export const hasPreviousKey = (dataDir: string): boolean => existsSync(join(dataDir, PREVIOUS))

/**
 * Puts a key whose database knows it into place; the one that was there is `secret.key.old` from then on. May be called
 * again after it was cut off at any point.
 */
export const installNextKey = (dataDir: string, { path }: NextKey): void => {
  // a node that starts at this moment may have done it first
  if (!existsSync(path)) return
  const current = join(dataDir, CURRENT)
  const previous = join(dataDir, PREVIOUS)
  if (existsSync(current) && !existsSync(previous)) linkSync(current, previous)
  renameSync(path, current)
  flushToDisk(dataDir)
}

/** Once the new key is in place and everything opens with it. */
export const removePreviousKey = (dataDir: string): void => {
  rmSync(join(dataDir, PREVIOUS), { force: true })
  flushToDisk(dataDir)
}

export const removeNextKey = ({ path }: NextKey): void => rmSync(path, { force: true })
