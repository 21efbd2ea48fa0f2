/** Limits the open streams of a workspace, because each reads the database once a second for as long as its caller wants. */
import { AppError } from '#core/error.ts'
import { createTally } from '#core/fairness/tally.ts'
import { limit } from '#core/limit.ts'

const MOST_STREAMS = limit(
  'workspace.streams',
  1_000,
  'items',
  'Open event streams of a workspace on one server. More: 429.',
)
const RETRY_AFTER_S = 10

export interface OpenStreams {
  /** Counts a stream. @returns call it when the stream is over @throws {AppError} rate_limited `too_many_streams` */
  add(ws: string): () => void
}

export const createOpenStreams = (): OpenStreams => {
  const open = createTally()
  return {
    add: (ws) => {
      if (open.of(ws) >= MOST_STREAMS) {
        throw new AppError(
          'rate_limited',
          `This workspace has ${MOST_STREAMS} open event streams on this server. Close some, or poll.`,
          { code: 'too_many_streams', retryAfterS: RETRY_AFTER_S },
        )
      }
      open.add(ws, 1)
      return () => open.add(ws, -1)
    },
  }
}
