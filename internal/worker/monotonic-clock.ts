import { uptime } from 'node:os'
import process from 'node:process'

/** Returns milliseconds that never jump. Unlike with performance.now(), all threads of the process share the clock. */
export const monotonicNow = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000

/**
 * Returns milliseconds that never jump and that advance while the machine sleeps, with a resolution of 10 ms. Comparing them
 * with the clock of a remote database distinguishes a sleep of this machine from a jump of that clock.
 */
export const suspendProofNow = (): number => uptime() * 1_000
