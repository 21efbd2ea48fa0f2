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

type Started = Readonly<{ host?: string; reached?: readonly string[]; isStopping?: boolean }>

/** Starts a server. @returns what it warns of */
const start = async (
  id: number,
  baseUrl: string | undefined,
  { host = hostname(), reached = [], isStopping = false }: Started = {},
): Promise<readonly unknown[]> => {
  const warn = vi.fn()
  const address = `http://10.0.0.1:${id}`
  const node = { id: `${id}`, role: 'server', name: 'n', version: '1', workerJson: null } as const
  await opened.db.write(insertNode({ ...node, host, address }))
  const joined = [...reached]
  await warnOfBaseUrl({ baseUrl }, opened.db, {
    reached: () => joined,
    log: { warn },
    isStopping: () => isStopping,
    joinMs: 1,
  })
  return warn.mock.calls.map(([, fields]) => fields)
}
const [ONE, TWO] = ['https://one.example.com', 'https://two.example.com']

test('names the addresses if another node has another one', async () => {
  expect(await start(1, ONE)).toEqual([])
  expect(await start(2, `${ONE}/`, { reached: ['1'] })).toEqual([])
  expect(await start(3, TWO, { reached: ['1', '2'] })).toEqual([{ own: TWO, other: ONE }])
})

test('is silent once all nodes have the same, and without the setting', async () => {
  await start(1, ONE)
  await start(2, TWO, { reached: ['1'] })
  expect(await start(1, TWO, { reached: ['2'] })).toEqual([])
  expect(await start(3, undefined, { reached: ['2'] })).toEqual([])
})

test('is silent if the only server starts with another one, also on a renamed host', async () => {
  await start(1, ONE, { host: 'before' })
  // the row of the process that was killed is still there, and a worker is on the bus
  expect(await start(1, TWO, { host: 'after', reached: ['worker'] })).toEqual([])
})

test('is silent if the node stops before it can know', async () => {
  await start(1, ONE)
  expect(await start(2, TWO, { reached: ['1'], isStopping: true })).toEqual([])
})
