/** Processor time of this thread: what code costs, whatever else the machine does meanwhile. */
import process from 'node:process'

/** @returns milliseconds since the thread began */
export const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
