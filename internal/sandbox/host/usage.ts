/**
 * Watches what processes use while they run jobs: memory, including buffers of their sockets, because no flag limits memory
 * outside V8's heap; disk space; and processor time, which threads spend faster than the clock runs. It polls, so a fast job
 * may exceed a limit briefly before it is stopped. Where the host provides control groups, the kernel stops it at once.
 */

import { watchedBytes } from '../linux/guest-limits.ts'
import { processorMs, residentBytes } from '../linux/process-tree.ts'
import type { SocketMemory } from '../linux/socket-memory.ts'
import type { GuestDisk } from './disk.ts'

const EVERY_MS = 20
/** Disks fill slower than memory, and counting files costs more. Processor time is counted in steps of 10 ms. */
const CHECKS_PER_SLOW_CHECK = 10

export type Exceeded = 'memory' | 'disk' | 'processor'

export type WatchedProcess = Readonly<{
  /** @returns null if there is nothing to watch */
  runtimePid: () => number | null
  disk: GuestDisk
  /** Buffers of its sockets, which count as its memory. */
  sockets: SocketMemory
}>

export type UsageLimits = Readonly<{ memoryMb: number; processorMs: number }>

export interface UsageWatch {
  watch(process: WatchedProcess, limits: UsageLimits, onExceeded: (what: Exceeded) => void): void
  forget(process: WatchedProcess): void
}

type Watched = Readonly<{ limits: UsageLimits; onExceeded: (what: Exceeded) => void }> & {
  /** Processor time that earlier jobs used. It is measured at the first slow check, which favours this job. */
  processorBefore: number | null
}

const exceededMemory = (process: WatchedProcess, { limits }: Watched): boolean => {
  const { runtimePid, disk, sockets } = process
  const bytes = residentBytes(runtimePid()) + disk.memoryBytes() + sockets.bytes()
  return bytes > watchedBytes(limits.memoryMb)
}

const exceededProcessor = ({ runtimePid }: WatchedProcess, watched: Watched): boolean => {
  const used = processorMs(runtimePid())
  watched.processorBefore ??= used
  return used - watched.processorBefore > watched.limits.processorMs
}

/** @returns null if no limit is exceeded */
const findExceeded = (
  process: WatchedProcess,
  watched: Watched,
  isSlow: boolean,
): Exceeded | null => {
  // a job may fill its sockets faster than slow checks come
  if (isSlow || process.sockets.bytes() > 0) process.sockets.measure()
  if ((isSlow || !process.disk.isSlow) && process.disk.isOverfull()) return 'disk'
  if (exceededMemory(process, watched)) return 'memory'
  return isSlow && exceededProcessor(process, watched) ? 'processor' : null
}

/** Polls memory, disk and processor time of running jobs. It stops while no job runs. */
export const createUsageWatch = (): UsageWatch => {
  const all = new Map<WatchedProcess, Watched>()
  let timer: ReturnType<typeof setInterval> | null = null
  let checks = 0

  const checkAll = (): void => {
    checks += 1
    for (const [process, watched] of all) {
      const exceeded = findExceeded(process, watched, checks % CHECKS_PER_SLOW_CHECK === 0)
      if (exceeded !== null) watched.onExceeded(exceeded)
    }
    // stopped here and not at `forget`: short jobs come one after another
    if (all.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
  }

  return {
    watch: (process, limits, onExceeded) => {
      all.set(process, { limits, onExceeded, processorBefore: null })
      timer ??= setInterval(checkAll, EVERY_MS)
    },
    forget: (process) => {
      all.delete(process)
    },
  }
}
