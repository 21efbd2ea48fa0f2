/** What a cancel reads and writes, because a script may repeat it without end [jobs 15.10]. */
import { beforeAll, expect, it } from 'vitest'
import { cancelJob } from '#service/queue/cancel-job.ts'
import { cancelWork } from '#service/starts/cancel-work.ts'
import type { Row, Statement } from '#store/database.ts'
import { completeJob } from '../support/complete-job.ts'
import { APP, BY, openQueue, type Queue, WS } from '../support/open-queue.ts'
import { memberSession } from '../support/principals.ts'
import { openTemporaryDatabase } from '../support/temporary-database.ts'

const MEGABYTE = 1_048_576
/** Far more characters than the columns of a job without its texts. */
const FEW = 10_000
const CALLER = { ws: WS, claim: null, createdBy: `function:${APP}/stop`, permissionedAs: BY }

let queue: Queue

beforeAll(async () => {
  const opened = await openTemporaryDatabase()
  queue = await openQueue(opened.db)
  await queue.deploy({ key: 'greet' })
  return opened.close
})

/** Counts the characters that are read, and the writes. */
const watch = () => {
  const counted = { read: 0, writes: 0 }
  const count = (found: Row | readonly Row[] | null): void => {
    counted.read += JSON.stringify(found).length
  }
  const one = async (statement: Statement) => {
    const found = await queue.db.one(statement)
    count(found)
    return found
  }
  const all = async (statement: Statement) => {
    const found = await queue.db.all(statement)
    count(found)
    return found
  }
  const write: Queue['db']['write'] = (...args) => {
    counted.writes += 1
    return queue.db.write(...args)
  }
  return { counted, deps: { ...queue.deps, db: { ...queue.db, one, all, write } } }
}

const endedJob = async (): Promise<string> => {
  const id = await queue.enqueue()
  const [job] = await queue.claim(1)
  if (job === undefined) throw new Error('There was nothing to claim.')
  const resultJson = JSON.stringify('x'.repeat(MEGABYTE))
  const outcome = { kind: 'success', resultJson } as const
  await completeJob(queue.deps, { job, outcome, retry: null, logs: [] })
  return id
}

it('reads no result of a job that has ended, and writes nothing', async () => {
  const id = await endedJob()
  const { counted, deps } = watch()
  expect(await cancelWork(deps, CALLER, { id, reason: null })).toBe(false)
  expect(counted.read).toBeLessThan(FEW)
  expect(counted.writes).toBe(0)
})

it('reads no result for a request to cancel', async () => {
  const id = await endedJob()
  const { counted, deps } = watch()
  const caller = memberSession(BY)
  await cancelJob(deps, { ws: WS, id, caller, reason: null })
  expect(counted.read).toBeLessThan(FEW)
})

it('writes one mark for a running job, however often it is canceled', async () => {
  const id = await queue.enqueue()
  await queue.claim(1)
  const { counted, deps } = watch()
  const cancel = () => cancelWork(deps, CALLER, { id, reason: null })
  expect([await cancel(), await cancel(), await cancel()]).toEqual([true, true, true])
  expect(counted.writes).toBe(1)
})
