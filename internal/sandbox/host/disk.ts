/** Measures the temporary folder of a guest from the host, without opening any file in it. */
import { statfsSync } from 'node:fs'
import { MIB } from '#core/byte-units.ts'
import { MAX_FOLDER_ENTRIES, MAX_FOLDER_MB } from '../linux/guest-limits.ts'
import { removedBytes } from '../linux/removed-files.ts'
import { folderChangedAt, isFolderOverfull } from './folder.ts'

export interface GuestDisk {
  /** False only if the folder is certainly empty. Costs one system call. */
  isTouched(): boolean
  /** @param share of the limit that the folder may hold. @default 1 */
  isOverfull(share?: number): boolean
  /** Bytes of the folder that are in memory, not on disk. */
  memoryBytes(): number
  /** Whether measuring costs more with more files. */
  readonly isSlow: boolean
}

/** Measures a folder on the host's disk. */
export const folderDisk = (folder: string, runtimePid: () => number | null): GuestDisk => {
  const madeAt = folderChangedAt(folder)
  return {
    isTouched: () => folderChangedAt(folder) !== madeAt,
    isOverfull: (share = 1) => isFolderOverfull(folder, share, removedBytes(runtimePid())),
    memoryBytes: () => 0,
    isSlow: true,
  }
}

type Use = Readonly<{ bytes: number; entries: number }>

const useOf = (pid: number | null): Use => {
  try {
    const { bsize, blocks, bfree, files, ffree } = statfsSync(`/proc/${pid}/root/tmp`)
    return { bytes: (blocks - bfree) * bsize, entries: files - ffree }
  } catch {
    // the process has ended
    return { bytes: 0, entries: 0 }
  }
}

/** Measures a file system in memory as a whole. It is visible only in the namespaces of the guest. */
export const hiddenDisk = (runtimePid: () => number | null): GuestDisk => ({
  isTouched: () => true,
  isOverfull: (share = 1) => {
    const { bytes, entries } = useOf(runtimePid())
    return bytes > MAX_FOLDER_MB * MIB * share || entries > MAX_FOLDER_ENTRIES * share
  },
  memoryBytes: () => useOf(runtimePid()).bytes,
  isSlow: false,
})
