/**
 * Group commit: writes that arrive in the same turn of the event loop or during a commit are committed together in the next
 * transaction. This matters most for speed, because making a transaction durable costs the same for one write as for a
 * hundred. Over a distant network, groups are sent before earlier ones are answered (commit-pace.ts).
 *
 * It guarantees: batches take effect in the order in which they arrived, with two exceptions. Batches marked `last` run after
 * the others of their group. A group that is split because one batch failed runs after groups that were sent before its
 * failure; then `onQueued` is called again. Each caller gets the results of its own batch and never the failure of another.
 * The event loop runs between two groups.
 * It leaves to the backend: atomicity, durability, retries. `commit` fails with DatabaseError. If one batch may have caused
 * a failure, the group is split in halves to find it. A lost connection, a lock or an unknown outcome fails the whole group.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sizeOfValues } from '../batch.ts'
import {
  DatabaseError,
  type DatabaseErrorKind,
  type Statement,
  type StatementResult,
  type WriteOptions,
} from '../database.ts'
import { type CommitPace, oneAtATime } from './commit-pace.ts'

export type Batch = readonly Statement[]
export type BatchResult = readonly StatementResult[]

/** Runs all batches in one transaction. It throws if any statement fails. */
export type Commit = (batches: readonly Batch[]) => Promise<readonly BatchResult[]>

export type GroupCommit = Readonly<{
  /** @throws {DatabaseError} */
  write: (batch: Batch, order?: Omit<WriteOptions, 'retry'>) => Promise<BatchResult>
  /** Refuses new writes and waits for those in progress. */
  close: () => Promise<void>
}>

export type GroupCommitLimits = Readonly<{
  /** @default 1,000, because the first of a group waits for the last: about 20 ms on a file */
  maxStatements?: number
  /** Limit of bytes in text and blob arguments. @default 4 MiB, because a server limits the size of a message */
  maxBytes?: number
  /** Decides when groups are sent. @default one at a time */
  pace?: CommitPace
}>

type Waiting = Readonly<{
  batch: Batch
  bytes: number
  isLast: boolean
  onQueued: (() => void) | undefined
  onTaken: (() => void) | undefined
  resolve: (results: BatchResult) => void
  reject: (error: unknown) => void
}>

type Limits = Required<Pick<GroupCommitLimits, 'maxStatements' | 'maxBytes'>>

/** Takes at least one batch and at most `most`. A batch that exceeds the limits forms its own group. */
const takeGroup = (queue: Waiting[], limits: Limits, most: number): readonly Waiting[] => {
  let statements = 0
  let bytes = 0
  let count = 0
  for (const waiting of queue.slice(0, most)) {
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
  'moving',
  'other',
]

const mayBlameOneBatch = (error: unknown): boolean =>
  error instanceof DatabaseError && error.outcome === 'none' && OF_ONE_BATCH.includes(error.kind)

/** Longest `patience`, in turns: about a third of the time of a commit. */
const MOST_PATIENCE = 15
/**
 * Turns in which the event loop reads requests are long. If a group waited until all callers have sent one, the callers, the
 * event loop and a server over the network would be idle in turn.
 */
const MOST_PATIENCE_MS = 2

type Resolve = (waiting: Waiting, result: BatchResult) => void

const commitGroup = async (
  commit: Commit,
  group: readonly Waiting[],
  resolve: Resolve,
): Promise<void> => {
  let results: readonly BatchResult[]
  try {
    results = await commit(group.map(({ batch }) => batch))
  } catch (error) {
    if (group.length === 1 || !mayBlameOneBatch(error)) {
      for (const { reject } of group) reject(error)
      return
    }
    const half = Math.ceil(group.length / 2)
    await commitGroup(commit, group.slice(0, half), resolve)
    await nextTurn()
    return commitGroup(commit, group.slice(half), resolve)
  }
  for (const [index, waiting] of group.entries()) resolve(waiting, results[index] ?? [])
}

/**
 * Sends groups as the pace allows. After a failure it splits the group, and sends no other until that is done.
 * @param commit writes one group atomically
 */
const createSender = (commit: Commit, pace: CommitPace) => {
  const underWay = new Set<Promise<void>>()
  /** Number of groups sent so far. */
  let sent = 0
  /** Number of groups being split. */
  let splitting = 0
  let wake: () => void = () => undefined

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const commitOrSplit = async (group: readonly Waiting[]): Promise<void> => {
    sent += 1
    const own = sent
    let tries = 0
    let end: 'answered' | 'failed' = 'answered'
    let isOvertaken = false
    const onEnded = pace.leave(group.length)
    const attempt: Commit = async (batches) => {
      tries += 1
      if (tries === 2) {
        splitting += 1
        isOvertaken = sent > own
      }
      try {
        return await commit(batches)
      } catch (error) {
        end = 'failed'
        throw error
      }
    }
    await commitGroup(attempt, group, ({ resolve, onQueued }, result) => {
      resolve(result)
      // batches that had to follow this one may have run before it
      if (isOvertaken) onQueued?.()
    })
    if (tries > 1) splitting -= 1
    onEnded(end)
    wake()
  }

  return {
    /** Waits until a group may be sent: for a time, or for the next answer. */
    ready: async (): Promise<void> => {
      let isLate = false
      for (;;) {
        const ms = splitting === 0 ? pace.waitMs() : Number.POSITIVE_INFINITY
        if (ms === 0) break
        await sleep(ms)
        isLate = true
      }
      // writers that respond to a commit with a new write join this group; without the turn, they would starve input and timers
      if (isLate) await nextTurn()
    },
    send: (group: readonly Waiting[]): void => {
      const ended = commitOrSplit(group)
      underWay.add(ended)
      void ended.finally(() => underWay.delete(ended))
    },
    settled: async (): Promise<void> => {
      await Promise.all(underWay)
    },
  }
}

/** Creates the group commit, which commits batches together that arrive together. @param commit writes one group atomically */
export const createGroupCommit = (
  commit: Commit,
  {
    maxStatements = 1_000,
    maxBytes = 4 * 1024 * 1024,
    pace = oneAtATime(),
  }: GroupCommitLimits = {},
): GroupCommit => {
  const queue: Waiting[] = []
  const sender = createSender(commit, pace)
  let isClosed = false
  let running: Promise<void> | null = null
  /** Turns that a group waits for other batches: more while others come, none for a lone writer. */
  let patience = 0

  const takeNext = (): readonly Waiting[] => {
    const group = takeGroup(queue, { maxStatements, maxBytes }, pace.share(queue.length))
    for (const { onTaken } of group) onTaken?.()
    // a claim that comes with its job does not count, because it must not make a lone writer wait
    const company = group.filter(({ isLast }) => !isLast).length
    patience = company > 1 ? Math.min(patience * 2 + 1, MOST_PATIENCE) : patience >> 1
    return group
  }

  const run = async (): Promise<void> => {
    // a lone writer also waits for the end of its turn, so that other writes of this turn join it
    const until = performance.now() + MOST_PATIENCE_MS
    for (let turn = 0; turn <= patience; turn += 1) {
      await nextTurn()
      if (performance.now() > until) break
    }
    while (queue.length > 0) {
      await sender.ready()
      sender.send(takeNext())
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
        queue.push({
          batch,
          bytes: sizeOfValues(batch),
          isLast,
          onQueued,
          onTaken,
          resolve,
          reject,
        })
        running ??= run()
        onQueued?.()
      }),
    close: async () => {
      isClosed = true
      await running
      await sender.settled()
    },
  }
}
