/**
 * Group commit: writes that arrive in the same turn of the event loop, or while a commit is under way, go out together
 * in the next transaction. Over a distant network groups follow each other before the first is answered (commit-pace.ts). It is the main lever of speed: making a transaction durable costs the same for one write as
 * for a hundred.
 *
 * It guarantees: batches take effect in the order in which they came, except that those marked `last` go behind the others
 * of their group, and that a group which is narrowed down comes behind those that had left before it failed, which is why
 * `onQueued` is called again then; each caller gets the results of its own batch and
 * never the failure of a neighbour; between two groups the event loop runs.
 * It leaves to the backend: atomicity, durability, retries. `commit` fails by DatabaseError. A failure that one batch
 * may be to blame for is narrowed down by halves; a lost connection, a lock or an unknown outcome concerns the whole
 * group.
 */
import { setImmediate } from 'node:timers'
import { sizeOfValues } from './batch.ts'
import { type CommitPace, oneAtATime } from './commit-pace.ts'
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
  /** When groups leave. @default one at a time */
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

/** At least one, at most `most`; a batch beyond the bounds goes alone. */
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

/** About a third of what a commit takes. */
const MOST_PATIENCE = 15

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

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

/** Waits until a group may leave: for a time, or for the next answer. */
const createDeparture = (pace: CommitPace, isFree: () => boolean) => {
  let wake: () => void = () => undefined
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  return {
    onAnswer: () => wake(),
    wait: async (): Promise<void> => {
      let isLate = false
      for (;;) {
        const ms = isFree() ? pace.waitMs() : Number.POSITIVE_INFINITY
        if (ms === 0) break
        await sleep(ms)
        isLate = true
      }
      // writers that answer a commit by the next write come along, and would otherwise keep input and timers out for ever
      if (isLate) await nextTurn()
    },
  }
}

/** Creates what commits batches that arrive together as one. @param commit writes one group atomically */
export const createGroupCommit = (
  commit: Commit,
  {
    maxStatements = 1_000,
    maxBytes = 4 * 1024 * 1024,
    pace = oneAtATime(),
  }: GroupCommitLimits = {},
): GroupCommit => {
  const queue: Waiting[] = []
  const underWay = new Set<Promise<void>>()
  const departure = createDeparture(pace, () => narrowed === 0)
  let isClosed = false
  let running: Promise<void> | null = null
  /** Groups that have left. */
  let left = 0
  /** Groups that are narrowed down: meanwhile no other leaves. */
  let narrowed = 0

  /** Turns that a group waits for company: more while it comes, none for a lone writer. */
  let patience = 0

  const takeNext = (): readonly Waiting[] => {
    const group = takeGroup(queue, { maxStatements, maxBytes }, pace.share(queue.length))
    for (const { onTaken } of group) onTaken?.()
    // a claim that comes with its job does not count: it must not make a lone writer wait
    const company = group.filter(({ isLast }) => !isLast).length
    patience = company > 1 ? Math.min(patience * 2 + 1, MOST_PATIENCE) : patience >> 1
    return group
  }

  const send = async (group: readonly Waiting[]): Promise<void> => {
    left += 1
    const own = left
    let tries = 0
    let end: 'answered' | 'failed' = 'answered'
    let isOvertaken = false
    const onEnded = pace.leave(group.length)
    const attempt: Commit = async (batches) => {
      tries += 1
      if (tries === 2) {
        narrowed += 1
        isOvertaken = left > own
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
      // what was to come behind this batch may have run before it
      if (isOvertaken) onQueued?.()
    })
    if (tries > 1) narrowed -= 1
    onEnded(end)
    departure.onAnswer()
  }
  const depart = (group: readonly Waiting[]): void => {
    const sent = send(group)
    underWay.add(sent)
    void sent.finally(() => underWay.delete(sent))
  }

  const run = async (): Promise<void> => {
    // also a lone writer waits for the end of its turn: its neighbours of this turn come along
    for (let turn = 0; turn <= patience; turn += 1) await nextTurn()
    while (queue.length > 0) {
      await departure.wait()
      depart(takeNext())
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
      await Promise.all(underWay)
    },
  }
}
