/** The migration that rebuilds jobs and flow runs to allow more trigger kinds. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { migrate } from '#store/migrate.ts'
import { MIGRATIONS } from '#store/migrations.gen.ts'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { makeMemoryFolder } from '../support/memory-folder.ts'

describe('the migration to trigger kinds', () => {
  it('keeps jobs and flow runs, what refers to them, and what guards them', async () => {
    const folder = makeMemoryFolder('svc-migrate-')
    const db = await openDatabase({ url: `file:${join(folder, 'svc.db')}` })
    const at = MIGRATIONS.findIndex(({ name }) => name === 'trigger-kinds')
    await migrate(db, MIGRATIONS.slice(0, at))
    const job = (id: string, status: string, createdBy: string) =>
      sql`INSERT INTO jobs (ws, id, app, action, deployment_id, status, tag, run_at, crash_limit, trigger_kind,
          created_by, permissioned_as, created_at, completed_at, result, flow_slot)
        VALUES ('default', ${id}, 'a', 'b', 'd', ${status}, 't', 1, 3, 'api', ${createdBy}, 'p', 1,
          ${status === 'queued' ? null : 2}, 'r', 7)`
    await db.write([
      job('1', 'success', 'ada'),
      job('2', 'failure', 'error_handler:1'),
      job('3', 'queued', 'ada'),
      sql`INSERT INTO flow_runs (ws, id, app, flow, deployment_id, status, trigger_kind, input, created_by,
          permissioned_as, step_index, transition, result_bytes, created_at, completed_at)
        VALUES ('default', 'r', 'a', 'f', 'd', 'completed', 'public', 'i', 'ada', 'ada', 2, 't', 9, 1, 2)`,
    ])
    const indexes = sql`SELECT name, sql FROM sqlite_master
      WHERE tbl_name IN ('jobs', 'flow_runs') AND type <> 'table' AND sql IS NOT NULL ORDER BY name`
    const before = await db.all(indexes)
    await migrate(db, MIGRATIONS.slice(0, at + 1))
    expect(await db.all(indexes)).toEqual(before)
    expect(
      await db.all(
        sql`SELECT id, trigger_kind, flow_slot, result, chain_depth FROM jobs ORDER BY id`,
      ),
    ).toEqual([
      { id: '1', trigger_kind: 'api', flow_slot: 7, result: 'r', chain_depth: 0 },
      { id: '2', trigger_kind: 'error_handler', flow_slot: 7, result: 'r', chain_depth: 0 },
      { id: '3', trigger_kind: 'api', flow_slot: 7, result: 'r', chain_depth: 0 },
    ])
    expect(
      await db.all(sql`SELECT id, trigger_kind, step_index, result_bytes FROM flow_runs`),
    ).toEqual([{ id: 'r', trigger_kind: 'public', step_index: 2, result_bytes: 9 }])
    expect(await db.all(sql`SELECT tag, n FROM queue_counts`)).toEqual([{ tag: 't', n: 1 }])
    await db.write([sql`DELETE FROM jobs WHERE id = '3'`])
    expect(await db.all(sql`SELECT n FROM queue_counts`)).toEqual([{ n: 0 }])
    await expect(db.write([sql`UPDATE jobs SET tag = 'u' WHERE id = '1'`])).rejects.toThrow(
      'never changes',
    )
    await expect(db.write([sql`UPDATE flow_runs SET app = 'u'`])).rejects.toThrow('never changes')
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })
})
