/** Which due notifications are sent while receivers of other workspaces do not answer [notifications 2.9]. */
import { expect, test } from 'vitest'
import { insertTest } from '#store/notifications.ts'
import { sql } from '#store/sql.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { workspaceForFile } from '../../../test/support/test-workspace.ts'
import { createSending, type SendDeps, startDueNotifications } from './send-due.ts'

const place = await workspaceForFile()
const target = { webhook: 'http://receiver.example/' }
const deps: SendDeps = {
  ...place.deps,
  postTo: async () => 200,
  sendMail: async () => undefined,
  signWebhook: async () => '',
  baseUrl: null,
}

test('a workspace without attempts is served although forty others have older notifications that are due', async () => {
  const sending = createSending()
  const busy = Array.from({ length: 40 }, (_, at) => `busy-${at}`)
  for (const ws of busy) {
    sending.places.take(ws)
    sending.open.add(ws, 1)
  }
  await place.db.write([
    ...busy.map((ws) => insertTest(ws, { id: 'older', target })),
    sql`UPDATE notifications SET next_at = next_at - 60000`,
    insertTest(WS, { id: 'newer', target }),
  ])
  const { attempts } = await startDueNotifications(deps, sending)
  const sent = await Promise.all(attempts)
  expect(sent).toMatchObject([{ notification: { ws: WS }, isDelivered: true }])
})
