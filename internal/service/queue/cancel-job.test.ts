import { beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '#store/database.ts'
import { completeJob } from '../../../test/support/complete-job.ts'
import { BY, WS } from '../../../test/support/open-queue.ts'
import { adminSession, customerKey, memberSession } from '../../../test/support/principals.ts'
import { workspaceForFile } from '../../../test/support/test-workspace.ts'
import { cancelJob } from './cancel-job.ts'

const place = await workspaceForFile()
await place.deploy({ key: 'greet' })
let id = ''
beforeEach(async () => {
  id = await place.enqueue()
})

const CREATOR = memberSession(BY)
const cancel = (caller = CREATOR, reason: string | null = null) =>
  cancelJob(place.deps, { ws: WS, id, caller, reason })
const claim = async () => {
  const job = (await place.claim(1_000)).find((claimed) => claimed.id === id)
  if (job === undefined) throw new Error('The job was not claimed.')
  return job
}
const errorOf = async (): Promise<unknown> =>
  JSON.parse(String((await place.row(id)).result ?? 'null'))

describe('a queued job', () => {
  test('is canceled at once, by its creator', async () => {
    await cancel(CREATOR, 'Not needed.')
    expect(await place.row(id)).toMatchObject({ status: 'canceled' })
    expect(JSON.stringify(await errorOf())).toContain('Not needed.')
  })

  test('names the caller where no reason is given', async () => {
    await cancel(adminSession('root@example.com'))
    expect(JSON.stringify(await errorOf())).toContain('Canceled by root@example.com.')
  })

  test('wakes those who wait for it', async () => {
    const heard: string[] = []
    const stop = place.deps.hints.jobChanged.subscribe(id, () => heard.push(id))
    await cancel()
    stop()
    expect(heard).toEqual([id])
  })

  test('is not claimed afterwards', async () => {
    await cancel()
    expect((await place.claim(1_000)).map((job) => job.id)).not.toContain(id)
  })
})

describe('a running job', () => {
  test('is marked with caller and reason, and its worker gets a hint', async () => {
    await claim()
    const heard: string[] = []
    const stop = place.deps.hints.cancelRequested.subscribe((key) => heard.push(key))
    await cancel(CREATOR, 'Too slow.')
    stop()
    expect(await place.row(id)).toMatchObject({
      status: 'running',
      cancel_by: BY,
      cancel_reason: 'Too slow.',
    })
    expect(heard).toEqual([id])
  })

  test('keeps the first reason when it is canceled again', async () => {
    await claim()
    await cancel(CREATOR, 'First.')
    await cancel(CREATOR, 'Second.')
    expect(await place.row(id)).toMatchObject({ cancel_reason: 'First.' })
  })
})

describe('whose write is repeated because its answer was lost', () => {
  const cancelTwice = () => {
    const { db } = place.deps
    const repeated: Database = {
      ...db,
      write: async (batch, options) => {
        await db.write(batch, options)
        return db.write(batch, options)
      },
    }
    const deps = { ...place.deps, db: repeated }
    return cancelJob(deps, { ws: WS, id, caller: CREATOR, reason: null })
  }

  test('answers that it ended a queued job, and wakes those who wait for it', async () => {
    const heard: string[] = []
    const stop = place.deps.hints.jobChanged.subscribe(id, () => heard.push(id))
    expect(await cancelTwice()).toMatchObject({ completedNow: true, alreadyCompleted: false })
    stop()
    expect(heard).toEqual([id])
    expect(await cancel()).toMatchObject({ completedNow: false, alreadyCompleted: true })
  })

  test('gives the worker of a running job a hint', async () => {
    await claim()
    const heard: string[] = []
    const stop = place.deps.hints.cancelRequested.subscribe((key) => heard.push(key))
    expect(await cancelTwice()).toMatchObject({ softCanceled: true })
    stop()
    expect(heard).toEqual([id])
  })
})

test('a job that has ended stays as it is', async () => {
  const job = await claim()
  const outcome = { kind: 'success', resultJson: '1' } as const
  await completeJob(place.deps, { job, outcome, retry: null, logs: [] })
  await cancel()
  expect(await place.row(id)).toMatchObject({ status: 'success', cancel_by: null })
})

describe('is refused', () => {
  test('for a member who did not create the job', async () => {
    await expect(cancel(memberSession('eve@example.com'))).rejects.toMatchObject({
      kind: 'forbidden',
    })
    expect(await place.row(id)).toMatchObject({ status: 'queued' })
  })

  test('for a customer, even of the own job', async () => {
    const caller = customerKey('c1')
    await expect(cancelJob(place.deps, { ws: WS, id, caller, reason: null })).rejects.toMatchObject(
      { kind: 'forbidden' },
    )
  })

  test('as not found in another workspace', async () => {
    const caller = adminSession('root@example.com')
    await expect(
      cancelJob(place.deps, { ws: 'other', id, caller, reason: null }),
    ).rejects.toMatchObject({ kind: 'not_found' })
  })
})
