import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, DatabaseError, type DatabaseErrorKind } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { findPlaceEntry } from '#store/workspaces/cells.ts'
import { findHeldWorkspace } from '#store/workspaces/held.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../test/support/temporary-database.ts'
import { openTestWorkspace, type TestWorkspace } from '../../../test/support/test-workspace.ts'
import { checkInstanceKey } from '../bootstrap.ts'
import { moveWorkspace } from './move-workspace.ts'

let place: TestWorkspace
let cell: TemporaryDatabase
beforeAll(async () => {
  place = await openTestWorkspace()
  cell = await openTemporaryDatabase()
  await checkInstanceKey({ ...place.deps, db: cell.db })
})
afterAll(async () => {
  await cell.close()
  await place.close()
})

/** The cell, which refuses every write from the first row of the workspace on. */
const failing = (kind: DatabaseErrorKind): Database => {
  let hasFailed = false
  return Object.assign(Object.create(cell.db), {
    write: async (...[statements, options]: Parameters<Database['write']>) => {
      hasFailed ||= JSON.stringify(statements).includes('INSERT INTO members')
      if (hasFailed) throw new DatabaseError(`It is ${kind}.`, { kind, outcome: 'none' })
      return cell.db.write(statements, options)
    },
  })
}

const move = (ws: string, db: Database) =>
  moveWorkspace(
    {
      ...place.deps,
      home: place.deps.db,
      furtherCells: () => [{ name: 'eu', db }],
      passFault: () => undefined,
    },
    { ws, to: 'eu', drainMs: 0, sleep: async () => undefined },
  )

test.each<DatabaseErrorKind>(['too_large', 'full', 'unavailable'])(
  'serves a workspace where it was when the other database is %s',
  async (kind) => {
    const { db } = place.deps
    const ws = await place.addWorkspace(`w-${kind.replace('_', '-')}`)
    await place.addPerson('person@example.com', 'member', ws)
    await expect(move(ws, failing(kind))).rejects.toMatchObject({ kind })
    expect((await findPlaceEntry(db, ws))?.movingTo ?? null).toBeNull()
    expect(await findHeldWorkspace(db, ws)).toBeNull()
    await db.write([sql`UPDATE workspaces SET name = 'other' WHERE id = ${ws}`])
    await move(ws, cell.db)
    expect(await findPlaceEntry(db, ws)).toMatchObject({ cell: 'eu', movingTo: null })
  },
)

test('a run that waits for a concurrency slot waits in the other database too', async () => {
  const ws = await place.addWorkspace('w-places')
  // the run that waits is copied before the one that holds the slot
  const runs = [
    { id: '01a00000-0000-7000-8000-000000000001', state: 'waiting' },
    { id: '01a00000-0000-7000-8000-000000000002', state: 'holding' },
  ]
  const { db } = place.deps
  await db.write([
    sql`INSERT INTO deployments (id, ws, app, commit_id, source, manifest, created_by, created_at)
      VALUES ('d-places', ${ws}, 'shop', 'c', 'upload', '{}', 'ada', 1)`,
    ...runs.toReversed().map(
      ({
        id,
        state,
      }) => sql`INSERT INTO flow_runs (ws, id, app, flow, deployment_id, status, trigger_kind, input, created_by,
          permissioned_as, step_index, transition, created_at, concurrency_key, concurrency_limit, concurrency_state,
          wait_until)
        VALUES (${ws}, ${id}, 'shop', 'sell', 'd-places', 'running', 'api', '', 'ada', 'ada', -1, 't', 1, 'k', 1, ${state},
          ${state === 'holding' ? 4_102_444_800_000 : null})`,
    ),
  ])
  await move(ws, cell.db)
  expect(
    await cell.db.all(
      sql`SELECT id, concurrency_state AS state FROM flow_runs WHERE ws = ${ws} ORDER BY id`,
    ),
  ).toEqual(runs)
})
