/**
 * The temporary folder of one guest. It is created before the guest starts, is the only place where the guest may
 * write, and is removed with it. The host never opens a file in it, but only counts and removes them.
 */
import { randomUUID } from 'node:crypto'
import { type Dirent, lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { chmod, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { MIB } from '#core/byte-units.ts'
import { processFolders } from '#disk/process-folders.ts'
import { MAX_FOLDER_ENTRIES, MAX_FOLDER_MB } from '../linux/guest-limits.ts'

const BLOCK_BYTES = 512

const folders = processFolders('svc-guest')

/**
 * @returns its path without links, because the runtime's permissions compare paths
 * @throws {Error} the temporary folder of this machine is full or not writable
 */
export const makeGuestFolder = (): string => folders.make(realpathSync(tmpdir()))

/** @returns whether a path, or a folder on the way to it, has been removed or replaced */
const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/** An entry that another removal of the same folder has removed or moved is done. */
const unlessGone = (change: Promise<void>): Promise<void> =>
  change.catch((error: unknown) => {
    if (!isGone(error)) throw error
  })

/** Moves what a folder inside holds to the top and removes the folder. It makes both accessible before. */
const lift = async (top: string, folder: string): Promise<void> => {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    // only the owner of a folder who may write to it can move it
    if (entry.isDirectory()) await unlessGone(chmod(path, 0o700))
    await unlessGone(rename(path, join(top, randomUUID())))
  }
  await rmdir(folder)
}

/**
 * Removes a folder level by level, because its job has closed folders in it, or made paths that are too long to use.
 * `rm` rejects with its first error, while it still removes other entries.
 */
const removeByLevels = async (top: string): Promise<void> => {
  await chmod(top, 0o700)
  for (;;) {
    const entries = await readdir(top, { withFileTypes: true })
    if (entries.length === 0) break
    for (const entry of entries) {
      const path = join(top, entry.name)
      await unlessGone(entry.isDirectory() ? lift(top, path) : unlink(path))
    }
  }
  await rmdir(top)
}

/** Never rejects. The processes of its job must have ended. A folder that cannot be removed now is removed at a later start. */
export const removeGuestFolder = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
    .catch(() => removeByLevels(folder))
    .catch(() => undefined)
}

const entriesOf = (folder: string): readonly Dirent[] =>
  readdirSync(folder, { withFileTypes: true })

const bytesOf = (path: string): number => lstatSync(path).blocks * BLOCK_BYTES

/**
 * Reads at most the allowed number of entries.
 * @param share of the limits that the folder may hold
 * @param removed bytes of files that the job has removed from it but keeps open
 * @returns true also if the job keeps svc from measuring the folder, by its mode or by paths that are too long
 */
export const isFolderOverfull = (folder: string, share = 1, removed = 0): boolean => {
  try {
    return exceeds(folder, share, removed)
  } catch {
    return true
  }
}

/** What the job removes or replaces meanwhile is not counted. */
const ifThere = <T>(read: () => T, missing: T): T => {
  try {
    return read()
  } catch (error) {
    if (isGone(error)) return missing
    throw error
  }
}

/** @throws {Error} a part of the folder cannot be read */
const exceeds = (folder: string, share: number, removed: number): boolean => {
  let bytes = removed
  let entries = 0
  const isOver = (): boolean =>
    entries > MAX_FOLDER_ENTRIES * share || bytes > MAX_FOLDER_MB * MIB * share
  if (isOver()) return true
  const open = [folder]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of ifThere(() => entriesOf(next), [])) {
      const path = join(next, entry.name)
      entries += 1
      if (entry.isDirectory()) open.push(path)
      else bytes += ifThere(() => bytesOf(path), 0)
      if (isOver()) return true
    }
  }
  return false
}

/** A value that changes when an entry is added to the folder or removed from it. Costs one system call. */
export const folderChangedAt = (folder: string): number =>
  lstatSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0

const listLeft = (user: number | undefined): readonly string[] => {
  try {
    return folders.listLeft(realpathSync(tmpdir()), user)
  } catch {
    return []
  }
}

const removeNow = (path: string): void => {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    void removeGuestFolder(path)
  }
}

/**
 * Removes folders that killed hosts of this user left behind. It leaves folders of other users
 * and those that cannot be removed, because neither may keep svc from starting.
 * @param user the id of the user who sweeps; undefined if the platform has none
 * @param remove removes a folder with its content, or throws
 */
export const sweepGuestFolders = (
  user: number | undefined = process.getuid?.(),
  remove: (path: string) => void = removeNow,
): void => {
  for (const path of listLeft(user)) {
    try {
      remove(path)
    } catch {
      // another node removed it first, or something in it belongs to another user
    }
  }
}
