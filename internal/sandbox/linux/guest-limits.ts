/** What one guest may hold: its temporary folder, and its memory with the share of the runtime. */

/** Megabytes that a guest may keep in its temporary folder. */
export const MAX_FOLDER_MB = 64
/** Files and folders that a guest may keep in its temporary folder. */
export const MAX_FOLDER_ENTRIES = 1_000

const MB = 1_048_576
/** The runtime's own share, not counted against the job. */
const RUNTIME_MB = 64
/** A job that grows faster than the usage watch polls is killed by the kernel at this multiple of its limit. */
const KERNEL_SHARE = 1.2

/** The limit that the usage watch holds, in bytes. @param memoryMb the limit of the job */
export const watchedBytes = (memoryMb: number): number => (memoryMb + RUNTIME_MB) * MB

/** The limit that the kernel holds, in bytes. @param memoryMb the limit of the job */
export const kernelBytes = (memoryMb: number): number =>
  Math.round(watchedBytes(memoryMb) * KERNEL_SHARE)
