/** The signal that aborts when the job is canceled [jobs 7.2]. */

const canceled = (): Error =>
  Object.assign(new Error('The job was canceled.'), { name: 'Canceled' })

/** Returns the signal of the job. The first call begins the watch, so that only jobs that need it watch for the cancel. */
export const createCancelSignal = (
  watchCancel: (onCancel: () => void) => void,
): (() => AbortSignal) => {
  let cancel: AbortController | null = null
  return () => {
    if (cancel === null) {
      const opened = new AbortController()
      cancel = opened
      watchCancel(() => opened.abort(canceled()))
    }
    return cancel.signal
  }
}
