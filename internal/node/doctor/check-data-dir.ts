import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { broken, type CheckResult, fine, reasonOf } from './check.ts'

/** Returns the folder, or the nearest one above it that exists. */
export const nearestFolder = (path: string): string =>
  existsSync(path) ? path : nearestFolder(dirname(path))

const isReadOnly = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EROFS'

/** Creates and removes a folder, because that tests the disk rather than the mode bits. */
export const checkDataDir = (dataDir: string): CheckResult => {
  const wanted = resolve(dataDir)
  const folder = nearestFolder(wanted)
  try {
    rmdirSync(mkdtempSync(join(folder, '.svc-doctor-')))
  } catch (error) {
    const remedy = isReadOnly(error)
      ? 'Make its disk writable (mount -o remount,rw)'
      : 'Give this user the folder (chown)'
    return broken(
      `${wanted} cannot be written to: ${reasonOf(error)}`,
      `${remedy}, or name another with --data-dir or SVC_DATA_DIR.`,
    )
  }
  return fine(folder === wanted ? wanted : `${wanted}, which the first start will make`)
}
