/** Limits the open streams of a workspace, because each reads the database once a second for as long as its caller wants. */
import { AppError } from '#core/error.ts'
import { createRoom, type Holder } from '#core/fairness/room.ts'
import { limit } from '#core/limit.ts'

const MOST_STREAMS = limit(
  'workspace.streams',
  1_000,
  'items',
  'Open event streams of a workspace on one server, a quarter of them for one customer. More: 429.',
)
const RETRY_AFTER_S = 10

export interface OpenStreams {
  /** Counts a stream. @returns call it when the stream is over @throws {AppError} rate_limited `too_many_streams` */
  add(caller: Holder): () => void
}

export const createOpenStreams = (): OpenStreams => {
  const room = createRoom(MOST_STREAMS)
  return {
    add: (caller) => {
      const leave = room.take(caller, 1)
      if (leave !== null) return leave
      throw new AppError(
        'rate_limited',
        'This workspace or customer has too many open event streams on this server. Close some, or poll.',
        { code: 'too_many_streams', retryAfterS: RETRY_AFTER_S },
      )
    },
  }
}
