/** Checks whether the disk of a database file has room. A read, which the other checks do, needs none. */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { MIB } from '#core/byte-units.ts'
import { broken, type CheckResult, fine } from './check.ts'
import { nearestFolder } from './check-data-dir.ts'

/** The log of the database grows to 4 MiB before it is moved into the file, which then grows too. */
const MIN_FREE_BYTES = 16 * MIB

type DiskFacts = Readonly<Record<'bavail' | 'bsize' | 'files' | 'ffree', number>>

export const DISK_REMEDY =
  'Free some space on that disk, or enlarge it; a running node continues by itself.'

/** @param read for tests @default the facts of the disk that holds the folder */
export const checkDisk = (
  databasePath: string,
  read: (folder: string) => DiskFacts = statfsSync,
): CheckResult => {
  const folder = nearestFolder(dirname(databasePath))
  const { bavail, bsize, files, ffree } = read(folder)
  const bytes = bavail * bsize
  const found = `${Math.floor(bytes / MIB)} MiB are free for ${folder}`
  if (bytes < MIN_FREE_BYTES) return broken(found, DISK_REMEDY)
  // some file systems do not count their files
  if (files > 0 && ffree === 0)
    return broken(`no more files fit on the disk of ${folder}`, DISK_REMEDY)
  return fine(found)
}
