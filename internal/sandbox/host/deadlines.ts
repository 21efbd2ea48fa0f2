/** Deadlines of running jobs, as the pool passes them to the deadline thread. */
import process from 'node:process'
import {
  createDeadlineMemory,
  createDeadlineTable,
  type DeadlineMemory,
  type DeadlineWatch,
  type Doomed,
} from './deadline-table.ts'

/** How late the main thread's own timer may be before the deadline thread acts, in milliseconds. */
const LATE_MS = 500

/** A clock that is the same for all threads of a process, unlike performance.now(). */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000

export interface Deadlines {
  /** @param timeoutMs counts from now */
  watch(doomed: Doomed, timeoutMs: number): DeadlineWatch
  stop(): void
}

/** @param startThread starts deadline-thread.ts with this memory as its data; called before the first deadline */
export const createDeadlines = (startThread: (memory: DeadlineMemory) => void): Deadlines => {
  const memory = createDeadlineMemory()
  const table = createDeadlineTable(memory)
  let isStarted = false
  return {
    watch: (doomed, timeoutMs) => {
      // a node without jobs needs no deadline thread
      if (!isStarted) startThread(memory)
      isStarted = true
      return table.watch(doomed, monotonicMs() + timeoutMs + LATE_MS)
    },
    stop: table.stop,
  }
}

/** For processes in which only the main thread's timer ends jobs. */
export const NO_DEADLINES: Deadlines = {
  watch: () => ({ hasFired: () => false, forget: () => undefined }),
  stop: () => undefined,
}
