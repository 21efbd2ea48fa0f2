/**
 * Group commit: writes that arrive in the same turn of the event loop, or while a commit is under way, go out together
 * in the next transaction. Each caller gets its own results. When the joint transaction fails, every batch is run
 * alone, so that one cannot fail its neighbours.
 */
import { DatabaseError, type Statement, type StatementResult } from './database.ts'

export type Batch = readonly Statement[]
export type BatchResult = readonly StatementResult[]

/** Runs all batches in one transaction; throws when any statement fails, having changed nothing. */
export type Commit = (batches: readonly Batch[]) => Promise<readonly BatchResult[]>

export type Write = (batch: Batch) => Promise<BatchResult>

type Waiting = Readonly<{
  batch: Batch
  resolve: (results: BatchResult) => void
  reject: (error: unknown) => void
}>

/** A group beyond this would make the first of its callers wait for too many others. */
const MAX_STATEMENTS = 2_000

const takeGroup = (queue: Waiting[]): readonly Waiting[] => {
  let statements = 0
  let count = 0
  for (const { batch } of queue) {
    if (count > 0 && statements + batch.length > MAX_STATEMENTS) break
    statements += batch.length
    count += 1
  }
  return queue.splice(0, count)
}

export const createGroupCommit = (commit: Commit): Write => {
  const queue: Waiting[] = []
  let isCommitting = false

  const commitAlone = async ({ batch, resolve, reject }: Waiting): Promise<void> => {
    try {
      const [results] = await commit([batch])
      resolve(results ?? [])
    } catch (error) {
      reject(error)
    }
  }

  const commitGroup = async (group: readonly Waiting[]): Promise<void> => {
    const [first] = group
    if (first !== undefined && group.length === 1) return commitAlone(first)
    try {
      const results = await commit(group.map(({ batch }) => batch))
      for (const [index, { resolve }] of group.entries()) resolve(results[index] ?? [])
    } catch (error) {
      // nobody can tell whether the group was written: only the callers know whether to try again
      if (error instanceof DatabaseError && error.outcome === 'unknown') {
        for (const { reject } of group) reject(error)
        return
      }
      for (const waiting of group) await commitAlone(waiting)
    }
  }

  const drain = async (): Promise<void> => {
    while (queue.length > 0) await commitGroup(takeGroup(queue))
    isCommitting = false
  }

  return (batch) =>
    new Promise((resolve, reject) => {
      queue.push({ batch, resolve, reject })
      if (isCommitting) return
      isCommitting = true
      setImmediate(() => void drain())
    })
}
