/** The interface of both transports to a server. Each attempt ends in time and is not repeated here. */
import type { Statement, StatementResult } from '../database.ts'
import type { MakeDurable } from '../durability.ts'
import { timedOut } from './remote-database-error.ts'

export type RemoteConnectionOptions = Readonly<{
  url: string
  authToken?: string
  /** Milliseconds for one round trip. */
  timeoutMs: number
  /**
   * Called when a stream is found to be relaxed, before it is used.
   * @default nothing is done
   */
  makeDurable?: MakeDurable
}>

export type RemoteConnection = Readonly<{
  /** @throws {DatabaseError} */
  execute: (statement: Statement) => Promise<StatementResult>
  /** Runs one transaction in one round trip. @throws {DatabaseError} */
  batch: (statements: readonly Statement[]) => Promise<readonly StatementResult[]>
  /** Returns the milliseconds of the shortest recent round trip; 0 if unknown. */
  latencyMs: () => number
  /** Returns whether a batch sent now runs after those in flight, unless it is too large for a stream (`isLarge`). */
  keepsOrder: () => boolean
  /** Returns whether these statements are too large for a stream, so that they are sent separately and without order. */
  isLarge: (statements: readonly Statement[]) => boolean
  /** Makes later calls use new connections. Calls in progress finish on theirs. */
  renew: () => void
  close: () => void
}>

/** Waits for `work`, until `deadline` by the monotonic clock. @throws {DatabaseError} the time is over; the outcome is unknown */
export const until = async <T>(
  deadline: number,
  timeoutMs: number,
  work: Promise<T>,
): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    const ms = Math.max(deadline - performance.now(), 0)
    timer = setTimeout(() => reject(timedOut(timeoutMs)), ms)
  })
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
  }
}
