import process from 'node:process'

/** Milliseconds that never jump; one clock for all threads of a process, unlike performance.now(). */
export const monotonicNow = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000
