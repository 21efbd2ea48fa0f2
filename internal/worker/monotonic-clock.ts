import { uptime } from 'node:os'
import process from 'node:process'

/** Milliseconds that never jump; one clock for all threads of a process, unlike performance.now(). */
export const monotonicNow = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000

/**
 * Milliseconds that never jump and go on while the machine sleeps, to a hundredth of a second. Beside a database on another
 * machine this tells a sleep of this one from a jump of the other's clock.
 */
export const suspendProofNow = (): number => uptime() * 1_000
