/** Waits for a change. A hint ends the wait at once; polling finds changes whose hint was lost. */
import { DatabaseError } from '#store/database.ts'

const FIRST_LOOK_MS = 250
const SLOWEST_LOOK_MS = 1_000
/** Polls come at multiples of it, so that the waits of a process can share a query. */
const POLL_GRID_MS = 250

/**
 * Reads what a caller waits for. A database error counts as unknown, because what the caller has started exists and the caller
 * must get its id.
 */
export const lookAt = async <Found>(find: () => Promise<Found>): Promise<Found | 'unknown'> => {
  try {
    return await find()
  } catch (error) {
    if (error instanceof DatabaseError) return 'unknown'
    throw error
  }
}

export type Wait<Found> = Readonly<{
  timeoutMs: number
  /** @default 1,000 ms */
  slowestLookMs?: number
  /** Ends the wait when the caller disconnects. */
  signal?: AbortSignal | undefined
  /** Calls `onHint` at each hint. @returns a function that unsubscribes */
  subscribe: (onHint: () => void) => () => void
  look: () => Promise<Found>
  /** Whether a poll needs no look, because nothing has changed. @default every poll looks */
  isUnchanged?: () => Promise<boolean | 'unknown'>
  isOver: (found: Found) => boolean
}>

const untilPoll = (waitMs: number): number => {
  const now = performance.now()
  return Math.round((now + waitMs) / POLL_GRID_MS) * POLL_GRID_MS - now
}

/** Returns what was found last: when `isOver` holds, after `timeoutMs`, or when the caller has disconnected. */
export const waitUntil = async <Found>(wait: Wait<Found>): Promise<Found> => {
  const { slowestLookMs = SLOWEST_LOOK_MS, isUnchanged = async () => false } = wait
  let wake: () => void = () => undefined
  let hinted = false
  const unsubscribe = wait.subscribe(() => {
    hinted = true
    wake()
  })
  const deadline = performance.now() + wait.timeoutMs
  const onAbort = (): void => wake()
  wait.signal?.addEventListener('abort', onAbort)
  const isLast = (): boolean => performance.now() >= deadline || wait.signal?.aborted === true
  try {
    let found = await wait.look()
    for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(waitMs * 2, slowestLookMs)) {
      if (wait.isOver(found) || isLast()) return found
      if (!hinted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(
            resolve,
            // the time may be over since the check above, and Node logs a warning about a negative delay
            Math.max(0, Math.min(untilPoll(waitMs), deadline - performance.now())),
          )
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      if (!(hinted || isLast()) && (await isUnchanged()) !== false && !isLast()) continue
      hinted = false
      found = await wait.look()
    }
  } finally {
    unsubscribe()
    wait.signal?.removeEventListener('abort', onAbort)
  }
}
