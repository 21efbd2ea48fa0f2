/** Keeps a connection to one server: connects again after it has closed, with growing pauses while the server is not joined. */

/** @param onClosed `wasJoined` if both sides had proved the key; `error` if the connection failed */
export type Connect = (
  onClosed: (wasJoined: boolean, error: Error | null) => void,
) => Readonly<{ close: () => void }>

export type Followed = Readonly<{ stop: () => void }>

const FIRST_RETRY_MS = 250
const SLOWEST_RETRY_MS = 10_000
/** With the pauses between them, that takes about half a minute. A server that restarts is joined sooner. */
const FAILURES_TO_REPORT = 8

/** @param onUnreached called once for each time that the server cannot be joined for long */
export const keepConnected = (
  connect: Connect,
  onUnreached: (error: Error | null) => void,
): Followed => {
  let retryMs = FIRST_RETRY_MS
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let link: ReturnType<Connect> | null = null
  let isWanted = true
  const open = (): void => {
    link = connect((wasJoined, error) => {
      if (!isWanted) return
      failures = wasJoined ? 0 : failures + 1
      if (failures === FAILURES_TO_REPORT) onUnreached(error)
      retryMs = wasJoined ? FIRST_RETRY_MS : Math.min(retryMs * 2, SLOWEST_RETRY_MS)
      timer = setTimeout(open, retryMs * (0.5 + Math.random() / 2))
      timer.unref()
    })
  }
  open()
  return {
    stop: () => {
      isWanted = false
      clearTimeout(timer)
      link?.close()
    },
  }
}
