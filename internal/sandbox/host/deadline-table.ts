/**
 * The deadlines of processes, in memory that two threads share. The main thread writes them. The deadline thread
 * sleeps until the next one and reads them. They exchange no messages, so a busy main thread does not matter.
 */

/** Maximum number of watched runs. Further runs have only the main thread's timer. */
const SLOTS = 1_024
const VERSION = 0
const IS_STOPPED = 1
const HEADER = 2

/** A process, and whether it is the outer one of a namespace (see process-kill.ts). */
export type Doomed = Readonly<{ pid: number; isHidden: boolean }>

export type DeadlineMemory = Readonly<{ cells: SharedArrayBuffer; times: SharedArrayBuffer }>

/** Memory that the host and the deadline thread share. */
export const createDeadlineMemory = (): DeadlineMemory => ({
  cells: new SharedArrayBuffer((HEADER + 2 * SLOTS) * Int32Array.BYTES_PER_ELEMENT),
  times: new SharedArrayBuffer((1 + SLOTS) * Float64Array.BYTES_PER_ELEMENT),
})

const open = ({ cells, times }: DeadlineMemory) => ({
  header: new Int32Array(cells, 0, HEADER),
  /** 0 if the place is free, negative if the thread has killed this process. */
  pids: new Int32Array(cells, HEADER * Int32Array.BYTES_PER_ELEMENT, SLOTS),
  hidden: new Int32Array(cells, (HEADER + SLOTS) * Int32Array.BYTES_PER_ELEMENT, SLOTS),
  /** When the thread will check again. */
  wakesAt: new Float64Array(times, 0, 1),
  deadlines: new Float64Array(times, Float64Array.BYTES_PER_ELEMENT, SLOTS),
})

export interface DeadlineWatch {
  /** Whether the thread has killed the process. */
  hasFired(): boolean
  /** Call it once, at the latest when the process has ended, because its id may go to another process. */
  forget(): void
}

export interface DeadlineTable {
  /** @param deadline milliseconds of a clock that both threads share */
  watch(doomed: Doomed, deadline: number): DeadlineWatch
  stop(): void
}

const UNWATCHED: DeadlineWatch = { hasFired: () => false, forget: () => undefined }

/** The writing side of the shared memory, for the host. */
export const createDeadlineTable = (memory: DeadlineMemory): DeadlineTable => {
  const { header, pids, hidden, wakesAt, deadlines } = open(memory)
  const free = Array.from({ length: SLOTS }, (_, slot) => slot)
  wakesAt[0] = Number.POSITIVE_INFINITY

  const wake = (): void => {
    Atomics.add(header, VERSION, 1)
    Atomics.notify(header, VERSION)
  }

  return {
    watch: ({ pid, isHidden }, deadline) => {
      // takes the place that has been free the longest, because the thread may still be checking the newest
      const slot = free.shift()
      if (slot === undefined) return UNWATCHED
      deadlines[slot] = deadline
      hidden[slot] = isHidden ? 1 : 0
      Atomics.store(pids, slot, pid)
      // the thread sleeps on if the deadline is not the next one, as is usual
      if (deadline < (wakesAt[0] ?? 0)) wake()
      return {
        hasFired: () => Atomics.load(pids, slot) < 0,
        forget: () => {
          Atomics.store(pids, slot, 0)
          free.push(slot)
        },
      }
    },
    stop: () => {
      Atomics.store(header, IS_STOPPED, 1)
      wake()
    },
  }
}

export type DeadlineReader = Readonly<{
  memory: DeadlineMemory
  now: () => number
  kill: (doomed: Doomed) => void
}>

/** Runs the reading side. Blocks its thread until it is stopped. */
export const keepDeadlines = ({ memory, now, kill }: DeadlineReader): void => {
  const { header, pids, hidden, wakesAt, deadlines } = open(memory)

  /** @returns when the next deadline is due */
  const killDue = (): number => {
    const time = now()
    let next = Number.POSITIVE_INFINITY
    for (let slot = 0; slot < SLOTS; slot += 1) {
      const pid = Atomics.load(pids, slot)
      const deadline = deadlines[slot] ?? 0
      if (pid <= 0) continue
      if (deadline > time) next = Math.min(next, deadline)
      else if (Atomics.compareExchange(pids, slot, pid, -pid) === pid) {
        kill({ pid, isHidden: hidden[slot] === 1 })
      }
    }
    return next
  }

  while (Atomics.load(header, IS_STOPPED) === 0) {
    const version = Atomics.load(header, VERSION)
    // while the thread checks, every new deadline wakes it
    wakesAt[0] = Number.POSITIVE_INFINITY
    const next = killDue()
    wakesAt[0] = next
    Atomics.wait(header, VERSION, version, Math.max(0, next - now()))
  }
}
