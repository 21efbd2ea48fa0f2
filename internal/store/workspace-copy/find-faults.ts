/** The invariants of `svc db check` (maintenance/invariants.ts) for one workspace, over any backend. */
import type { Reader } from '../database.ts'
import { INVARIANTS } from '../maintenance/invariants.ts'
import { exists, text } from '../row.ts'
import { raw, sql } from '../sql.ts'

const MAX_FOUND = 1_000
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Returns whether a finding names the workspace, or one of its jobs, flow runs or schedules. */
const isOf = async (db: Reader, ws: string, found: string): Promise<boolean> => {
  if (found.includes(` workspace ${ws},`) || found.includes(` key ${ws}/`)) return true
  for (const id of found.match(ID) ?? []) {
    const isOwn = await exists(
      db,
      sql`SELECT 1 FROM jobs WHERE ws = ${ws} AND id = ${id}
        UNION ALL SELECT 1 FROM flow_runs WHERE ws = ${ws} AND id = ${id}
        UNION ALL SELECT 1 FROM schedules WHERE ws = ${ws} AND id = ${id} LIMIT 1`,
    )
    if (isOwn) return true
  }
  return false
}

/** Returns the first finding of each invariant that rows of the workspace break. @throws {DatabaseError} */
export const findCopiedFaults = async (db: Reader, ws: string): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const { id, query } of INVARIANTS) {
    // skip settings: a server does not let them be read, and they are not rows of the workspace
    if (query.includes('pragma_')) continue
    const found = await text.all(db, sql`SELECT found FROM (${raw(query)}) LIMIT ${MAX_FOUND}`)
    for (const finding of found) {
      if (!(await isOf(db, ws, finding))) continue
      faults.push(`${id}: ${finding}`)
      break
    }
  }
  return faults
}
