/**
 * States whom a connection counts for while it has a request. When connections run short, callers who hold many of them make
 * room for those who hold few (node/listener/connection-room.ts).
 */
import { unavailable } from '#core/error.ts'

export type Caller = Readonly<{
  /** The workspace of a caller with a credential; of others the network. */
  name: string
  isKnown: boolean
}>

/** @returns false if there is no room for the request */
export type CountConnection = (caller: Caller) => boolean

const RETRY_AFTER_S = 2

/**
 * Counts the connection of a request for its caller.
 * @param count undefined if the connections are not limited
 * @throws {AppError} unavailable
 */
export const requireConnection = (count: CountConnection | undefined, caller: Caller): void => {
  if (count === undefined || count(caller)) return
  throw unavailable('This node has too many open connections. Try again later.', {
    retryAfterS: RETRY_AFTER_S,
  })
}
