import { expect, test } from 'vitest'
import { workspaceForFile } from '../../test/support/test-workspace.ts'
import { listDueNotifications } from './notifications.ts'
import { sql } from './sql.ts'

const place = await workspaceForFile()

/** Inserts notifications that have been due since `at`. */
const due = (ws: string, count: number, at: number) =>
  place.deps.db.write([
    sql`INSERT INTO notifications (ws, id, event, subject, target, next_at, created_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      SELECT ${ws}, 'test:' || i, 'test', i, '{"webhook":"https://example.com"}', ${at}, ${at} FROM n`,
  ])

test('a workspace does not wait for the backlogs of others, however long they are', async () => {
  await due('a', 3_000, 1)
  await due('b', 3_000, 2)
  await due('c', 2, 3)
  const found = await listDueNotifications(place.deps.db, { limit: 6 })
  expect(found.map(({ ws }) => ws)).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
  expect(new Set(found.map(({ ws, id }) => `${ws} ${id}`)).size).toBe(6)
})

test('a backlog longer than one look passes over hides no other workspace', async () => {
  await place.deps.db.write([sql`DELETE FROM notifications`])
  await due('a', 110_000, 1)
  await due('b', 2, 2)
  const { db } = place.deps
  expect((await listDueNotifications(db, { limit: 3 })).map(({ ws }) => ws)).toEqual([
    'a',
    'b',
    'a',
  ])
  const others = await listDueNotifications(db, { limit: 3, except: ['a'] })
  expect(others.map(({ ws }) => ws)).toEqual(['b', 'b'])
})
