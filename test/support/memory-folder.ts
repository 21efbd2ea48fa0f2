/**
 * Where the databases of tests are: in memory, if there is room. A commit waits 4 ms for a disk, which proves nothing here.
 * Tests of power cuts and slow disks simulate their disk (faulty-disk.ts), wherever its files are.
 */
import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Bytes. The default of a container is 64 MiB. */
const ROOM = 4 * 1_024 ** 3

const hasRoom = (): boolean => {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM
  } catch {
    return false
  }
}

const root = hasRoom() ? MEMORY : tmpdir()

/** Chaos breaks its disk, and benchmarks measure what a disk costs: both need `disk`. */
export type Place = 'memory' | 'disk'

/** Makes a folder of its own for a database. The caller deletes it. */
export const makeFolderIn = (place: Place, prefix: string): string =>
  mkdtempSync(join(place === 'memory' ? root : tmpdir(), prefix))

/** Makes a folder of its own for a database, in memory if there is room. The caller deletes it. */
export const makeMemoryFolder = (prefix: string): string => makeFolderIn('memory', prefix)
