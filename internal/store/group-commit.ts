/**
 * Group commit: writes that arrive in the same turn of the event loop, or while a commit is under way, go out together
 * in the next transaction. It is the main lever of speed: making a transaction durable costs the same for one write as
 * for a hundred.
 *
 * It guarantees: batches take effect in the order in which they came, except that those marked `last` go behind the others
 * of their group; each caller gets the results of its own batch and
 * never the failure of a neighbour; between two groups the event loop runs.
 * It leaves to the backend: atomicity, durability, retries. `commit` fails by DatabaseError. A failure that one batch
 * may be to blame for is narrowed down by halves; a lost connection, a lock or an unknown outcome concerns the whole
 * group.
 */
import { setImmediate } from 'node:timers'
import { sizeOfValues } from './batch.ts'
import {
  DatabaseError,
  type DatabaseErrorKind,
  type Statement,
  type StatementResult,
  type WriteOptions,
} from './database.ts'

export type Batch = readonly Statement[]
export type BatchResult = readonly StatementResult[]

/** Runs all batches in one transaction; throws when any statement fails. */
export type Commit = (batches: readonly Batch[]) => Promise<readonly BatchResult[]>

export type GroupCommit = Readonly<{
  /** @throws {DatabaseError} */
  write: (batch: Batch, order?: Omit<WriteOptions, 'retry'>) => Promise<BatchResult>
  /** Refuses new writes and waits for those that are under way. */
  close: () => Promise<void>
}>

export type GroupCommitLimits = Readonly<{
  /** @default 1,000: the first of a group waits for the last, about 20 ms on a file */
  maxStatements?: number
  /** The most bytes of text and blob arguments. @default 4 MiB, because a server limits the size of a message */
  maxBytes?: number
}>

type Waiting = Readonly<{
  batch: Batch
  bytes: number
  isLast: boolean
  onTaken: (() => void) | undefined
  resolve: (results: BatchResult) => void
  reject: (error: unknown) => void
}>

/** At least one; a batch beyond the bounds goes alone. */
const takeGroup = (queue: Waiting[], limits: Required<GroupCommitLimits>): readonly Waiting[] => {
  let statements = 0
  let bytes = 0
  let count = 0
  for (const waiting of queue) {
    statements += waiting.batch.length
    bytes += waiting.bytes
    if (count > 0 && (statements > limits.maxStatements || bytes > limits.maxBytes)) break
    count += 1
  }
  const group = queue.splice(0, count)
  if (!group.some(({ isLast }) => isLast)) return group
  return [...group.filter(({ isLast }) => !isLast), ...group.filter(({ isLast }) => isLast)]
}

const OF_ONE_BATCH: readonly DatabaseErrorKind[] = [
  'constraint',
  'missing_table',
  'corrupt',
  'full',
  'too_large',
  'other',
]

const mayBlameOneBatch = (error: unknown): boolean =>
  error instanceof DatabaseError && error.outcome === 'none' && OF_ONE_BATCH.includes(error.kind)

/** About a third of what a commit takes. */
const MOST_PATIENCE = 15

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const commitGroup = async (commit: Commit, group: readonly Waiting[]): Promise<void> => {
  let results: readonly BatchResult[]
  try {
    results = await commit(group.map(({ batch }) => batch))
  } catch (error) {
    if (group.length === 1 || !mayBlameOneBatch(error)) {
      for (const { reject } of group) reject(error)
      return
    }
    const half = Math.ceil(group.length / 2)
    await commitGroup(commit, group.slice(0, half))
    await nextTurn()
    return commitGroup(commit, group.slice(half))
  }
  for (const [index, { resolve }] of group.entries()) resolve(results[index] ?? [])
}

/** Creates what commits batches that arrive together as one. @param commit writes one group atomically */
export const createGroupCommit = (
  commit: Commit,
  { maxStatements = 1_000, maxBytes = 4 * 1024 * 1024 }: GroupCommitLimits = {},
): GroupCommit => {
  const queue: Waiting[] = []
  let isClosed = false
  let running: Promise<void> | null = null

  /** Turns that a group waits for company: more while it comes, none for a lone writer. */
  let patience = 0

  const takeNext = (): readonly Waiting[] => {
    const group = takeGroup(queue, { maxStatements, maxBytes })
    for (const { onTaken } of group) onTaken?.()
    // a claim that comes with its job does not count: it must not make a lone writer wait
    const company = group.filter(({ isLast }) => !isLast).length
    patience = company > 1 ? Math.min(patience * 2 + 1, MOST_PATIENCE) : patience >> 1
    return group
  }

  const run = async (): Promise<void> => {
    // also a lone writer waits for the end of its turn: its neighbours of this turn come along
    for (let turn = 0; turn <= patience; turn += 1) await nextTurn()
    while (queue.length > 0) {
      await commitGroup(commit, takeNext())
      // writers that answer a commit by the next write would otherwise keep input and timers out for ever
      if (queue.length > 0) await nextTurn()
    }
    running = null
  }

  return {
    write: (batch, { onQueued, onTaken, last: isLast = false } = {}) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          const closed = { kind: 'unavailable', outcome: 'none' } as const
          reject(new DatabaseError('The database is closed.', closed))
          return
        }
        queue.push({ batch, bytes: sizeOfValues(batch), isLast, onTaken, resolve, reject })
        running ??= run()
        onQueued?.()
      }),
    close: async () => {
      isClosed = true
      await running
    },
  }
}
