import { expect, test } from 'vitest'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { raiseFence } from '#store/workspaces/fence.ts'
import { findHeldWorkspace } from '#store/workspaces/held.ts'
import { holdForMove } from '#store/workspaces/moved.ts'
import { workspaceForFile } from '../../../test/support/test-workspace.ts'
import { restore } from './undo-move.ts'

const place = await workspaceForFile()

test('a restored workspace keeps the fence of a move that began meanwhile', async () => {
  const { db } = place.deps
  const ws = await place.addWorkspace('fenced')
  await db.write([holdForMove({ ws, fileId: 'old' }), ...raiseFence(ws)])
  const later = { ws, fileId: 'later' }
  let isLate = false
  /** Between the look-up of this command and its write, another one ends the move and begins the next. */
  const overtake = async (): Promise<void> => {
    if (isLate) return
    isLate = true
    await restore(db, { ws, fileId: 'old' })
    await db.write([holdForMove(later), ...raiseFence(ws)])
  }
  const slow: Database = Object.assign(Object.create(db), {
    write: async (...args: Parameters<Database['write']>) => {
      await overtake()
      return db.write(...args)
    },
  })
  await restore(slow, { ws, fileId: 'old' })
  expect(await findHeldWorkspace(db, ws)).toEqual(later)
  const rename = () => db.write([sql`UPDATE workspaces SET name = 'other' WHERE id = ${ws}`])
  await expect(rename()).rejects.toMatchObject({ kind: 'moving' })
  await restore(db, later)
  await rename()
  expect(await findHeldWorkspace(db, ws)).toBeNull()
})
