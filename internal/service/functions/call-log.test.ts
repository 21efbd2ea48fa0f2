import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFunctionCalls } from '#store/apps/function-calls.ts'
import { writeState } from '#store/apps/state.ts'
import { insertApps, OLD_APP } from '../../../test/support/insert-apps.ts'
import { losingAnswers } from '../../../test/support/lost-answers.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../test/support/temporary-database.ts'
import { createStorageMeter } from '../workspaces/storage-meter.ts'
import { type CallLog, createCallLog } from './call-log.ts'

const QUOTA = 10

let place: TemporaryDatabase
beforeAll(async () => {
  place = await openTemporaryDatabase()
  for (const ws of ['shop', 'bank']) await insertApps(place.db, ws, ['app'])
})
afterAll(() => place.close())

const open = (warnings: string[] = []): CallLog =>
  createCallLog(
    {
      db: losingAnswers(place.db),
      storage: createStorageMeter({ reads: place.db, now: Date.now, quotaBytes: QUOTA }),
    },
    { warn: (message) => void warnings.push(message) },
  )

const call = (ws: string, name: string) => ({
  ws,
  app: 'app',
  name,
  id: `${ws}-${name}`,
  requestId: 'r',
  method: 'GET',
  status: 200,
  durationMs: 1,
  error: null,
  log: 'line',
})

const logsOf = async (ws: string, name: string) => {
  const page = { beforeId: null, limit: 10 }
  const calls = await listFunctionCalls(place.db, { ws, app: 'app', name }, page)
  return calls.map(({ log }) => log)
}

test('calls are recorded once, without a warning, although the answer of their write was lost', async () => {
  const warnings: string[] = []
  const calls = open(warnings)
  calls.add(call('bank', 'once'))
  await calls.close()
  expect(await logsOf('bank', 'once')).toEqual(['line'])
  expect(warnings).toEqual([])
})

test('the logs of a workspace at its storage quota are left out, and of no other', async () => {
  const state = { ws: 'shop', app: 'app', key: 'a', id: '1', writer: OLD_APP }
  await place.db.write([writeState({ ...state, json: '"a long text"' })])
  const calls = open()
  calls.add(call('shop', 'full'))
  calls.add(call('bank', 'full'))
  await calls.close()
  expect(await logsOf('shop', 'full')).toEqual([null])
  expect(await logsOf('bank', 'full')).toEqual(['line'])
})
