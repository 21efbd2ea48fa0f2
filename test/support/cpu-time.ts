/** Processor time of this thread: the cost of code, independent of other load on the machine. */
import process from 'node:process'

/** @returns milliseconds since the thread began */
export const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
