import { hostname } from 'node:os'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { insertNode } from '#store/nodes/nodes.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../test/support/temporary-database.ts'
import { warnOfBaseUrl } from './warn-of-base-url.ts'

let opened: TemporaryDatabase
beforeEach(async () => {
  opened = await openTemporaryDatabase()
})
afterEach(() => opened.close())

/** Starts a server. @returns what it warns of */
const start = async (port: number, baseUrl: string | undefined): Promise<readonly unknown[]> => {
  const warn = vi.fn()
  const address = `http://10.0.0.1:${port}`
  const node = { id: `${port}`, role: 'server', name: 'n', version: '1', workerJson: null } as const
  await opened.db.write(insertNode({ ...node, host: hostname(), address }))
  await warnOfBaseUrl({ baseUrl }, opened.db, { address, log: { warn } })
  return warn.mock.calls.map(([, fields]) => fields)
}
const [ONE, TWO] = ['https://one.example.com', 'https://two.example.com']

test('names the addresses if another node has another one', async () => {
  expect(await start(1, ONE)).toEqual([])
  expect(await start(2, `${ONE}/`)).toEqual([])
  expect(await start(3, TWO)).toEqual([{ own: TWO, other: ONE }])
})

test('is silent once all nodes have the same, and without the setting', async () => {
  await start(1, ONE)
  await start(2, TWO)
  expect(await start(1, TWO)).toEqual([])
  expect(await start(3, undefined)).toEqual([])
})

test('is silent if the only node starts with another one', async () => {
  await start(1, ONE)
  expect(await start(1, TWO)).toEqual([])
})
