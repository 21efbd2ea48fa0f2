import { expect, test } from 'vitest'
import { listFunctionCalls } from '#store/apps/function-calls.ts'
import { writeState } from '#store/apps/state.ts'
import { insertApps, OLD_APP } from '../../../test/support/insert-apps.ts'
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts'
import { createStorageMeter } from '../workspaces/storage-meter.ts'
import { createCallLog } from './call-log.ts'

test('leaves out the logs of a workspace at its storage quota, and of no other', async () => {
  const { db, close } = await openTemporaryDatabase()
  for (const ws of ['shop', 'bank']) await insertApps(db, ws, ['app'])
  const state = { ws: 'shop', app: 'app', key: 'a', id: '1', writer: OLD_APP }
  await db.write([writeState({ ...state, json: '"a long text"' })])
  const storage = createStorageMeter({ reads: db, now: Date.now, quotaBytes: 10 })
  const calls = createCallLog({ db, storage }, { warn: () => undefined })
  const call = {
    app: 'app',
    name: 'f',
    method: 'GET',
    status: 200,
    durationMs: 1,
    error: null,
    log: 'line',
    requestId: 'r',
  }
  calls.add({ ...call, ws: 'shop', id: '1' })
  calls.add({ ...call, ws: 'bank', id: '2' })
  await calls.close()
  const logsOf = async (ws: string) => {
    const page = { beforeId: null, limit: 10 }
    return (await listFunctionCalls(db, { ws, app: 'app', name: 'f' }, page)).map(({ log }) => log)
  }
  expect(await logsOf('shop')).toEqual([null])
  expect(await logsOf('bank')).toEqual(['line'])
  await close()
})
