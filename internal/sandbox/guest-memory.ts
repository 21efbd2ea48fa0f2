/** How much memory the process of a job may hold, in bytes: the job's own and the runtime's share. */
const MB = 1_048_576
/** The runtime's own share, not counted against the job. */
const RUNTIME_MB = 64
/** Where the watch comes too late, the kernel stops it: what grows fast passes the limit by no more than this. */
const KERNEL_SHARE = 1.2

/** @param memoryMb what the job may use */
export const watchedBytes = (memoryMb: number): number => (memoryMb + RUNTIME_MB) * MB

export const kernelBytes = (memoryMb: number): number =>
  Math.round(watchedBytes(memoryMb) * KERNEL_SHARE)
