/**
 * An embedded replica: a copy of a remote database on this machine's disk, for reads that may be slightly old, such as lists
 * and counts. What must be current, above all credentials and the queue, is read from the server itself.
 *
 * It guarantees: an answer is at most as old as its thread was configured to allow; it updates only when it is read, so that
 * an idle node sends no requests; it never delays a read for long.
 * It fails by falling back: while it does not answer in time, reads go to the server, whose errors reach the caller.
 */
import type { Database, Reader, Row, SqlValue, Statement } from '../database.ts'

export type ReplicaQuestion = Readonly<{ id: number; sql: string; args: readonly SqlValue[] }>
export type ReplicaAnswer = Readonly<{ id: number }> &
  (Readonly<{ rows: readonly Row[] }> | Readonly<{ error: string }>)

/** The thread of replica-thread.ts, or a fake in tests. */
export type ReplicaThread = Readonly<{
  ask: (question: ReplicaQuestion) => void
  onAnswer: (listener: (answer: ReplicaAnswer) => void) => void
  stop: () => Promise<void>
}>

export type ReplicaOptions = Readonly<{
  thread: ReplicaThread
  /** Milliseconds. @default 2 s */
  timeoutMs?: number
  onTrouble: (error: Error) => void
}>

export interface Replica extends Reader {
  stop(): Promise<void>
}

type Waiting = (answer: ReplicaAnswer | null) => void

/** Opens reads over the replica. If it does not answer within `timeoutMs` milliseconds, `primary` does. */
export const openReplica = (
  primary: Database,
  { thread, timeoutMs = 2_000, onTrouble }: ReplicaOptions,
): Replica => {
  const waiting = new Map<number, Waiting>()
  let questions = 0
  /** A read has timed out. The thread gets no further reads until it answers. */
  let isStuck = false
  let isInTrouble = false

  thread.onAnswer((answer) => {
    isStuck = false
    waiting.get(answer.id)?.(answer)
  })

  const ask = ({ sql, args }: Statement): Promise<ReplicaAnswer | null> => {
    if (isStuck) return Promise.resolve(null)
    questions += 1
    const id = questions
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        isStuck = true
        settle(null)
      }, timeoutMs)
      const settle: Waiting = (answer) => {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(answer)
      }
      waiting.set(id, settle)
      thread.ask({ id, sql, args })
    })
  }

  const handOver = (reason: string, statement: Statement): Promise<readonly Row[]> => {
    if (!isInTrouble) onTrouble(new Error(reason))
    isInTrouble = true
    return primary.all(statement)
  }

  const all = async (statement: Statement): Promise<readonly Row[]> => {
    const answer = await ask(statement)
    if (answer === null) return handOver('The replica does not answer.', statement)
    if ('error' in answer) return handOver(answer.error, statement)
    isInTrouble = false
    return answer.rows
  }

  return {
    all,
    one: async (statement) => (await all(statement))[0] ?? null,
    now: () => primary.now(),
    stop: () => thread.stop(),
  }
}
