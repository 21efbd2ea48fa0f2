/**
 * Watches what processes use while they run jobs: memory, which no flag limits off V8's heap, and the room that they
 * take on disk. It looks now and then, so a fast job may pass a limit for a moment before it is stopped.
 */
import type { GuestDisk } from './guest-disk.ts'
import { residentBytes } from './process-tree.ts'

const EVERY_MS = 30
/** Disks fill slower than memory, and counting files costs more. */
const LOOKS_PER_FOLDER_LOOK = 10
/** The runtime's own share, not counted against the job. */
const RUNTIME_MB = 64
const MB = 1_048_576

export type Exceeded = 'memory' | 'disk'

/** Null pid: it could not be started; there is nothing to watch. */
export type WatchedProcess = Readonly<{ pid: number | null; disk: GuestDisk }>

export interface UsageWatch {
  watch(process: WatchedProcess, memoryMb: number, onExceeded: (what: Exceeded) => void): void
  forget(process: WatchedProcess): void
}

type Watched = Readonly<{ limitBytes: number; onExceeded: (what: Exceeded) => void }>

export const createUsageWatch = (): UsageWatch => {
  const watched = new Map<WatchedProcess, Watched>()
  let timer: ReturnType<typeof setInterval> | null = null
  let looks = 0

  const look = (): void => {
    looks += 1
    for (const [{ pid, disk }, { limitBytes, onExceeded }] of watched) {
      if (residentBytes(pid) > limitBytes) onExceeded('memory')
      else if (!(disk.isSlow && looks % LOOKS_PER_FOLDER_LOOK !== 0) && disk.isOverfull()) {
        onExceeded('disk')
      }
    }
    // stopped here and not at `forget`: short jobs come one after another
    if (watched.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
  }

  return {
    watch: (process, memoryMb, onExceeded) => {
      watched.set(process, { limitBytes: (memoryMb + RUNTIME_MB) * MB, onExceeded })
      timer ??= setInterval(look, EVERY_MS)
    },
    forget: (process) => {
      watched.delete(process)
    },
  }
}
