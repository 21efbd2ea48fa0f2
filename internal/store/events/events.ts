/** Events of workspaces [events 1]. Their data is encrypted. Every query uses an index, so their number does not matter. */
import { DAY_MS } from '#core/time-units.ts'
import type { Database, Statement } from '../database.ts'
import type { DuePage } from '../due-place.ts'
import { type DueList, readDueRows } from '../due-rows.ts'
import { bool, number, type RowOf, row, text, time } from '../row.ts'
import { listed, raw, SQL_NOW, sql } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'

const eventRow = row({
  ws: text,
  id: text,
  call: text,
  name: text,
  /** Null for an event without a key. */
  key: text.nullable,
  data: text,
  sentBy: text,
  chainDepth: number,
  delivered: number,
  at: time,
})
export type StoredEvent = RowOf<typeof eventRow>

export type NewEvent = Omit<StoredEvent, 'delivered' | 'at'>

/** Finds an event of the last day. */
export const findEvent = (db: Database, ws: string, id: string): Promise<StoredEvent | null> =>
  eventRow.one(
    db,
    sql`SELECT ${eventRow.columns()} FROM events WHERE ws = ${ws} AND id = ${id}
      AND at > ${SQL_NOW} - ${DAY_MS}`,
  )

/** Inserts an event unless one with the same id came within a day. An older one is replaced. */
export const insertEvent = (event: NewEvent, isPending: boolean, guard: Statement): Statement =>
  sql`INSERT INTO events (ws, id, call, name, key, data, sent_by, chain_depth, pending, at)
    SELECT ${event.ws}, ${event.id}, ${event.call}, ${event.name}, ${event.key}, ${event.data}, ${event.sentBy},
      ${event.chainDepth}, ${isPending}, ${SQL_NOW} WHERE ${guard}
    ON CONFLICT (ws, id) DO UPDATE SET call = excluded.call, name = excluded.name, key = excluded.key,
      data = excluded.data, sent_by = excluded.sent_by, chain_depth = excluded.chain_depth, delivered = 0,
      pending = excluded.pending, at = excluded.at
    WHERE events.at <= ${SQL_NOW} - ${DAY_MS}`

type EventCall = Pick<StoredEvent, 'ws' | 'id' | 'call'>

/** A guard: this call inserted the event. */
export const isSentBy = ({ ws, id, call }: EventCall): Statement =>
  sql`EXISTS (SELECT 1 FROM events s WHERE s.ws = ${ws} AND s.id = ${id} AND s.call = ${call})`

/** How many waits and targets have taken the event, as a column of its row. */
const TAKEN = sql`(SELECT count(*) FROM event_waits w
    WHERE w.event_id = events.id AND w.ws = events.ws AND w.status = 'received' AND w.ended_at >= events.at)
  + (SELECT count(*) FROM event_starts s INDEXED BY event_starts_by_event
    WHERE s.ws = events.ws AND s.event_id = events.id AND s.status = 'started' AND s.at >= events.at)`

/** Counts the waits and starts that took the event. @param isPending whether others may be left */
export const countDelivered = ({ ws, id, call }: EventCall, isPending: boolean): Statement =>
  sql`UPDATE events SET pending = ${isPending}, delivered = ${TAKEN}
    WHERE ws = ${ws} AND id = ${id} AND call = ${call}`

const deliveryRow = row({
  /** Also what the call that sent the event has not counted yet. */
  delivered: number(sql`max(events.delivered, ${TAKEN})`),
  isUnderWay: bool(sql`events.at > ${SQL_NOW} - 10000 AND (events.pending = 1 OR EXISTS (
    SELECT 1 FROM event_starts p INDEXED BY event_starts_by_event
    WHERE p.ws = events.ws AND p.event_id = events.id AND p.status = 'pending'))`),
})

/** Returns what an event has reached, and whether the call that sent it may still deliver it. */
export const findDelivery = (
  db: Pick<Database, 'one'>,
  { ws, id }: Pick<StoredEvent, 'ws' | 'id'>,
): Promise<RowOf<typeof deliveryRow> | null> =>
  deliveryRow.one(
    db,
    sql`SELECT ${deliveryRow.columns()} FROM events WHERE ws = ${ws} AND id = ${id}`,
  )

/** A guard: no other waits than these are open for the address. */
export const areAllWaits = (
  { ws, name, key }: Pick<StoredEvent, 'ws' | 'name' | 'key'>,
  waitIds: readonly string[],
): Statement =>
  sql`NOT EXISTS (SELECT 1 FROM event_waits w INDEXED BY event_waits_open
    WHERE w.status = 'open' AND w.ws = ${ws} AND w.name = ${name} AND w.key IS ${key}
      AND (w.timeout_at IS NULL OR w.timeout_at > ${SQL_NOW})
      AND w.id NOT IN ${listed(waitIds)})`

/** A condition: a row is older than 10 s by its `at`, or it is from before a jump back of the clock. */
export const IS_LEFT = sql`at NOT BETWEEN ${SQL_NOW} - 10000 AND ${SQL_NOW} + 10000`

const PENDING = {
  from: 'events INDEXED BY events_pending',
  within: sql`pending = 1 AND ${IS_LEFT} AND ${isNotHeld('ws')}`,
  key: ['at', 'id'],
} as const satisfies DueList

/** Lists events whose delivery was interrupted: it is still pending after 10 s. */
export const listPendingEvents = (db: Database, page: DuePage): Promise<readonly StoredEvent[]> =>
  readDueRows(db, PENDING, page, ({ where, limit }) =>
    eventRow.all(
      db,
      sql`SELECT ${eventRow.columns()} FROM events WHERE (ws, id) IN (
          SELECT ws, id FROM ${raw(PENDING.from)} WHERE ${where} ORDER BY at, id LIMIT ${limit})
        ORDER BY at, id`,
    ),
  )

/** Lists which of these jobs and runs had taken the event before a time. */
export const listTakers = (
  db: Database,
  { id, at }: Pick<StoredEvent, 'id' | 'at'>,
  { owners, takenBefore }: Readonly<{ owners: readonly string[]; takenBefore: number }>,
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT DISTINCT owner_id FROM event_waits INDEXED BY event_waits_by_owner
      WHERE owner_id IN ${listed(owners)}
        AND event_id = ${id} AND ended_at >= ${at} AND ended_at < ${takenBefore}`,
  )

/** How long ago a jump of the clock may have been when a node recorded it, in milliseconds: nodes at rest look every 30 s. */
const JUMP_SEEN_WITHIN_MS = 30_000

/**
 * A condition on an event: it came after the owner of the wait began. A start in the future is from before the clock was set
 * back; then the events since that jump came after it too.
 */
const CAME_SINCE = sql`(e.at >= o.began_at OR (o.began_at > ${SQL_NOW} AND e.at BETWEEN
  (SELECT max(at) - ${JUMP_SEEN_WITHIN_MS} FROM clock_jumps WHERE by_ms < 0) AND ${SQL_NOW}))`

/**
 * Gives an open wait the oldest event that fits it, came after its owner began and within `lookbackMs`, and was not yet taken
 * by its owner. Runs after the insert of the wait in the same batch.
 */
export const takeEarlierEvent = (waitId: string, lookbackMs: number): Statement =>
  sql`UPDATE event_waits SET status = 'received', event_id = f.id, ended_at = ${SQL_NOW}
    FROM (SELECT e.id FROM event_waits o JOIN events e INDEXED BY events_by_address
        ON e.ws = o.ws AND e.name = o.name AND e.key IS o.key AND ${CAME_SINCE}
      WHERE o.id = ${waitId} AND o.status = 'open' AND e.at > ${SQL_NOW} - ${lookbackMs}
        AND NOT EXISTS (SELECT 1 FROM event_waits t WHERE t.owner_id = o.owner_id AND t.event_id = e.id)
      ORDER BY e.at, e.id LIMIT 1) AS f
    WHERE event_waits.id = ${waitId} AND event_waits.status = 'open'`

const receivedRow = row({
  waitId: text(sql`w.id`),
  step: text('w.step'),
  id: text('e.id'),
  name: text('e.name'),
  key: text.nullable('e.key'),
  data: text('e.data'),
  at: time('e.at'),
})

/** Lists events that waits of a job have received and that its steps have not been given yet. */
export const listReceivedEvents = (
  db: Database,
  jobId: string,
): Promise<readonly RowOf<typeof receivedRow>[]> =>
  receivedRow.all(
    db,
    sql`SELECT ${receivedRow.columns()} FROM event_waits w INDEXED BY event_waits_by_owner
      JOIN job_steps s ON s.job_id = w.owner_id AND s.name = w.step AND s.kind = 'event' AND s.status = 'running'
      JOIN events e ON e.ws = w.ws AND e.id = w.event_id
      WHERE w.owner_id = ${jobId} AND w.event_id IS NOT NULL AND w.status = 'received'`,
  )

/** Finds an event that a run has taken, of any age. */
export const findTakenEvent = (db: Database, ws: string, id: string): Promise<StoredEvent | null> =>
  eventRow.one(db, sql`SELECT ${eventRow.columns()} FROM events WHERE ws = ${ws} AND id = ${id}`)
