/** Limits of one guest: its temporary folder, and its memory including the runtime. */

/** Megabytes that a guest may keep in its temporary folder. */
export const MAX_FOLDER_MB = 64
/** Files and folders that a guest may keep in its temporary folder. */
export const MAX_FOLDER_ENTRIES = 1_000

const MIB = 1_048_576
/** Memory of the runtime itself, which is not counted against the job. */
const RUNTIME_MB = 64
/** The kernel kills a job that grows faster than the usage watch polls when it reaches this multiple of its limit. */
const KERNEL_SHARE = 1.2

/** The limit that the usage watch enforces, in bytes. @param memoryMb the limit of the job */
export const watchedBytes = (memoryMb: number): number => (memoryMb + RUNTIME_MB) * MIB

/** The limit that the kernel enforces, in bytes. @param memoryMb the limit of the job */
export const kernelBytes = (memoryMb: number): number =>
  Math.round(watchedBytes(memoryMb) * KERNEL_SHARE)
