/** Writes of state are fenced by the attempt that makes them. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { StateOwner } from '#store/apps/state.ts'
import type { Database } from '#store/database.ts'
import { completeJob } from '../../../test/support/complete-job.ts'
import { APP, openQueue, type Queue, WS } from '../../../test/support/open-queue.ts'
import { overtakenBy } from '../../../test/support/overtaken-by.ts'
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts'
import { handBackJobs } from '../queue/hand-back-jobs.ts'
import { rescueJobs } from '../queue/rescue-jobs.ts'
import { openAppState, requireStateApp } from './app-state.ts'

let queue: Queue
beforeAll(async () => {
  const opened = await openTemporaryDatabase()
  queue = await openQueue(opened.db)
  await queue.deploy({ key: 'greet' })
  return opened.close
})

const claimOne = async () => {
  const id = await queue.enqueue()
  const job = (await queue.claim(100)).find((claimed) => claimed.id === id)
  if (job === undefined) throw new Error('The job was not claimed.')
  const claim = { ws: WS, id, attempt: job.attempt }
  return { id, job, state: openAppState(queue.deps, { ws: WS, app: APP, writer: { claim } }) }
}
type Claimed = Awaited<ReturnType<typeof claimOne>>

const ends: readonly (readonly [string, (claimed: Claimed) => Promise<unknown>])[] = [
  [
    'it has completed',
    ({ job }) =>
      completeJob(queue.deps, {
        job,
        outcome: { kind: 'success', resultJson: '1' },
        retry: null,
        logs: [],
      }),
  ],
  [
    'its worker has handed it back',
    ({ job }) => handBackJobs(queue.deps, { jobs: [{ claim: job, started: true }] }),
  ],
  [
    'it was rescued from its lost worker',
    async ({ id }) => {
      await queue.expire(id)
      await rescueJobs(queue.deps)
    },
  ],
  [
    'a later attempt holds the job',
    async ({ job }) => {
      await handBackJobs(queue.deps, { jobs: [{ claim: job, started: true }] })
      await queue.claim(100)
    },
  ],
]

describe.each(ends)('an attempt writes no state once %s', (_, end) => {
  let claimed: Claimed
  const reader = async () => openAppState(queue.deps, await requireStateApp(queue.deps, WS, APP))
  beforeEach(async () => {
    claimed = await claimOne()
    await claimed.state.set('kept', '1')
    await end(claimed)
  })

  test('set is refused', async () => {
    await expect(claimed.state.set('late', '1')).rejects.toMatchObject({ kind: 'conflict' })
    expect(await (await reader()).get('late')).toBeNull()
  })

  test('compareAndSet is refused', async () => {
    const refused = claimed.state.compareAndSet('late', '1', null)
    await expect(refused).rejects.toMatchObject({ kind: 'conflict' })
    expect(await (await reader()).get('late')).toBeNull()
  })

  test('delete is refused', async () => {
    await expect(claimed.state.delete('kept')).rejects.toMatchObject({ kind: 'conflict' })
    expect((await (await reader()).get('kept'))?.json).toBe('1')
  })
})

describe('a delete', () => {
  let owner: StateOwner
  beforeAll(async () => {
    owner = await requireStateApp(queue.deps, WS, APP)
  })
  const open = (db: Database) => openAppState({ ...queue.deps, db }, owner)

  test('that is repeated after a lost answer leaves what others have written since', async () => {
    const { db } = queue.deps
    await open(db).set('lock', '"a"')
    const write: Database['write'] = async (batch, options) => {
      await db.write(batch, options)
      expect(await open(db).compareAndSet('lock', '"b"', null)).toBe(true)
      return db.write(batch, options)
    }
    await open({ ...db, write }).delete('lock')
    expect((await open(db).get('lock'))?.json).toBe('"b"')
  })

  test('that comes after another write deletes what it wrote', async () => {
    const { db } = queue.deps
    await open(db).set('busy', '"a"')
    await open(overtakenBy({ db }, () => open(db).set('busy', '"b"')).db).delete('busy')
    expect(await open(db).get('busy')).toBeNull()
  })

  test('that comes after many other writes deletes what they made of the value', async () => {
    const { db } = queue.deps
    await open(db).set('count', '0')
    const writeMany = async (): Promise<void> => {
      for (let n = 1; n < 10; n += 1) {
        const found = await open(db).get('count')
        expect(await open(db).compareAndSet('count', `${n}`, found?.version ?? null)).toBe(true)
      }
    }
    await open(overtakenBy({ db }, writeMany).db).delete('count')
    expect(await open(db).get('count')).toBeNull()
  })
})

describe('a request for state', () => {
  test('names a deployed app', async () => {
    expect(await requireStateApp(queue.deps, WS, APP)).toMatchObject({ app: APP })
  })

  test('is refused without an app', async () => {
    await expect(requireStateApp(queue.deps, WS, null)).rejects.toMatchObject({ code: 'no_app' })
  })

  test('is refused for an app of another workspace', async () => {
    await expect(requireStateApp(queue.deps, 'other', APP)).rejects.toMatchObject({
      code: 'app_not_found',
    })
  })
})
