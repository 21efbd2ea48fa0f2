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
