/** Notifications of workspaces and the results of their deliveries [notifications 2]. Triggers of the schema insert them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { NOTIFICATION_STATUSES } from '#core/notify/retry.ts'
import { type NotifyRule, type NotifyTarget, notifyTarget } from '#core/notify/rule.ts'
import type { Database, Reader, Statement } from './database.ts'
import { number, oneOf, parsed, type RowOf, row, text, time } from './row.ts'
import { searchRows } from './search.ts'
import { listed, raw, SQL_NOW, sql, TRUE, valueList } from './sql.ts'
import { isNotHeld } from './workspaces/held.ts'

const notificationRow = row({
  ws: text,
  id: text,
  event: text,
  subject: text,
  stepIndex: number.nullable,
  target: parsed((json): NotifyTarget => notifyTarget.parse(JSON.parse(json))),
  status: oneOf(NOTIFICATION_STATUSES),
  attempts: number,
  nextAt: time.nullable,
  createdAt: time,
  endedAt: time.nullable,
  lastStatus: number.nullable,
  lastError: text.nullable,
})
export type Notification = RowOf<typeof notificationRow>

/** Sets which events are reported to which targets. An empty list turns notifications off. */
export const updateNotify = (ws: string, rules: readonly NotifyRule[]): Statement =>
  sql`UPDATE workspaces SET notify = ${rules.length === 0 ? null : JSON.stringify(rules)} WHERE id = ${ws}`

/** Inserts a test of a target, due at once. Running it twice inserts once. */
export const insertTest = (
  ws: string,
  { id, target }: Readonly<{ id: string; target: NotifyTarget }>,
): Statement =>
  sql`INSERT INTO notifications (ws, id, event, subject, target, next_at, created_at)
    VALUES (${ws}, ${`test:${id}`}, 'test', ${id}, ${JSON.stringify(target)}, ${SQL_NOW}, ${SQL_NOW})
    ON CONFLICT DO NOTHING`

export type NotificationPage = Readonly<{
  /** Where the last page ended; null for the first. */
  before: Readonly<{ createdAt: number; id: string }> | null
  limit: number
}>

/** Lists the notifications of a workspace, newest first. */
export const listNotifications = (
  db: Reader,
  ws: string,
  { before, limit }: NotificationPage,
): Promise<readonly Notification[]> => {
  const list = {
    from: raw('notifications INDEXED BY notifications_by_time'),
    within: sql`ws = ${ws}`,
    matching: TRUE,
    key: ['created_at', 'id'],
  }
  return searchRows(db, list, {
    columns: notificationRow.columns(),
    read: (page) => notificationRow.all(db, page),
    before: before === null ? null : [before.createdAt, before.id],
    limit,
  })
}

/** Due notifications whose workspaces one look compares, and those that it passes over to find other workspaces, in 20 ms. */
const LOOKED_AT = 1_000
const PASSED_OVER = 50_000
/** Workspaces with the longest backlogs that are passed over, one group with each look. */
const MOST_LOOKS = 4

/** The last notification that a look has passed over, by the key of the index; null before the first look. */
type Place = readonly [nextAt: number, ws: string, id: string] | null

const IN_ORDER = raw('next_at, ws, id')

/** Selects the notifications behind a place that are due, in the order of the index. */
const dueBehind = (after: Place): Statement => {
  const isBehind = after === null ? TRUE : sql`(${IN_ORDER}) > (${valueList(after)})`
  return sql`SELECT ${IN_ORDER} FROM notifications INDEXED BY notifications_due
    WHERE next_at <= ${SQL_NOW} AND ${isNotHeld('ws')} AND ${isBehind} ORDER BY ${IN_ORDER}`
}

const dueRow = row({ nextAt: number, ws: text, id: text })

/** Finds where the next look begins; null if this one reaches the last due notification. */
const endOfLook = async (db: Reader, after: Place): Promise<Place> => {
  const last = await dueRow.one(db, sql`${dueBehind(after)} LIMIT 1 OFFSET ${PASSED_OVER - 1}`)
  return last === null ? null : [last.nextAt, last.ws, last.id]
}

type Look = Readonly<{ seen: readonly string[]; limit: number; after: Place }>

/** Lists due notifications of other workspaces than `seen`, those of each workspace in turn. */
const listOthers = (db: Reader, { seen, limit, after }: Look): Promise<readonly Notification[]> =>
  notificationRow.all(
    db,
    // without MATERIALIZED, the window function reads all that may be passed over
    sql`WITH others AS MATERIALIZED (
        SELECT ws, id, next_at FROM (${dueBehind(after)} LIMIT ${PASSED_OVER})
        WHERE ws NOT IN ${listed(seen)} LIMIT ${LOOKED_AT}),
      first (ws, id, turn) AS MATERIALIZED (
        SELECT ws, id, row_number() OVER (PARTITION BY ws ORDER BY next_at) AS turn FROM others
        ORDER BY turn, next_at LIMIT ${limit})
      SELECT ${notificationRow.columns()} FROM first JOIN notifications USING (ws, id) ORDER BY turn, next_at`,
  )

/**
 * Lists notifications whose next attempt is due. Workspaces take turns, so that none waits for the backlog of another.
 * @param except workspaces that are left out
 */
export const listDueNotifications = async (
  db: Database,
  { limit, except = [] }: Readonly<{ limit: number; except?: readonly string[] }>,
): Promise<readonly Notification[]> => {
  const turns: Readonly<{ found: Notification; turn: number }>[] = []
  const counts = new Map<string, number>()
  let after: Place = null
  for (let looks = 0; looks < MOST_LOOKS; ) {
    const others = await listOthers(db, { seen: [...except, ...counts.keys()], limit, after })
    for (const found of others) {
      const turn = counts.get(found.ws) ?? 0
      counts.set(found.ws, turn + 1)
      turns.push({ found, turn })
    }
    if (others.length >= limit) looks += 1
    else {
      // a backlog may be longer than what one look passes over
      after = await endOfLook(db, after)
      if (after === null) break
      await nextTurn()
    }
  }
  return turns
    .toSorted((one, other) => one.turn - other.turn)
    .slice(0, limit)
    .map(({ found }) => found)
}

type Attempt = Pick<Notification, 'ws' | 'id' | 'attempts'>

/**
 * Takes the next attempt. Only one node gets it, because it changes the count that the others have read.
 * @param leaseMs milliseconds after which the attempt counts as lost
 */
export const takeAttempt = ({ ws, id, attempts }: Attempt, leaseMs: number): Statement =>
  sql`UPDATE notifications SET attempts = attempts + 1, next_at = ${SQL_NOW} + ${leaseMs}
    WHERE ws = ${ws} AND id = ${id} AND attempts = ${attempts} AND next_at <= ${SQL_NOW}`

export type AttemptOutcome = Readonly<{
  isDelivered: boolean
  /** HTTP status; null if there was no response. */
  lastStatus: number | null
  lastError: string | null
  /** Milliseconds until the next attempt; null if there is none. */
  retryMs: number | null
}>

/** Records the outcome of an attempt, unless another attempt has begun meanwhile. */
export const recordAttempt = (
  { ws, id, attempts }: Attempt,
  { isDelivered, lastStatus, lastError, retryMs }: AttemptOutcome,
): Statement => {
  const isOver = isDelivered || retryMs === null
  return sql`UPDATE notifications SET
      status = ${isDelivered ? 'delivered' : isOver ? 'failed' : 'pending'},
      next_at = ${isOver ? null : sql`${SQL_NOW} + ${retryMs}`},
      ended_at = ${isOver ? SQL_NOW : null}, last_status = ${lastStatus}, last_error = ${lastError}
    WHERE ws = ${ws} AND id = ${id} AND attempts = ${attempts} AND status = 'pending'`
}
