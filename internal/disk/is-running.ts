import process from 'node:process'

/** Whether a process of this container exists. Any user may own it. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process belongs to another user, so it exists
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
