/** Servers are listed in the order in which they registered, however close together: the later of two joins the earlier. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { insertNode, listServers, pingNode } from '#store/nodes/nodes.ts'
import { createTestApp, type TestApp } from '../support/create-test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(() => app.close())

const node = (id: string) => ({
  id,
  role: 'server' as const,
  name: id,
  host: 'a',
  version: '1',
  address: `http://127.0.0.1:${id}`,
  workerJson: null,
})
const listed = async () => (await listServers(app.deps.db, 60_000)).servers.map(({ id }) => id)

it('lists servers as they registered, not by id, and a ping changes no place', async () => {
  const { db } = app.deps
  // in one commit and therefore in one millisecond
  await db.write(['30', '10', '20'].flatMap((id) => insertNode(node(id))))
  expect(await listed()).toEqual(['30', '10', '20'])
  await db.write([pingNode(node('30'))])
  expect(await listed()).toEqual(['30', '10', '20'])
})
