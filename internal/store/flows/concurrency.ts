/**
 * Concurrency slots of flow runs. Triggers of migrations 0072 and 0079, which call them places, give each free slot of a key to the
 * run that waits first, in the write that frees it or that lets a run wait, and make that run due (waits.ts). If more than 10 slots
 * are free, because the limit rose, the runs that begin give the others.
 */
import type { Statement } from '../database.ts'
import { SQL_NOW, sql } from '../sql.ts'

type Delayed = Readonly<{ ws: string; id: string }>

/** Lets a run wait for a concurrency slot, because its time has come. Returns one row if it did. */
export const waitForSlot = ({ ws, id }: Delayed): Statement =>
  sql`UPDATE flow_runs SET concurrency_state = 'waiting', wait_until = NULL, version = version + 1
    WHERE ws = ${ws} AND id = ${id} AND concurrency_state = 'delayed' AND completed_at IS NULL AND wait_until <= ${SQL_NOW}`
