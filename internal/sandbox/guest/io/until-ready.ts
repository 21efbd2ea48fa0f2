/** Blocking reads and writes on pipes that user code may have made non-blocking. */

const PAUSE_MS = 1

const mustWait = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN'

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Repeats a system call until it succeeds without waiting. Blocks the thread. */
export const untilReady = (act: () => number): number => {
  for (;;) {
    try {
      return act()
    } catch (error) {
      if (!mustWait(error)) throw error
      Atomics.wait(pause, 0, 0, PAUSE_MS)
    }
  }
}
