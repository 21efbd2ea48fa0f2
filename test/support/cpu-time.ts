/** Processor time of this thread: the cost of code, independent of other load on the machine. */
import process from 'node:process'

/** @returns milliseconds since the thread began */
export const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

const TRIES = 4

/**
 * A try may collect garbage or compile code, which costs tens of milliseconds.
 * @returns the processor time of the first of several tries that took less than the limit, or the least of all
 */
export const leastCpuMs = (limitMs: number, work: () => unknown): number => {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < TRIES && least >= limitMs; at += 1) {
    const before = cpuMs()
    work()
    least = Math.min(least, cpuMs() - before)
  }
  return least
}
