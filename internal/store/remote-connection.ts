/** What both transports to a server offer: an attempt that ends in time, and is never repeated here. */
import type { Statement, StatementResult } from './database.ts'
import { timedOut } from './remote-database-error.ts'

export type RemoteConnectionOptions = Readonly<{
  url: string
  authToken?: string
  /** For one round trip, milliseconds. */
  timeoutMs: number
}>

export type RemoteConnection = Readonly<{
  /** @throws {DatabaseError} */
  execute: (statement: Statement) => Promise<StatementResult>
  /** One transaction, one round trip. @throws {DatabaseError} */
  batch: (statements: readonly Statement[]) => Promise<readonly StatementResult[]>
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
