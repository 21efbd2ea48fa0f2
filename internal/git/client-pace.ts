/**
 * Cuts off a client that sends or reads too slowly for the place that it holds: a token bucket of waiting time. Waiting for the client
 * drains it, each byte refills it, and its size limits how long a client that was fast may pause.
 */
import { limit } from '#core/limit.ts'
import { SECOND_MS } from '#core/time-units.ts'

const BYTES_PER_S = limit(
  'push.rate',
  1_000,
  'bytes',
  'What a client of git sends or reads each second, on average of 30 s. Less: it is cut off.',
)
const PAUSE_MS = 30_000

export type ClientPace = Readonly<{
  /** The client is waited for from now on. */
  wait: () => void
  /** The client has sent or read so many bytes, and is not waited for. */
  moved: (bytes: number) => void
  /** The client is never waited for again. */
  end: () => void
}>

/** @param onSlow called once */
export const createClientPace = (onSlow: () => void): ClientPace => {
  let leftMs = PAUSE_MS
  let since = 0
  let timer: NodeJS.Timeout | null = null
  let isOver = false
  const pause = (): void => {
    if (timer === null) return
    clearTimeout(timer)
    timer = null
    leftMs -= performance.now() - since
  }
  const end = (): void => {
    pause()
    isOver = true
  }
  return {
    wait: () => {
      if (isOver || timer !== null) return
      since = performance.now()
      timer = setTimeout(
        () => {
          end()
          onSlow()
        },
        Math.max(0, leftMs),
      )
    },
    moved: (bytes) => {
      pause()
      leftMs = Math.min(PAUSE_MS, leftMs + (bytes * SECOND_MS) / BYTES_PER_S)
    },
    end,
  }
}
