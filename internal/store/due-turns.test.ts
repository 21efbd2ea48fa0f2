/** Workspaces take turns at what a scheduler does for all of them. */
import { expect, test } from 'vitest'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import { workspaceForFile } from '../../test/support/test-workspace.ts'
import { listDueGitSources } from './apps/git-sources.ts'
import { listRunningOperations } from './operations.ts'
import { sql } from './sql.ts'

const place = await workspaceForFile()
for (const id of ['many', 'few']) await createWorkspace(place.deps, { id, name: id })

test('operations of a workspace with many do not keep others waiting', async () => {
  const { db } = place.deps
  const start = (ws: string, id: string) =>
    sql`INSERT INTO operations (id, ws, kind, status, matched, filter, created_by, holds_apps_write, created_at)
      VALUES (${id}, ${ws}, 'cancel', 'running', 1, '{}', 'a@b.c', 0, 0)`
  await db.write([
    ...['1', '2', '3', '4'].map((id) => start('many', id)),
    ...['8', '9'].map((id) => start('few', id)),
  ])
  const list = async (afterId: string, limit: number) =>
    (await listRunningOperations(db, { afterId, limit })).map(({ id }) => id)
  expect(await list('', 9)).toEqual(['1', '8', '2', '9', '3', '4'])
  expect(await list('2', 3)).toEqual(['3', '8', '4'])
})

test('git sources of a workspace with many do not keep others waiting', async () => {
  const { db } = place.deps
  const add = (ws: string, id: string, syncedAt: number) =>
    sql`INSERT INTO git_sources (id, ws, name, url, path, auto_sync_s, last_sync_at, created_by, created_at)
      VALUES (${id}, ${ws}, ${id}, 'https://example.com/x', '', 10, ${syncedAt}, 'a@b.c', 0)`
  await db.write([
    ...[1, 2, 3, 4].map((at) => add('many', `m${at}`, at)),
    ...[8, 9].map((at) => add('few', `f${at}`, at)),
  ])
  const found = await listDueGitSources(db, 4)
  expect(found.map(({ id }) => id)).toEqual(['m1', 'f8', 'm2', 'f9'])
})
