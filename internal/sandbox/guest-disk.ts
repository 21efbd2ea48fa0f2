/** How much a guest keeps in its temporary folder, as its host can tell without opening anything of it. */
import { statfsSync } from 'node:fs'
import {
  folderChangedAt,
  isFolderOverfull,
  MAX_FOLDER_ENTRIES,
  MAX_FOLDER_MB,
} from './guest-folder.ts'

export interface GuestDisk {
  /** False while there is certainly nothing in it. One call of the system. */
  isTouched(): boolean
  /** @param share of what is allowed that it may hold; 1 where none is given */
  isOverfull(share?: number): boolean
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
    isSlow: true,
  }
}

/** A file system in memory, which only the guest's own namespaces show: asked as a whole. */
export const hiddenDisk = (runtimePid: () => number | null): GuestDisk => ({
  isTouched: () => true,
  isSlow: false,
  isOverfull: (share = 1) => {
    try {
      const { bsize, blocks, bfree, files, ffree } = statfsSync(`/proc/${runtimePid()}/root/tmp`)
      const usesMuch = (blocks - bfree) * bsize > MAX_FOLDER_MB * MB * share
      return usesMuch || files - ffree > MAX_FOLDER_ENTRIES * share
    } catch {
      // the process has ended
      return false
    }
  },
})
