/** How much a guest keeps in its temporary folder, as its host can tell without opening anything of it. */
import { statfsSync } from 'node:fs'
import { MAX_FOLDER_ENTRIES, MAX_FOLDER_MB } from '../linux/guest-limits.ts'
import { folderChangedAt, isFolderOverfull } from './folder.ts'

export interface GuestDisk {
  /** False while there is certainly nothing in it. One call of the system. */
  isTouched(): boolean
  /** @param share of what is allowed that it may hold; 1 where none is given */
  isOverfull(share?: number): boolean
  /** What of it is memory and no disk. */
  memoryBytes(): number
  /** Whether looking costs the more the more is in it. */
  readonly isSlow: boolean
}

const MB = 1_048_576

/** A folder of the host's. */
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

/** A file system in memory, which only the guest's own namespaces show: asked as a whole. */
export const hiddenDisk = (runtimePid: () => number | null): GuestDisk => ({
  isTouched: () => true,
  isOverfull: (share = 1) => {
    const { bytes, entries } = useOf(runtimePid())
    return bytes > MAX_FOLDER_MB * MB * share || entries > MAX_FOLDER_ENTRIES * share
  },
  memoryBytes: () => useOf(runtimePid()).bytes,
  isSlow: false,
})
