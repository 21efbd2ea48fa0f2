/** What both transports to a server offer: an attempt that ends in time, and is never repeated here. */
import type { Statement, StatementResult } from './database.ts'
import { timedOut } from './remote-database-error.ts'

export type RemoteConnectionOptions = Readonly<{
  url: string
  authToken?: string
  /** For one round trip, milliseconds. */
  timeoutMs: number
  /**
   * Called when a stream is found to be relaxed, before anything is sent over it. @returns whether the server commits durably now
   * @default nothing is done
   */
  makeDurable?: () => Promise<boolean>
}>

export type RemoteConnection = Readonly<{
  /** @throws {DatabaseError} */
  execute: (statement: Statement) => Promise<StatementResult>
  /** One transaction, one round trip. @throws {DatabaseError} */
  batch: (statements: readonly Statement[]) => Promise<readonly StatementResult[]>
  /** Milliseconds of the shortest round trip of late; 0: not known. */
  latencyMs: () => number
  /** Whether a batch that is sent now runs behind those that are under way, unless it is too large for a stream (`isLarge`). */
  keepsOrder: () => boolean
  /** Whether these statements go another way than others, without order. */
  isLarge: (statements: readonly Statement[]) => boolean
  /** Calls from now on use new connections; those under way end on theirs. */
  renew: () => void
  close: () => void
}>

/** Waits for `work` at most until `deadline` by the monotonic clock. @throws {DatabaseError} time is up: outcome unknown */
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
