/** Waits for a change. A hint ends the wait at once; polling finds changes whose hint was lost. */
import { DatabaseError } from '#store/database.ts'

const FIRST_LOOK_MS = 250
const SLOWEST_LOOK_MS = 1_000

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
  isOver: (found: Found) => boolean
}>

/** Returns what was found last: when `isOver` holds, after `timeoutMs`, or when the caller has disconnected. */
export const waitUntil = async <Found>(wait: Wait<Found>): Promise<Found> => {
  const { slowestLookMs = SLOWEST_LOOK_MS } = wait
  let wake: () => void = () => undefined
  let hinted = false
  const unsubscribe = wait.subscribe(() => {
    hinted = true
    wake()
  })
  const deadline = performance.now() + wait.timeoutMs
  const onAbort = (): void => wake()
  wait.signal?.addEventListener('abort', onAbort)
  try {
    for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(waitMs * 2, slowestLookMs)) {
      hinted = false
      const found = await wait.look()
      const left = deadline - performance.now()
      if (wait.isOver(found) || left <= 0 || wait.signal?.aborted) return found
      if (!hinted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(waitMs, left))
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
    }
  } finally {
    unsubscribe()
    wait.signal?.removeEventListener('abort', onAbort)
  }
}
