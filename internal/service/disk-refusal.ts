/** What callers read when a disk of this node is full: its temporary folder or its data directory. */
import { type AppError, unavailable } from '#core/error.ts'
import { lacksRoom } from '#disk/room.ts'

const RETRY_AFTER_S = 2

/** Returns the refusal that a caller gets; null if the error is not that of a full disk. */
export const diskRefusal = (error: unknown): AppError | null =>
  lacksRoom(error)
    ? unavailable(
        'The temporary folder or the data directory of this server is full. Free some space there, then try again.',
        { retryAfterS: RETRY_AFTER_S, cause: error },
      )
    : null
