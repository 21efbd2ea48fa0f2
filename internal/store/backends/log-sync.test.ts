import { expect, test } from 'vitest'
import { createLogSync } from './log-sync.ts'

const failure = new Error('EIO')

/** A log whose syncs are ended by the test. */
const openLog = () => {
  const syncs: PromiseWithResolvers<void>[] = []
  const syncLog = (): Promise<void> => {
    const sync = Promise.withResolvers<void>()
    syncs.push(sync)
    return sync.promise
  }
  return { syncs, connection: { syncLog, rewriteLog: syncLog } }
}

test('a sync that succeeds after another failed proves nothing until the log is written again', async () => {
  const { syncs, connection } = openLog()
  const log = createLogSync()
  const reader = log.sync(connection, 'none')
  const writer = log.sync(connection, 'unknown')
  syncs[0]?.reject(failure)
  await expect(reader).rejects.toMatchObject({ kind: 'io', outcome: 'none' })
  syncs[1]?.resolve()
  await expect(writer).rejects.toMatchObject({ kind: 'io', outcome: 'unknown' })
  expect(log.isLost()).toBe(true)
  const restored = log.restore(connection)
  syncs[2]?.resolve()
  await restored
  expect(log.isLost()).toBe(false)
})

test('a sync that fails while the log is written again may have lost it again', async () => {
  const { syncs, connection } = openLog()
  const log = createLogSync()
  log.noteLoss()
  const reader = log.sync(connection, 'none')
  const restored = log.restore(connection)
  syncs[0]?.reject(failure)
  await expect(reader).rejects.toThrow('EIO')
  syncs[1]?.resolve()
  await expect(restored).rejects.toMatchObject({ kind: 'io' })
  expect(log.isLost()).toBe(true)
})
