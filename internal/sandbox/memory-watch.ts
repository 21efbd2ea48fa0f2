/** Watches the resident memory of processes while they run jobs: what lies off V8's heap no flag limits. */
import { readFileSync } from 'node:fs'

const EVERY_MS = 40
const PAGE_BYTES = 4_096
/** The runtime itself, before any job. */
const RUNTIME_MB = 96

export interface MemoryWatch {
  watch(pid: number, memoryMb: number, onExceeded: () => void): void
  forget(pid: number): void
}

/** Resident bytes, or 0 where the system does not tell. */
export const residentBytes = (pid: number): number => {
  try {
    const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
    return Number(pages) * PAGE_BYTES
  } catch {
    return 0
  }
}

type Watched = Readonly<{ limitBytes: number; onExceeded: () => void }>

export const createMemoryWatch = (): MemoryWatch => {
  const watched = new Map<number, Watched>()
  let timer: ReturnType<typeof setInterval> | null = null

  const look = (): void => {
    for (const [pid, { limitBytes, onExceeded }] of watched) {
      if (residentBytes(pid) > limitBytes) onExceeded()
    }
    // stopped here and not at `forget`: short jobs come one after another
    if (watched.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
  }

  return {
    watch: (pid, memoryMb, onExceeded) => {
      watched.set(pid, { limitBytes: (memoryMb + RUNTIME_MB) * 1_024 * 1_024, onExceeded })
      timer ??= setInterval(look, EVERY_MS)
    },
    forget: (pid) => {
      watched.delete(pid)
    },
  }
}
