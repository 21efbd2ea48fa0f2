/** Measures the temporary folder of a guest from the host, without opening any file of it. */
import { statfsSync } from 'node:fs'
import { MAX_FOLDER_ENTRIES, MAX_FOLDER_MB } from '../linux/guest-limits.ts'
import { folderChangedAt, isFolderOverfull } from './folder.ts'

export interface GuestDisk {
  /** False while it is certainly empty. It costs one system call. */
  isTouched(): boolean
  /** @param share of the limit that it may hold. @default 1 */
  isOverfull(share?: number): boolean
  /** Bytes of it that are memory and not disk. */
  memoryBytes(): number
  /** Whether measuring costs more the more files there are. */
  readonly isSlow: boolean
}

const MB = 1_048_576

/** A folder of the host. */
export const folderDisk = (folder: string): GuestDisk => {
  const madeAt = folderChangedAt(folder)
  return {
    isTouched: () => folderChangedAt(folder) !== madeAt,
    isOverfull: (share = 1) => isFolderOverfull(folder, share),
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

/** A file system in memory, visible only in the namespaces of the guest, which is measured as a whole. */
export const hiddenDisk = (runtimePid: () => number | null): GuestDisk => ({
  isTouched: () => true,
  isOverfull: (share = 1) => {
    const { bytes, entries } = useOf(runtimePid())
    return bytes > MAX_FOLDER_MB * MB * share || entries > MAX_FOLDER_ENTRIES * share
  },
  memoryBytes: () => useOf(runtimePid()).bytes,
  isSlow: false,
})
