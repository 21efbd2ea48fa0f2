import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { sql } from '#store/sql.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../test/support/temporary-database.ts'
import { warnOfNames } from './warn-of-names.ts'

let opened: TemporaryDatabase
beforeAll(async () => {
  opened = await openTemporaryDatabase()
  await opened.db.write([
    sql`INSERT INTO workspaces (id, name, wrapped_key, created_at) VALUES ('shop', 'Shop', '', 0)`,
    sql`INSERT INTO workspace_cells (ws, cell, changed_at) VALUES ('far', 'seoul', 0)`,
  ])
})
afterAll(() => opened.close())

const warningsWith = async (
  settings: Readonly<Record<string, string>>,
  isWorker: boolean,
): Promise<readonly unknown[]> => {
  const warn = vi.fn()
  const { config } = loadConfig({ flags: {}, env: settings })
  await warnOfNames(config, opened.db, { isWorker, log: { warn } })
  return warn.mock.calls.map(([, fields]) => fields)
}
const CELLS = { SVC_CELLS: 'seoul=http://127.0.0.1:9' }

test('names the workspaces of a worker that do not exist', async () => {
  const settings = { ...CELLS, SVC_WORKSPACES: 'shop,far,nosuch,typo' }
  expect(await warningsWith(settings, true)).toEqual([{ workspaces: ['nosuch', 'typo'] }])
  expect(await warningsWith(settings, false)).toEqual([])
})

test('names the cells with workspaces that the settings lack', async () => {
  expect(await warningsWith({}, false)).toEqual([{ cells: ['seoul'] }])
  expect(await warningsWith(CELLS, false)).toEqual([])
})
