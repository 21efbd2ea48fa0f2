/** Waits for news of a job or a flow run: a hint in this process, or a poll, which finds what other processes wrote. */
import { createFairTurns } from '#core/fairness/turns.ts'
import type { Deps } from '#service/deps.ts'
import { takeTurn } from '#service/portions/take-turn.ts'
import { DatabaseError } from '#store/database.ts'

const LOOK_MS = 1_000
/** Module state, because all followers of the process share its event loop: one hint may wake a thousand of them. */
const inTurn = createFairTurns()

export type FollowRequest = Readonly<{ ws: string; id: string; signal: AbortSignal }>

export interface News {
  /**
   * Resolves at the next hint or after a poll interval, and at once if a hint came since the
   * last call or the caller disconnected: each follower in its own turn of the event loop, and workspaces in turn.
   */
  next(): Promise<void>
  /**
   * Reads what is followed. While the database does not answer, tries again at the next news, so that no stream ends
   * [access 18.2].
   * @throws {DatabaseError} the read failed otherwise, or the caller has disconnected
   */
  read<Found>(find: () => Promise<Found>): Promise<Found>
  stop(): void
}

const isAway = (error: unknown): boolean =>
  error instanceof DatabaseError && error.kind === 'unavailable'

/** Receives hints from this call on. Subscribe first, then read, so that no change is missed between the two. */
export const subscribeToNews = (
  { hints }: Pick<Deps, 'hints'>,
  { ws, id, signal }: FollowRequest,
  channels: readonly ('jobChanged' | 'jobLogged' | 'flowChanged')[],
): News => {
  let hasNews = false
  let wake: () => void = () => undefined
  const onHint = (): void => {
    hasNews = true
    wake()
  }
  const ends = channels.map((channel) => hints[channel].subscribe(id, onHint))
  signal.addEventListener('abort', onHint, { once: true })
  const next = async (): Promise<void> => {
    if (!(hasNews || signal.aborted)) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_MS)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    if (!signal.aborted) await inTurn(ws, takeTurn)
    hasNews = false
  }
  return {
    next,
    read: async (find) => {
      for (;;) {
        try {
          return await find()
        } catch (error) {
          if (!isAway(error) || signal.aborted) throw error
        }
        await next()
      }
    },
    stop: () => {
      for (const end of ends) end()
      signal.removeEventListener('abort', onHint)
      wake()
    },
  }
}
