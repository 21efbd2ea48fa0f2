/**
 * Corrects the rows that wait for a time, after a jump of the clock. There may be hundreds of thousands, and one write of all of
 * them would keep the database from answering for seconds, so they are corrected in small writes. A row of `meta` names the place
 * that the correction has come to. A write that moves rows also moves that place, so that any node may continue after a crash, and
 * no row is moved twice.
 */
import { z } from 'zod'
import type { Database, SqlValue, Statement } from '../database.ts'
import { parsed } from '../row.ts'
import { allOf, raw, SQL_NOW, sql, TRUE, valueList } from '../sql.ts'
import { isNotFenced } from '../workspaces/fence.ts'

/** A part passes over this number of rows, and moves some of them, in a few milliseconds. */
const ROWS_PER_PART = 500

const KEY = 'clock_jump_'
const keyOf = (epoch: number): string => `${KEY}${epoch}`

/** A condition: rows are left to be corrected. */
export const HAS_CORRECTIONS = raw(`EXISTS (SELECT 1 FROM meta WHERE key GLOB '${KEY}*')`)

type Jump = Readonly<{
  epoch: number
  byMs: number
  /** The database's clock after the jump. */
  at: number
  /** The jump happened within these milliseconds before `at`. */
  windowMs: number
}>

/** Rows of which the write of a part knows where they begin and end. */
type Part = Readonly<{ jump: Jump; where: Statement; guard: Statement }>

/**
 * Rows in the order of an index. `key` has its columns. A moved row comes to lie among those that were passed over, in the order
 * in which the parts follow one another.
 */
type Kind = Readonly<{
  from: string
  within: string
  key: readonly string[]
  /** The rows that may be left to be corrected when the first part begins. @default all */
  begin?: Statement
  isDescending?: boolean
  move: (part: Part) => readonly Statement[]
}>

/**
 * A condition on a run: it starts at a later time, or its step is a sleep until a time, which the definition of its deployment
 * shows. A run that has a concurrency slot is due since it got the slot.
 */
const KEEPS_ITS_TIME = sql`CASE WHEN flow_runs.step_index < 0 THEN flow_runs.concurrency_state IS NOT 'holding'
  ELSE EXISTS (SELECT 1 FROM deployments d, json_each(d.manifest, '$.flows') f
    WHERE d.id = flow_runs.deployment_id AND f.value ->> '$.key' = flow_runs.flow
      AND json_extract(f.value, '$.steps[' || flow_runs.step_index || '].until') IS NOT NULL) END`

const QUEUED_LATER = sql`run_at > ${SQL_NOW}
  AND (failure_count > 0 OR flow_run_id IS NOT NULL OR paced = 1 OR suspended_kind IS NOT NULL
    OR (debounce_key IS NOT NULL AND attempt = 0))`

/** Moves a time of rows that is still to come. @param where the rows of the part, and which of them move */
const shorten = (table: string, column: string, where: Statement, { jump, guard }: Part) =>
  sql`UPDATE ${raw(table)} SET ${raw(column)} = max(${SQL_NOW}, ${raw(column)} + ${jump.byMs})
    WHERE ${guard} AND (ws, id) IN (${where})`

/**
 * Start timeouts of jobs that were due before the jump, so that they may wait as long as without it. A job that comes due by a jump
 * forward may wait from then on. One that is still to come due keeps its latest start, or `delayed` moves both.
 */
const startTimeouts = ({ jump, where, guard }: Part): readonly Statement[] => {
  const { byMs, at, windowMs } = jump
  const late = sql`CASE WHEN ready = 1 OR paced = 1 THEN ${byMs} ELSE max(0, min(${byMs}, ${at} - run_at)) END`
  return [
    sql`UPDATE jobs SET start_by = start_by + ${byMs < 0 ? sql`${byMs}` : late} WHERE ${guard} AND (ws, id) IN (
      SELECT ws, id FROM jobs INDEXED BY jobs_to_start WHERE ${where} AND ${raw(byMs < 0 ? 'ready = 1' : '1')}
        AND created_at NOT BETWEEN ${at} - ${windowMs} AND ${SQL_NOW} AND ${isNotFenced('jobs')})`,
  ]
}

const jobsToStart = {
  from: 'jobs INDEXED BY jobs_to_start',
  within: "start_by IS NOT NULL AND status = 'queued' AND attempt = 0",
  key: ['start_by', 'id', 'ws'],
  move: startTimeouts,
}

/** Each kind with its part of the text in `meta`, in the order of their corrections. */
const BACK: Readonly<Record<string, Kind>> = {
  startTimeouts: jobsToStart,
  delayed: {
    from: 'jobs INDEXED BY jobs_delayed',
    within: "status = 'queued' AND ready = 0",
    key: ['run_at', 'ws', 'id'],
    begin: sql`run_at > ${SQL_NOW}`,
    move: ({ jump: { byMs }, where, guard }) => {
      const jobs = sql`FROM jobs INDEXED BY jobs_delayed WHERE ${where} AND ${QUEUED_LATER} AND ${isNotFenced('jobs')}`
      return [
        // before the jobs, whose order this changes
        sql`UPDATE job_steps SET due_at = due_at + ${byMs} WHERE ${guard} AND status = 'running' AND due_at > ${SQL_NOW}
          AND job_id IN (SELECT id ${jobs})`,
        sql`UPDATE jobs SET run_at = max(${SQL_NOW}, run_at + ${byMs}), debounce_until = debounce_until + ${byMs},
            suspended_until = suspended_until + ${byMs}, start_by = start_by + ${byMs}
          WHERE ${guard} AND (ws, id) IN (SELECT ws, id ${jobs})`,
      ]
    },
  },
  // jobs that wait for a worker or their key, which newer ones would overtake until the clock shows their times again
  ready: {
    from: 'jobs INDEXED BY jobs_due',
    within: "status = 'queued' AND ready = 1",
    key: ['ws', 'tag', 'run_at', 'id'],
    move: ({ jump: { byMs }, where, guard }) => [
      sql`UPDATE jobs SET run_at = run_at + ${byMs} WHERE ${guard} AND (ws, id) IN (
        SELECT ws, id FROM jobs INDEXED BY jobs_due WHERE ${where} AND run_at > ${SQL_NOW} AND ${isNotFenced('jobs')})`,
    ],
  },
  waits: {
    from: 'flow_runs INDEXED BY flow_runs_by_deadline',
    within: 'wait_until IS NOT NULL',
    key: ['wait_until', 'id', 'ws'],
    begin: sql`wait_until > ${SQL_NOW}`,
    move: (part) => {
      const runs = sql`SELECT ws, id FROM flow_runs INDEXED BY flow_runs_by_deadline WHERE ${part.where}
        AND wait_until > ${SQL_NOW} AND completed_at IS NULL AND NOT ${KEEPS_ITS_TIME} AND ${isNotFenced('flow_runs')}`
      return [shorten('flow_runs', 'wait_until', runs, part)]
    },
  },
  reminders: {
    from: 'flow_runs INDEXED BY flow_runs_by_reminder',
    within: 'remind_at IS NOT NULL',
    key: ['remind_at', 'id', 'ws'],
    begin: sql`remind_at > ${SQL_NOW}`,
    move: (part) => {
      const runs = sql`SELECT ws, id FROM flow_runs INDEXED BY flow_runs_by_reminder WHERE ${part.where}
        AND remind_at > ${SQL_NOW} AND completed_at IS NULL AND ${isNotFenced('flow_runs')}`
      return [shorten('flow_runs', 'remind_at', runs, part)]
    },
  },
  notifications: {
    from: 'notifications INDEXED BY notifications_due',
    within: 'next_at IS NOT NULL',
    key: ['next_at', 'ws', 'id'],
    begin: sql`next_at > ${SQL_NOW}`,
    move: (part) => {
      const due = sql`SELECT ws, id FROM notifications INDEXED BY notifications_due WHERE ${part.where}
        AND next_at > ${SQL_NOW} AND ${isNotFenced('notifications')}`
      return [shorten('notifications', 'next_at', due, part)]
    },
  },
}

const FORWARD: Readonly<Record<string, Kind>> = {
  startTimeouts: { ...jobsToStart, isDescending: true },
}

const kindsOf = (byMs: number) => (byMs < 0 ? BACK : FORWARD)

const placeSchema = z.object({
  epoch: z.number(),
  byMs: z.number(),
  at: z.number(),
  windowMs: z.number(),
  kind: z.string(),
  /** The key of the last row that was passed over; null before the first. */
  after: z.array(z.union([z.string(), z.number()])).nullable(),
})

/** Where a correction is, with the text that stands for it. */
export type CorrectionPlace = z.infer<typeof placeSchema> & Readonly<{ value: string }>

const placeColumn = parsed(
  (value): CorrectionPlace => ({ ...placeSchema.parse(JSON.parse(value)), value }),
)

/** Begins the corrections after a jump. @param guard a condition */
export const beginCorrections = (jump: Omit<Jump, 'at'>, guard: Statement): Statement => {
  const [kind = ''] = Object.keys(kindsOf(jump.byMs))
  return sql`INSERT INTO meta (key, value) SELECT ${keyOf(jump.epoch)}, json_object('epoch', ${jump.epoch},
    'byMs', ${jump.byMs}, 'windowMs', ${jump.windowMs}, 'at', ${SQL_NOW}, 'kind', ${kind}, 'after', NULL) WHERE ${guard}`
}

/** Finds the place of the oldest jump whose rows are not all corrected; null if none are left. */
export const findCorrection = (db: Pick<Database, 'one'>): Promise<CorrectionPlace | null> =>
  placeColumn.one(
    db,
    sql`SELECT value FROM meta WHERE key GLOB ${`${KEY}*`} ORDER BY value ->> 'epoch' LIMIT 1`,
  )

const columnsOf = (kind: Kind): Statement => raw(kind.key.join(', '))

const orderOf = ({ key, isDescending = false }: Kind): Statement =>
  raw(key.map((column) => `${column}${isDescending ? ' DESC' : ''}`).join(', '))

/** A condition: rows after one, in the order of the parts. */
const isAfter = (kind: Kind, after: readonly SqlValue[] | null): Statement =>
  after === null
    ? (kind.begin ?? TRUE)
    : sql`(${columnsOf(kind)}) ${raw(kind.isDescending === true ? '<' : '>')} (${valueList(after)})`

const isUpTo = (kind: Kind, last: readonly SqlValue[]): Statement =>
  sql`(${columnsOf(kind)}) ${raw(kind.isDescending === true ? '>=' : '<=')} (${valueList(last)})`

const keySchema = placeSchema.shape.after.unwrap()

/** Returns the key of the last row of a full part, or null if fewer rows are left. */
const findEnd = async (db: Pick<Database, 'one'>, kind: Kind, begin: Statement) => {
  const found = await db.one(
    sql`SELECT ${columnsOf(kind)} FROM ${raw(kind.from)} WHERE ${allOf(raw(kind.within), begin)}
      ORDER BY ${orderOf(kind)} LIMIT 1 OFFSET ${ROWS_PER_PART - 1}`,
  )
  return found === null ? null : keySchema.parse(Object.values(found))
}

/** Returns the batch that corrects the next part. It may be retried, and does nothing if another node has corrected the part. */
export const correctNextPart = async (
  db: Pick<Database, 'one'>,
  place: CorrectionPlace,
): Promise<readonly Statement[]> => {
  const { value, kind: name, after, ...jump } = place
  const kinds = kindsOf(jump.byMs)
  const names = Object.keys(kinds)
  const kind = kinds[name]
  const guard = sql`EXISTS (SELECT 1 FROM meta WHERE key = ${keyOf(jump.epoch)} AND value = ${value})`
  const isHere = sql`key = ${keyOf(jump.epoch)} AND value = ${value}`
  const moveTo = (next: Pick<CorrectionPlace, 'kind' | 'after'>): Statement =>
    sql`UPDATE meta SET value = ${JSON.stringify({ ...jump, ...next })} WHERE ${isHere}`
  const begin = kind === undefined ? TRUE : isAfter(kind, after)
  const last = kind === undefined ? null : await findEnd(db, kind, begin)
  const bounds = kind === undefined || last === null ? begin : allOf(begin, isUpTo(kind, last))
  const where = kind === undefined ? bounds : allOf(raw(kind.within), bounds)
  const next = names[names.indexOf(name) + 1]
  return [
    ...(kind?.move({ jump, where, guard }) ?? []),
    last !== null
      ? moveTo({ kind: name, after: last })
      : next === undefined || kind === undefined
        ? sql`DELETE FROM meta WHERE ${isHere}`
        : moveTo({ kind: next, after: null }),
  ]
}
