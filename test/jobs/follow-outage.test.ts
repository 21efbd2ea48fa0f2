/** Streams while the database does not answer. */
import { beforeAll, expect, it } from 'vitest'
import type { StreamEvent } from '#http/event-stream.ts'
import { followFlowRun } from '#http/handlers/follow-flow-run.ts'
import { followJob } from '#http/handlers/follow-job.ts'
import { followLog } from '#http/handlers/follow-log.ts'
import type { FollowRequest } from '#http/handlers/next-hint.ts'
import { createHints } from '#service/hints.ts'
import { type Database, DatabaseError, type DatabaseErrorKind } from '#store/database.ts'
import { openQueue, type Queue, WS } from '../support/open-queue.ts'
import { openTemporaryDatabase } from '../support/temporary-database.ts'

let queue: Queue
let id = ''
beforeAll(async () => {
  const opened = await openTemporaryDatabase()
  queue = await openQueue(opened.db)
  await queue.deploy({ key: 'greet' })
  id = await queue.enqueue()
  return opened.close
})

/** Every read fails twice. Each failure comes with a hint, so that no test waits for the next poll. */
const failingDeps = (kind: DatabaseErrorKind) => {
  const hints = createHints()
  const failures = new Map<string, number>()
  const fail = (text: string): void => {
    const before = failures.get(text) ?? 0
    if (before === 2) return
    failures.set(text, before + 1)
    for (const channel of ['jobChanged', 'jobLogged', 'flowChanged'] as const) {
      hints[channel].deliver(id)
    }
    throw new DatabaseError('The database did not answer.', { kind, outcome: 'none' })
  }
  const db: Database = {
    ...queue.db,
    one: async (statement, options) => {
      fail(statement.sql)
      return queue.db.one(statement, options)
    },
    all: async (statement) => {
      fail(statement.sql)
      return queue.db.all(statement)
    },
  }
  return { deps: { db, hints }, failures }
}

type Deps = ReturnType<typeof failingDeps>['deps']
type Follow = (deps: Deps, request: FollowRequest) => AsyncGenerator<StreamEvent>

const STREAMS: readonly (readonly [string, Follow, reads: number])[] = [
  ['job', followJob, 1],
  ['log', (deps, to) => followLog(deps, to, { format: 'text', tailBytes: 10 }), 3],
  // there is no run of this id, so only its status is read
  ['flow run', followFlowRun, 1],
]

it.each(STREAMS)(
  'the stream of a %s goes on when the database answers again',
  async (_, follow, reads) => {
    const { deps, failures } = failingDeps('unavailable')
    const left = new AbortController()
    const next = follow(deps, { ws: WS, id, signal: left.signal }).next()
    await expect.poll(() => [...failures.values()]).toEqual(Array.from({ length: reads }, () => 2))
    left.abort()
    await next
  },
)

it.each(STREAMS)('the stream of a %s ends when the database is damaged', async (_, follow) => {
  const { deps } = failingDeps('corrupt')
  const { signal } = new AbortController()
  await expect(follow(deps, { ws: WS, id, signal }).next()).rejects.toThrow(DatabaseError)
})

it.each(STREAMS)('the stream of a %s ends when its caller leaves meanwhile', async (_, follow) => {
  const { deps } = failingDeps('unavailable')
  const left = new AbortController()
  deps.hints.jobChanged.subscribe(id, () => left.abort())
  const { signal } = left
  await expect(follow(deps, { ws: WS, id, signal }).next()).rejects.toThrow(DatabaseError)
})
