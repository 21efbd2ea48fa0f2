/**
 * Waits for an event, by a step of a durable job or of a flow run. A wait is open until it receives an event, times out, or
 * its owner ends. An ended wait never changes. It is kept as long as its owner, so that no run takes an event twice.
 */
import { asNumber } from '../column.ts'
import type { Reader, Statement } from '../database.ts'
import { number, oneOf, type RowOf, row, text, time } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'

const WAIT_OWNERS = ['job', 'flow'] as const

const waitRow = row({
  id: text,
  ws: text,
  name: text,
  /** The key that an event must have; null if it must have none. */
  key: text.nullable,
  ownerKind: oneOf(WAIT_OWNERS),
  ownerId: text,
  /** The name of a job's step, or the key of a flow's step. */
  step: text,
  position: number,
  /** When the job or run first started. */
  beganAt: time,
  timeoutAt: time.nullable,
})
export type EventWait = RowOf<typeof waitRow>

export type EventAddress = Readonly<{ ws: string; name: string; key: string | null }>

/** Lists the open waits that an event fits, by id. It needs one index probe, regardless of how many other waits there are. */
export const listOpenWaits = (
  db: Reader,
  { ws, name, key }: EventAddress,
  { afterId, limit }: Readonly<{ afterId: string; limit: number }>,
): Promise<readonly EventWait[]> =>
  waitRow.all(
    db,
    sql`SELECT ${waitRow.columns()} FROM event_waits INDEXED BY event_waits_open
      WHERE status = 'open' AND ws = ${ws} AND name = ${name} AND key IS ${key} AND id > ${afterId}
        AND (timeout_at IS NULL OR timeout_at > ${SQL_NOW})
      ORDER BY id LIMIT ${limit}`,
  )

/** Counts the open waits that an event fits, no further than `most`. */
export const countOpenWaits = async (
  db: Reader,
  { ws, name, key }: EventAddress,
  most: number,
): Promise<number> => {
  const found = await db.one(
    sql`SELECT count(*) AS waits FROM (SELECT 1 FROM event_waits INDEXED BY event_waits_open
      WHERE status = 'open' AND ws = ${ws} AND name = ${name} AND key IS ${key} LIMIT ${most})`,
  )
  return asNumber(found?.waits)
}

const MOST_OF_OWNER = 100

/** Lists up to 100 waits of a job or run that an event can still end, in the order of its steps. */
export const listWaitsOf = (db: Reader, ownerId: string): Promise<readonly EventWait[]> =>
  waitRow.all(
    db,
    sql`SELECT ${waitRow.columns()} FROM event_waits INDEXED BY event_waits_by_owner
      WHERE owner_id = ${ownerId} AND status = 'open' AND (timeout_at IS NULL OR timeout_at > ${SQL_NOW})
      ORDER BY position, step LIMIT ${MOST_OF_OWNER}`,
  )

/**
 * Gives an event to a wait that is open and in time, unless its owner took the event before it opened the wait.
 * @param guard a condition, for example that the event was inserted
 */
export const receiveEvent = (waitId: string, eventId: string, guard: Statement): Statement =>
  sql`UPDATE event_waits SET status = 'received', event_id = ${eventId}, ended_at = ${SQL_NOW}
    WHERE id = ${waitId} AND status = 'open' AND (timeout_at IS NULL OR timeout_at > ${SQL_NOW}) AND ${guard}
      AND NOT EXISTS (SELECT 1 FROM event_waits t WHERE t.owner_id = event_waits.owner_id AND t.event_id = ${eventId}
        AND t.ended_at < event_waits.created_at)`

/** A condition: the wait has taken this event. */
export const hasReceived = (waitId: string, eventId: string): Statement =>
  sql`EXISTS (SELECT 1 FROM event_waits w WHERE w.id = ${waitId} AND w.status = 'received' AND w.event_id = ${eventId})`
