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
  /** Ends the wait when the caller disconnects. */
  signal?: AbortSignal | undefined
  /** Calls `onHint` at each hint. @returns a function that unsubscribes */
  subscribe: (onHint: () => void) => () => void
  look: () => Promise<Found>
  isOver: (found: Found) => boolean
}>

/** Returns what was found when `isOver` holds; null after `timeoutMs`, or if the caller disconnected. */
export const waitUntil = async <Found>(wait: Wait<Found>): Promise<Found | null> => {
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
    for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(waitMs * 2, SLOWEST_LOOK_MS)) {
      hinted = false
      const found = await wait.look()
      if (wait.isOver(found)) return found
      const left = deadline - performance.now()
      if (left <= 0 || wait.signal?.aborted) return null
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
