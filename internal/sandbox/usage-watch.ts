/**
 * Watches what processes use while they run jobs: memory, which no flag limits off V8's heap, and the room that they
 * take on disk. It looks now and then, so a fast job may pass a limit for a moment before it is stopped.
 */
import { readFileSync } from 'node:fs'
import { isFolderOverfull } from './guest-folder.ts'

const EVERY_MS = 30
/** Disks fill slower than memory, and counting files costs more. */
const LOOKS_PER_FOLDER_LOOK = 10
const PAGE_BYTES = 4_096
/** The runtime's own share, not counted against the job. */
const RUNTIME_MB = 64
const MB = 1_048_576

export type Exceeded = 'memory' | 'disk'

/** Null pid: it could not be started; there is nothing to watch. */
export type WatchedProcess = Readonly<{ pid: number | null; folder: string }>

export interface UsageWatch {
  watch(process: WatchedProcess, memoryMb: number, onExceeded: (what: Exceeded) => void): void
  forget(process: WatchedProcess): void
}

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Without the pages of files: the runtime's own text is mapped, and shared by all. */
const bytesOfOne = (pid: number): number => {
  const [, resident = '0', shared = '0'] = readText(`/proc/${pid}/statm`).split(' ')
  return (Number(resident) - Number(shared)) * PAGE_BYTES
}

/** Bytes of the process and of all that it started, or 0 where the system does not tell. */
export const residentBytes = (pid: number | null): number => {
  let total = 0
  const open = pid === null ? [] : [pid]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    total += bytesOfOne(next)
    const children = readText(`/proc/${next}/task/${next}/children`)
    if (children !== '') open.push(...children.trim().split(' ').map(Number))
  }
  return total
}

type Watched = Readonly<{ limitBytes: number; onExceeded: (what: Exceeded) => void }>

export const createUsageWatch = (): UsageWatch => {
  const watched = new Map<WatchedProcess, Watched>()
  let timer: ReturnType<typeof setInterval> | null = null
  let looks = 0

  const look = (): void => {
    looks += 1
    for (const [{ pid, folder }, { limitBytes, onExceeded }] of watched) {
      if (residentBytes(pid) > limitBytes) onExceeded('memory')
      else if (looks % LOOKS_PER_FOLDER_LOOK === 0 && isFolderOverfull(folder)) onExceeded('disk')
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
