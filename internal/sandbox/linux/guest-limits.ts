/** What one guest may hold: its temporary folder, and its memory with the share of the runtime. */

/** Megabytes that a guest may keep in its temporary folder. */
export const MAX_FOLDER_MB = 64
/** Files and folders that a guest may keep in its temporary folder. */
export const MAX_FOLDER_ENTRIES = 1_000

const MB = 1_048_576
/** The runtime's own share, not counted against the job. */
const RUNTIME_MB = 64
/** Where the watch comes too late, the kernel stops it: what grows fast passes the limit by no more than this. */
const KERNEL_SHARE = 1.2

/** @param memoryMb what the job may use */
export const watchedBytes = (memoryMb: number): number => (memoryMb + RUNTIME_MB) * MB

export const kernelBytes = (memoryMb: number): number =>
  Math.round(watchedBytes(memoryMb) * KERNEL_SHARE)
